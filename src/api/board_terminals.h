/*
 * What the board's clients see of terminals: how each is, small pictures of their screens, and the output of those that they
 * look at. Nothing is queued: a client is told the newest of each when it can take it, output last and in turn.
 */
#pragma once

#include "base/list.h"
#include "base/map.h"
#include "net/ws.h"
#include "wire/board_terminal.h"

enum { BOARD_SUBSCRIBED_MAX = 64, BOARD_OUTPUT_BYTES = 48 << 10 };

struct client;
struct terminals;

/* Owned by the board. */
struct board_terminals {
    struct terminals *all;
    struct list by_change; /* struct board_terminal, the last that changed at the end */
    struct map by_id;
    uint64_t version; /* of the last change */
};

/* Owned by a client. */
struct client_terminals {
    struct client *client;
    uint64_t told;             /* it knows of every change up to this */
    struct list subscriptions; /* struct subscription, the one that was served last at the end */
    unsigned subscribed;
    struct list thumbnails; /* struct thumbnail.in_client */
    struct list due;        /* struct thumbnail.in_due: those that changed */
};

void board_terminals_init(struct board_terminals *bt);
void board_terminals_fini(struct board_terminals *bt);

void client_terminals_init(struct client_terminals *ct, struct client *c);
void client_terminals_fini(struct client_terminals *ct);
void client_terminals_request(struct client *c, const struct board_terminal_request *req);
/* The next message about terminals, NULL when there is none. */
struct ws_frame *client_terminals_next(struct client *c);
