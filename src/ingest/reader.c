/*
 * The reader is a little machine that makes one step at a time: find the start, open the next segment,
 * deliver what is in the buffer, read more, decide at an end. A turn of the loop makes steps until there is
 * nothing left or its share of the loop is used up.
 */
#define LOG_TAG "ingest"

#include "ingest/reader.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "spool/record.h"

#include <errno.h>
#include <sys/stat.h>

enum { BUFFER_KEEP_BYTES = 1 << 20 }; /* a larger buffer is given back once it is empty */

const struct ingest_limits ingest_limits_default = {
    .seal_bytes = SPOOL_SEAL_BYTES,
    .record_max = SPOOL_RECORD_MAX,
    .turn_bytes = 256 << 10,
    .turn_ns = 3000000,
    .poll_ms = 2000,
    .room_bytes = SPOOL_RESERVE_BYTES,
};

struct turn {
    uint64_t until_ns;
    size_t bytes;
};

static enum reader_next failed(struct ingest *in, int r) {
    if (in->stats.last_error == 0) log_warn("cannot read the spool %s: %s", in->dir, strerror(-r));
    in->stats.last_error = r;
    return READER_FAILED;
}

static bool turn_over(const struct ingest *in, const struct turn *t) {
    return in->closing || in->paused || t->bytes >= in->limits.turn_bytes || uv_hrtime() >= t->until_ns;
}

void reader_advance(struct ingest *in) {
    in->advanced = true;
    /* With nothing consumed there is no fingerprint: the mark before names the same position. */
    if (in->source.off) in->mark = source_mark(&in->source);
}

/* Marks `n` bytes of the buffer as consumed. */
static void take(struct ingest *in, size_t n) {
    source_consume(&in->source, span_take(ingest_unread(in), n));
    in->taken += n;
}

/* Skips the rest of a record that is too long; true when its end was found. */
static bool skip(struct ingest *in) {
    struct span rest = ingest_unread(in);
    const char *end = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
    take(in, end ? (size_t)(end - rest.p) + 1 : rest.n);
    in->skipping = !end;
    return end != NULL;
}

static void deliver_one(struct ingest *in, struct span record, size_t used) {
    uint64_t pos = in->source.base + in->source.off + used - record.n - 1;
    if (record.n > in->limits.record_max) {
        in->stats.oversized++;
    } else {
        in->stats.records++;
        in->ops->record(in->user, pos, record);
    }
}

/* Delivers the records in the buffer, at least one of them. True when it consumed any. */
static bool deliver(struct ingest *in, const struct turn *t) {
    bool any = in->skipping && skip(in);
    while (!in->skipping) {
        struct span record;
        size_t used;
        if (record_next(ingest_unread(in), &record, &used) == 0) {
            take(in, used);
            break;
        }
        deliver_one(in, record, used);
        take(in, used);
        any = true;
        if (turn_over(in, t)) break;
    }
    if (any) reader_advance(in);
    return any;
}

static void drop_taken(struct ingest *in) {
    buf_consume(&in->buf, in->taken);
    in->taken = 0;
    if (in->buf.n == 0 && in->buf.room > BUFFER_KEEP_BYTES) buf_fini(&in->buf);
}

/* Reads more of the source: bytes read, 0 at its end, or -errno. */
static ssize_t fill(struct ingest *in) {
    drop_taken(in);
    if (in->buf.n > in->limits.record_max) {
        in->stats.oversized++;
        in->skipping = true;
        take(in, in->buf.n);
        drop_taken(in);
    }
    /* A long record is read in growing pieces, so that looking for its end again each time stays cheap. */
    size_t room = in->limits.record_max + READER_CHUNK_BYTES - in->buf.n;
    size_t want = MIN(MAX(in->buf.n, READER_CHUNK_BYTES), room);
    char *p = buf_reserve(&in->buf, want);
    if (!p) return -ENOMEM;
    ssize_t n = pread(in->source.fd, p, want, (off_t)(in->source.off + in->buf.n));
    if (n < 0) return -errno;
    buf_grew(&in->buf, (size_t)n);
    return n;
}

/* Follows a file that somebody shortened, against all custom: on at its end, at positions that never go
 * back. */
static void follow_shortened(struct ingest *in, uint64_t size) {
    struct source *s = &in->source;
    log_warn("a segment of the spool was shortened from outside");
    buf_clear(&in->buf);
    in->taken = 0;
    in->skipping = false;
    s->base += s->off - MIN(size, s->off);
    s->off = MIN(size, s->off);
    s->lost_tail = true;
    reader_advance(in);
}

static enum reader_next at_active_end(struct ingest *in) {
    struct stat st;
    if (fstat(in->source.fd, &st) < 0) return failed(in, -errno);
    uint64_t size = (uint64_t)st.st_size, known = in->source.off + ingest_unread(in).n;
    if (size > known) return READER_MORE;
    if (size < known) follow_shortened(in, size);
    if (ingest_unread(in).n || in->skipping) return READER_WAIT;
    int r = rotate_seal(in, &st);
    if (r < 0) return failed(in, r);
    return r ? READER_MORE : READER_WAIT;
}

/* Everything that the file had is consumed, but for a record without an end. */
static enum reader_next at_end(struct ingest *in) {
    struct source *s = &in->source;
    if (s->number == 0 && !s->unnamed) {
        int r = files_check_active(in->dir, s);
        if (r < 0) return failed(in, r);
        /* Once more around when it was renamed: its last bytes may have come just before that. */
        return r ? at_active_end(in) : READER_MORE;
    }
    int r = rotate_finish(in);
    if (r == -EAGAIN) return READER_SOON;
    return r < 0 ? failed(in, r) : READER_MORE;
}

/* In a directory that is gone there is nothing to be found: open_next() deals with that. */
static enum reader_next locate(struct ingest *in) {
    int r = files_locate(in->dir, &in->mark, &in->source, &in->done);
    if (r < 0 && r != -ENOENT) return failed(in, r);
    in->located = true;
    if (r == 1 && in->source.lost_tail) {
        log_warn("the end of a segment that was read is missing; going on behind it");
        reader_advance(in);
    }
    return READER_MORE;
}

static enum reader_next open_next(struct ingest *in) {
    int r = files_open_next(in->dir, &in->done, in->next_base, &in->source);
    if (r == -ENOENT) {
        /* Somebody deleted the directory. Looking again soon watches the new one. */
        r = path_make_dirs(in->dir);
        return r < 0 ? failed(in, r) : READER_SOON;
    }
    if (r < 0) return failed(in, r);
    if (r == 0) room_begin(in);
    return r ? READER_MORE : READER_WAIT;
}

static enum reader_next step(struct ingest *in, struct turn *t) {
    if (!in->located) return locate(in);
    if (in->source.fd < 0) return open_next(in);
    if (deliver(in, t)) return READER_MORE;
    ssize_t n = fill(in);
    if (n < 0) return failed(in, (int)n);
    t->bytes += (size_t)n;
    return n > 0 ? READER_MORE : at_end(in);
}

enum reader_next reader_turn(struct ingest *in) {
    struct turn t = {.until_ns = uv_hrtime() + in->limits.turn_ns};
    enum reader_next next;
    do
        next = step(in, &t);
    while (next == READER_MORE && !turn_over(in, &t));
    if (next != READER_FAILED && in->stats.last_error != 0) {
        log_info("the spool can be read again");
        in->stats.last_error = 0;
    }
    return next;
}
