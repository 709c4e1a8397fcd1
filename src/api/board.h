/*
 * The board's channel: who is connected, what they are told. A change is encoded once for each dialect that has
 * clients and shared by all of them. A client that cannot keep up loses its queue and gets a fresh snapshot, so it
 * costs a bounded amount of memory and slows nobody down.
 */
#pragma once

#include "base/clock.h"
#include "core/hook_stats.h"
#include "core/state.h"
#include "net/ws.h"
#include "wire/board_msg.h"

struct board;

enum {
    BOARD_QUEUE_FRAMES = 256, /* of one client; more means it is behind */
    BOARD_QUEUE_BYTES = 4 << 20,
    BOARD_SPARE_BYTES = 1 << 20,
    BOARD_OPEN_MAX = 16,          /* sessions a client may have open at once */
    BOARD_MESSAGE_MAX = 1 << 20,  /* of a client */
    BOARD_SEQ_HEADROOM = 1000000, /* how far the persisted number runs ahead of the real one */
};

/* What the board needs of its owner. */
struct board_ops {
    const char *hook;               /* where ostler-hook is, NULL when unknown */
    const struct hook_stats *stats; /* what clients that want it are told */
    /* A client says how many prompts it has queued for a session. */
    void (*queue_count)(void *user, const struct session *s, int64_t count);
    /* A client looks at a session and wants to know how its transcript is; board_transcript_news() answers. `s` is its card,
     * NULL when it has none. */
    void (*look)(void *user, struct span session_id, const struct session *s, enum board_urgency urgency);
    const struct board_inbox_ops *inbox; /* NULL: there is none */
};

/* `seq`: the next change's number. Borrows everything else. */
struct board *board_new(const struct state *st, const struct clock *clock, const struct board_ops *ops,
                        void *user, uint64_t seq);
void board_free(struct board *b); /* after its last client has closed */

/* The newest change's number. */
uint64_t board_seq(const struct board *b);

/* Tells everyone now what changed (session->changed, which it clears) and who has it open what was logged. */
void board_publish(struct board *b, struct session *s);
void board_publish_removed(struct board *b, const struct session *s);
void board_publish_team(struct board *b, const struct team *team);
void board_publish_team_removed(struct board *b, const char *team_id);
/* A message for plain clients that is about no session. */
void board_publish_plain(struct board *b, struct span json);
/* How the hooks do, to plain clients and those that asked; not to who is behind by more than BOARD_SPARE_BYTES. */
void board_publish_stats(struct board *b);
/* What was found of a session's transcript, to those that look at it. */
void board_transcript_news(struct board *b, struct span session_id, const struct transcript_news *news);
/* A tool entry that may have been sent already has changed: goes out with the session's next publication. */
void board_amended(struct board *b, const struct session *s, const struct entry *e);

/* Terminals, whose output and screens clients may ask for; set before the first client. */
struct terminals;
struct terminal;
void board_set_terminals(struct board *b, struct terminals *ts);
/* What is told of it has changed; what it shows has. */
void board_terminal_changed(struct board *b, struct terminal *t);
void board_terminal_painted(struct board *b, struct terminal *t);
/* It is there no longer. */
void board_terminal_removed(struct board *b, const char *id);

/* Serves a connection: `*since` is where the client wants to continue, NULL for a snapshot. */
const struct ws_channel *board_connect(struct board *b, struct ws *ws, enum board_dialect dialect,
                                       const uint64_t *since, void **ret_user);
