/* What the files of the board share: board.c is who is connected and what happens to sessions, board_terminals.c what they see
 * of terminals. */
#pragma once

#include "api/board.h"
#include "api/board_inbox.h"
#include "api/board_ring.h"
#include "api/board_terminals.h"
#include "api/looked.h"

/* A message larger than this cannot be sent; a snapshot of thousands of sessions stays far below it. */
enum { MESSAGE_BYTES_MAX = 256 << 20, SCRATCH_KEEP_BYTES = 256 << 10 };

/* A session that at least one client has open: what its viewers have been sent. */
struct watched {
    unsigned viewers;
    uint64_t after[HISTORY_N_];
    uint64_t amended; /* oldest tool entry that changed since; UINT64_MAX: none */
};

struct board {
    const struct state *state;
    const struct clock *clock;
    const struct board_ops *ops;
    void *user;
    struct board_ring ring;
    struct list clients;
    unsigned count[BOARD_DIALECT_N_];
    struct map watched; /* session id → struct watched */
    struct board_terminals terminals;
    struct buf scratch; /* the message being encoded */
};

struct opened {
    char id[ID_BYTES]; /* "" = free */
    bool needs_detail;
};

/* What a client missed, told change by change as it reads: all of it may be more than a queue holds. */
struct replay {
    bool on;
    uint64_t since, at, end; /* as it was asked for; told up to here; the newest change then */
    size_t before;           /* frames that were queued earlier and go first */
    size_t sent;
};

struct client {
    struct list in_board;
    struct board *board;
    struct ws *ws;
    enum board_dialect dialect;
    bool needs_snapshot; /* goes out before anything else; until then updates are part of it */
    bool wants_stats;
    bool has_since;
    uint64_t since;
    struct ws_frame *queue[BOARD_QUEUE_FRAMES];
    size_t first, queued, queued_bytes;
    struct replay replay;
    struct opened opened[BOARD_OPEN_MAX];
    struct looked_set looked;
    struct client_terminals terminals;
    struct client_inbox inbox;
};

/* Makes the message in the scratch buffer a frame and empties the buffer. */
struct ws_frame *board_take_frame(struct board *b);
/* Queues a reference to a frame. */
void client_push(struct client *c, struct ws_frame *f);
/* Queues what was just encoded, for this client alone. */
void client_push_scratch(struct client *c);
/* Says what was wrong with a message. */
void client_refuse(struct client *c, const char *sentence);
/* Sends one message, whose reference it takes, to every client of a dialect but those that wait for a snapshot: they will find it there. */
void board_send_all(struct board *b, enum board_dialect d, struct ws_frame *f);
