/* What clients of the board see of the inbox, and the answers that they give over their sockets. */
#pragma once

#include "base/jwrite.h"
#include "core/model.h"
#include "wire/board_msg.h"

struct board;
struct client;

/* What the board needs of its owner for that. */
struct board_inbox_ops {
    /* Writes the members of everything that is asked, as GET /api/approvals does. */
    void (*write_all)(void *user, struct jwrite *w);
    /* Answers a request as the JSON object says; `done` is called exactly once, unless forget() comes before. */
    void (*answer)(void *user, struct span id, struct span body, const char *by,
                   void (*done)(void *user, int status, struct span json), void *waits);
    void (*forget)(void *user, const void *waits);
};

/* A client's part. */
struct client_inbox {
    bool on;             /* it wants to know */
    bool needs_all;      /* everything goes out before more is told */
    char *by;            /* who it is, in words */
    bool only_looks;     /* it may not answer */
    struct list waiting; /* struct waiting_answer */
};

void client_inbox_init(struct client_inbox *inbox);
void client_inbox_fini(struct client *c);

/* Who it is, for those who read later who has answered; `only_looks`: it may not. */
void client_set_name(void *client, const char *by, bool only_looks);

void client_inbox_want(struct client *c, bool on);
void client_inbox_answer(struct client *c, const struct board_request *req, struct span message);
/* Everything that is asked, when the client does not have it yet: true, and it is in the board's scratch buffer. */
bool client_inbox_next(struct client *c);

/* A message about the inbox, for everybody who wants it: encoded by the caller. */
void board_publish_inbox(struct board *b, struct span json);
/* Does anybody want it? */
bool board_has_inbox(const struct board *b);
