/* Inside ingest/: the reader's state, and what its parts share: ingest.c has the loop's handles, reader.c the
 * reading, rotate.c the ends of segments. */
#pragma once

#include "base/buf.h"
#include "ingest/files.h"
#include "ingest/ingest.h"
#include "ingest/room.h"

enum { READER_CHUNK_BYTES = 64 << 10 };

struct ingest_limits {
    uint64_t seal_bytes; /* SPOOL_SEAL_BYTES */
    size_t record_max;   /* SPOOL_RECORD_MAX */
    size_t turn_bytes;   /* read in one turn of the loop */
    uint64_t turn_ns;    /* spent in one turn of the loop */
    unsigned poll_ms;    /* safety net beside the file system's notices */
    uint64_t room_bytes; /* SPOOL_RESERVE_BYTES; 0: none */
};

extern const struct ingest_limits ingest_limits_default;

struct ingest {
    struct ingest_limits limits;
    const struct ingest_ops *ops;
    void *user;
    char *dir;

    uv_fs_event_t watch;
    uv_timer_t poll;
    uv_idle_t idle;        /* runs while there is more to read */
    unsigned handles_open; /* and work under way */
    bool watching, paused, closing;
    uint64_t watched_dev, watched_ino;

    bool located;           /* the start was looked for */
    struct spool_mark mark; /* everything before it was delivered */
    bool advanced;          /* the mark moved in this turn */
    bool caught_up;         /* the last turn found the end */
    bool ever_caught_up;    /* one did */
    uint64_t next_base;     /* position where the next segment begins */
    struct source source;
    struct buf buf; /* bytes read from the source and not yet consumed, behind the first `taken` */
    size_t taken;
    bool skipping;           /* in the middle of a record that is too long */
    struct sealed_list done; /* read to their ends, not yet deleted */
    struct room room;

    bool forget_failed; /* complained already */
    struct ingest_stats stats;
};

/* ingest_open() with other limits than the product's; tests use it. */
int ingest_open_within(uv_loop_t *loop, const char *dir, const struct spool_mark *start,
                       const struct ingest_limits *limits, const struct ingest_ops *ops, void *user,
                       struct ingest **ret, struct err *err);

static inline struct span ingest_unread(const struct ingest *in) {
    return span_skip(buf_span(&in->buf), in->taken);
}

/* What a turn asks for: another one, waiting for news, another look soon, another look once it may work
 * again. */
enum reader_next { READER_MORE, READER_WAIT, READER_SOON, READER_FAILED };

/* Reads and delivers one turn's share. */
enum reader_next reader_turn(struct ingest *in);

/* One of the handles is closed, or the work is done: with the last one it is gone. */
void ingest_release(struct ingest *in);

/* Moves the mark to where the source is consumed. */
void reader_advance(struct ingest *in);

/* Seals the active segment, which is read to its end, once it is large enough or has little room left. 1 when it did, 0 or -errno. */
int rotate_seal(struct ingest *in, const struct stat *st);

/* At the end of a segment that is not active any more: 1 when it is finished, put among the done ones and
 * closed; 0 when there is more to read; -EAGAIN while somebody still writes; -errno. */
int rotate_finish(struct ingest *in);
