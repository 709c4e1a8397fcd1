/* The daemon's own records: what it saw or was asked for goes into the spool like everything else, and takes effect when
 * it is read. What happened is not forgotten because the spool cannot be written just now (no descriptor left, a full disk): it
 * waits here, in its order. */
#pragma once

#include "base/clock.h"
#include "base/jwrite.h"
#include "base/list.h"
#include "ingest/ingest.h"

enum { NOTES_WAITING_BYTES = 1 << 20 }; /* what waits, all together */

/* What could not be written yet. */
struct note_queue {
    struct list waiting; /* struct note, the oldest first */
    size_t bytes;
    void (*later)(void *user); /* something waits: note_retry() is to be called in a while */
    void *user;
};

/* Where they go. Owned by struct app; the ingest is set once there is one. Without a queue nothing waits. */
struct notes {
    const struct clock *clock;
    const char *spool_dir;
    struct ingest *ingest;
    struct note_queue *queue;
};

void note_queue_open(struct note_queue *q, void (*later)(void *user), void *user);
void note_queue_free(struct note_queue *q);

/* Begins a record: the caller writes the value of `key` next. */
struct jwrite note_begin(const struct notes *n, struct buf *record, const char *key);
/* Ends it and appends it to the spool, now or as soon as that can be written. -errno when too much waits already. */
int note_end(const struct notes *n, struct jwrite *w);
/* Now or not at all, for what somebody can ask for again. -errno when it cannot be written. */
int note_end_now(const struct notes *n, struct jwrite *w);

/* Writes what waits, as far as possible. True when nothing is left. */
bool note_retry(const struct notes *n);
