/*
 * The inbox at a terminal: which request is on the screen, what keys do to it, and how that is drawn. Pure: messages, keys and the time
 * go in; a frame and an action come out.
 *
 * Nothing is answered that was not on the screen for a moment, and nothing is allowed whose end was not. A key counts only when it
 * comes alone, so that a paste answers nothing.
 */
#pragma once

#include "base/clock.h"
#include "base/id.h"
#include "cli/inbox_answer.h"
#include "cli/inbox_text.h"
#include "cli/line_edit.h"

#define INBOX_LOOK_US (300 * USEC_PER_MSEC) /* so long a request must have been on the screen */

enum { INBOX_DIGEST_BYTES = 33, INBOX_NOTE_BYTES = 1024 };

enum inbox_action {
    INBOX_NOTHING,
    INBOX_QUIT,
    INBOX_ANSWER, /* the wish says which */
    INBOX_OPEN,   /* its terminal */
    INBOX_EDIT,   /* its input */
};

enum inbox_typing { INBOX_READS, INBOX_TYPES_RULE, INBOX_TYPES_MESSAGE, INBOX_TYPES_ANSWER };

/* A request as it was told: another digest is another one. */
struct inbox_mark {
    char id[ID_BYTES];
    char digest[INBOX_DIGEST_BYTES];
};

struct inbox_view {
    struct inbox_list list;
    bool connected;
    bool colour;
    unsigned cols, rows;
    struct inbox_mark at;    /* the request that is chosen; an empty id: none */
    struct inbox_mark drawn; /* what the newest frame shows */
    struct inbox_mark shown; /* what is on the screen, and since when */
    usec_t shown_us;
    size_t top, lines, page; /* the first line of it that is seen; how many there are, and how many fit */
    bool whole;              /* its end was on the screen */
    struct inbox_draft draft;
    enum inbox_typing typing;
    struct line_edit line;
    char rules[REPLY_RULES_MAX][LINE_EDIT_BYTES];
    size_t rule_at, rule_count; /* of those that are looked at one after the other; of those that are taken */
    char answering[ID_BYTES];   /* the request whose answer is on its way; empty: none */
    struct buf answers;
    char note[INBOX_NOTE_BYTES];
};

void inbox_view_init(struct inbox_view *v, unsigned cols, unsigned rows, bool colour);
void inbox_view_fini(struct inbox_view *v);

/* A message of the board's socket. */
void inbox_view_hear(struct inbox_view *v, struct span message);
/* The connection came, or went. */
void inbox_view_connected(struct inbox_view *v, bool is);
/* Words for the person, until the next key. */
void inbox_view_note(struct inbox_view *v, const char *fmt, ...) PRINTF(2, 3);

const struct inbox_request *inbox_view_request(const struct inbox_view *v); /* NULL: none is open */

/* `alone`: no other key came with it. The wish's texts are good until the next key. */
enum inbox_action inbox_view_key(struct inbox_view *v, const struct keypress *key, bool alone, usec_t now,
                                 struct inbox_wish *ret);

/* How long until the request on the screen may be answered; 0: it may be, or there is none. */
usec_t inbox_view_wait(const struct inbox_view *v, usec_t now);

/* The whole screen. */
void inbox_view_draw(struct inbox_view *v, usec_t now, int64_t wall_ms, struct buf *out);
/* The newest frame is on the screen. */
void inbox_view_shown(struct inbox_view *v, usec_t now);
/* Somebody else had the screen. */
void inbox_view_hidden(struct inbox_view *v);
