/*
 * Follows the spool: delivers every record once, in order, each with its position; seals segments that grew
 * large and deletes sealed ones that are safely in the database. Belongs to the loop thread.
 */
#pragma once

#include "base/err.h"
#include "spool/spool.h"

#include <uv.h>

struct ingest;

struct ingest_ops {
    /* One record. The span is valid during the call only. */
    void (*record)(void *user, uint64_t pos, struct span record);
    /* After the records of one turn of the loop: everything before `mark` was delivered. */
    void (*turn_end)(void *user, const struct spool_mark *mark);
    /* Once: everything that was there at the start has been delivered. May be NULL. */
    void (*caught_up)(void *user);
};

struct ingest_stats {
    uint64_t records;   /* delivered */
    uint64_t torn;      /* unfinished records at the end of a sealed segment */
    uint64_t oversized; /* longer than SPOOL_RECORD_MAX, skipped */
    uint64_t sealed;    /* segments sealed by this process */
    uint64_t position;  /* next position to be read */
    int last_error;     /* negative errno of the newest failed read, 0 when reading works */
    bool partial;       /* bytes of an unfinished record are waiting */
    uint64_t room;      /* bytes that hooks can still write when the disk is full */
    int room_error;     /* negative errno: why there can not be more of it; 0 when there can */
};

/* Starts to follow `dir` (created when missing) behind `start`; the first delivery comes from the loop,
 * not from here. When no segment matches the mark (the spool was deleted) it begins with the oldest record
 * there is, at positions that continue behind the mark. */
int ingest_open(uv_loop_t *loop, const char *dir, const struct spool_mark *start,
                const struct ingest_ops *ops, void *user, struct ingest **ret, struct err *err);

/* Stops delivering; ends asynchronously with the loop. */
void ingest_close(struct ingest *in);

/* Back-pressure: while paused nothing is read (the bytes are safe in their files). */
void ingest_pause(struct ingest *in, bool paused);

/* Looks now instead of waiting for the file system's notice. */
void ingest_poke(struct ingest *in);

/* Nothing that was there at the last look is still to be delivered: the clock may speak now. */
bool ingest_caught_up(const struct ingest *in);

/* True when a sealed segment lies wholly before `committed`: then make the database durable and call
 * ingest_forget(). */
bool ingest_has_garbage(const struct ingest *in, uint64_t committed);

/* Everything before `durable` is on disk in the database: deletes sealed segments that end there or
 * before. */
void ingest_forget(struct ingest *in, uint64_t durable);

void ingest_stats(const struct ingest *in, struct ingest_stats *ret);
