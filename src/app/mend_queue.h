/*
 * Looks after transcripts on the pool, in the order of repair/order: a few at once, so that the disk is never waited for. At
 * the start every transcript of Claude Code is put at the end; whoever wants one of them sooner moves it to the front,
 * or waits for it.
 */
#pragma once

#include "app/mender.h"
#include "repair/order.h"

#include <uv.h>

enum {
    MEND_AT_ONCE = 3,            /* files being looked at */
    MEND_DISK_AT_ONCE = 2,       /* of those, such as nobody asked for */
    MEND_LARGE_BYTES = 64 << 20, /* one file of this size at a time */
    MEND_RETRY_MS = 300,         /* a file that is being written to; then twice as long each time */
    MEND_RETRY_MAX_MS = 60000,
};

/* What became of a session's transcript. */
struct mend_news {
    struct span session_id;
    const char *path; /* NULL when there is none */
    bool waits;       /* broken, but somebody is writing to it: more will follow */
    struct mender_outcome outcome;
};

struct mend_queue_ops {
    void (*news)(void *user, const struct mend_news *news);
};

struct mend_queue {
    uv_loop_t *loop;
    struct mender *mender; /* NULL: there is no database, so nothing is done */
    const struct mend_queue_ops *ops;
    void *user;
    struct order order;
    struct list jobs;  /* under way */
    struct list later; /* struct order_item.in_order: to be tried again */
    struct walk *walk; /* under way; NULL: none */
    uv_timer_t retry;
    unsigned running, running_disk, running_large;
    bool unsaved; /* verdicts since the last flush */
    bool closing;
};

/* `ops` is borrowed. A database that cannot be opened is logged, and nothing will be done. */
void mend_queue_open(struct mend_queue *q, uv_loop_t *loop, const char *state_dir,
                     const struct mend_queue_ops *ops, void *user);
/* Whoever waits is told -ECANCELED; ends asynchronously with the loop. */
void mend_queue_close(struct mend_queue *q);
/* When the loop has ended. */
void mend_queue_free(struct mend_queue *q);

/* Walks through all transcripts in the background, and removes old backups. */
void mend_queue_walk(struct mend_queue *q);

/* Wants a session's transcript looked at; `path` where it is said to be, or NULL. Always answered by news. */
void mend_queue_look(struct mend_queue *q, struct span session_id, const char *path,
                     enum mend_priority priority);

/* The same, before all others, for somebody who waits: `done` is called once, with the news, or with NULL when `timeout_ms`
 * have passed (-ETIMEDOUT), or when there will be none (-ECANCELED). */
typedef void mend_wait_fn(void *user, int result, const struct mend_news *news);
struct mend_wait;
struct mend_wait *mend_queue_wait(struct mend_queue *q, struct span session_id, const char *path,
                                  uint64_t timeout_ms, mend_wait_fn *done, void *user);
/* Waits no longer: `done` is not called any more. */
void mend_wait_cancel(struct mend_wait *w);
