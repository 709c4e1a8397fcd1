/* Sealing, finishing and deleting segments. Everything that decides about an end does so under the
 * exclusive lock. */
#define LOG_TAG "ingest"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/own.h"
#include "base/path.h"
#include "ingest/reader.h"
#include "spool/append.h"
#include "spool/record.h"
#include "spool/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

int rotate_seal(struct ingest *in, const struct stat *st) {
    struct source *s = &in->source;
    if ((uint64_t)st->st_size < in->limits.seal_bytes && !s->lost_tail && !room_is_short(in, st)) {
        room_is_enough(in);
        return 0;
    }
    /* On a full disk the active segment has the room that is left: the next one could not even be made. */
    if (!room_for_next(in) && !s->lost_tail) return 0;
    char name[SPOOL_SEALED_NAME_BYTES];
    int r = spool_seal(in->dir, s->fd, (uint64_t)clock_wall(&clock_system), name);
    if (r <= 0) return r;
    in->room.ready = false;
    (void)segment_number(name, &s->number);
    in->stats.sealed++;
    return 1;
}

/* Size of a file that nobody writes to; -EAGAIN while somebody does. Where the file system has no locks
 * the size is taken as it is. The lock stays. */
static int64_t quiet_size(int fd, struct stat *st) {
    if (flock(fd, LOCK_EX | LOCK_NB) < 0 && (errno == EWOULDBLOCK || errno == EINTR)) return -EAGAIN;
    return fstat(fd, st) < 0 ? -errno : st->st_size;
}

int rotate_finish(struct ingest *in) {
    struct source *s = &in->source;
    struct stat st;
    int64_t size = quiet_size(s->fd, &st);
    (void)flock(s->fd, LOCK_UN);
    if (size < 0) return (int)size;
    struct span rest = ingest_unread(in);
    if ((uint64_t)size > s->off + rest.n) return 0;

    if (rest.n && !in->skipping) in->stats.torn++;
    source_consume(s, rest);
    reader_advance(in);
    in->next_base = s->base + s->off;
    if (s->number)
        sealed_list_add(&in->done, &(struct sealed){.number = s->number,
                                                    .size = s->off,
                                                    .end = in->next_base,
                                                    .dev = st.st_dev,
                                                    .ino = st.st_ino});
    buf_clear(&in->buf);
    in->taken = 0;
    in->skipping = false;
    source_close(s);
    return 1;
}

/* A writer that could not get the lock for a second may have written behind the end that we took for
 * certain. Such records go through the spool once more instead of being deleted. */
static int rescue(const char *dir, int fd, uint64_t from, uint64_t size) {
    AUTO(buf) struct buf late = BUF_INIT((size_t)2 * SPOOL_RECORD_MAX);
    char *p = buf_reserve(&late, (size_t)(size - from));
    if (!p) return -EFBIG;
    ssize_t n = pread(fd, p, (size_t)(size - from), (off_t)from);
    if (n < 0) return -errno;
    buf_grew(&late, (size_t)n);
    struct span rest = buf_span(&late), record;
    for (size_t used; record_next(rest, &record, &used) == 1; rest = span_skip(rest, used)) {
        int r = spool_append(dir, &(struct iovec){(char *)record.p, record.n}, 1);
        if (r < 0) return r;
    }
    log_warn("records written behind the end of a sealed segment were put into the spool again");
    return 0;
}

/* Deletes one finished segment. 0, -EAGAIN when somebody has it locked, or -errno. */
static int forget_one(const char *dir, const struct sealed *s) {
    char path[PATH_BYTES], name[SPOOL_SEALED_NAME_BYTES];
    segment_name(name, s->number);
    int r = path_join(path, dir, name);
    if (r < 0) return r;
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    if (fd < 0) return fd == -ENOENT ? 0 : fd;
    struct stat st;
    int64_t size = quiet_size(fd, &st);
    if (size < 0) return (int)size;
    if (st.st_ino != s->ino || st.st_dev != s->dev) return -ESTALE;
    if ((uint64_t)size > s->size) {
        r = rescue(dir, fd, s->size, (uint64_t)size);
        if (r < 0) return r;
    }
    return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

bool ingest_has_garbage(const struct ingest *in, uint64_t committed) {
    return in->done.n && in->done.v[0].end <= committed;
}

void ingest_forget(struct ingest *in, uint64_t durable) {
    /* Strictly the oldest first: a segment without its successors must never be what a restart finds. */
    while (ingest_has_garbage(in, durable)) {
        int r = forget_one(in->dir, &in->done.v[0]);
        if (r == -EAGAIN) return;
        if (r < 0) {
            if (!in->forget_failed)
                log_warn("cannot delete a consumed segment in %s: %s", in->dir, strerror(-r));
            in->forget_failed = true;
            return;
        }
        in->forget_failed = false;
        sealed_list_remove_first(&in->done);
    }
}
