/*
 * A writer takes the shared lock, makes sure that it holds the segment that is active now, and writes once.
 * The reader's side of the bargain: it takes the exclusive lock for moments only, renames a segment before it
 * considers it finished, and finishes and unlinks it only under that lock after looking at the size again.
 *
 * That is also why a writer that cannot get the lock for a whole second (a stopped process sits on it, or the
 * file system has no locks) may write without: as long as the path names its file the segment has not been
 * renamed, the reader will look at its end again after renaming it, and what arrives even later is found by
 * the look at the size that precedes the unlink. Losing the event for certain would be worse.
 */
#include "spool/append.h"

#include "base/cleanup.h"
#include "base/own.h"
#include "base/path.h"
#include "spool/reserve.h"
#include "spool/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    OPEN_TRIES = 100,       /* each lost one means that a segment was sealed in the same microseconds */
    LOCK_NAP_US = 100,      /* doubled each time … */
    LOCK_NAP_MAX_US = 8000, /* … up to this */
    LOCK_WAIT_US = 1000000,
};

static uint64_t wall_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Takes the shared lock, or gives up quietly once `*wait_us` is used up. */
static void lock_shared(int fd, long *wait_us) {
    long nap_us = LOCK_NAP_US;
    while (flock(fd, LOCK_SH | LOCK_NB) < 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK || *wait_us <= 0) return;
        (void)nanosleep(&(struct timespec){.tv_nsec = nap_us * 1000}, NULL);
        *wait_us -= nap_us;
        nap_us = MIN(nap_us * 2, LOCK_NAP_MAX_US);
    }
}

/* The directory, made where it is missing; a descriptor or -errno. */
static int open_dir(const char *path) {
    int dir = own_dir(path);
    if (dir != -ENOENT) return dir;
    int r = path_make_dirs(path);
    return r < 0 ? r : own_dir(path);
}

/* Something that we would never write to has the place of the active segment. The directory is ours, so it can be moved out of the
 * way, whatever it is; it is not opened. */
static int set_aside(int dir) {
    char name[64];
    (void)snprintf(name, sizeof name, SPOOL_SET_ASIDE "%llu", (unsigned long long)wall_us());
    return renameat(dir, SPOOL_ACTIVE, dir, name) < 0 && errno != ENOENT ? -errno : 0;
}

/* The active segment, locked; a descriptor or -errno. */
static int open_active(int dir) {
    long wait_us = LOCK_WAIT_US;
    bool cleared = false;
    for (int i = 0; i < OPEN_TRIES; i++) {
        AUTO(fd) int fd = own_open_at(dir, SPOOL_ACTIVE, O_WRONLY | O_APPEND | O_CREAT, 0600);
        if (fd < 0) {
            if (cleared || !own_refusal(fd) || set_aside(dir) < 0) return fd;
            cleared = true;
            continue;
        }
        lock_shared(fd, &wait_us);
        int r = survey_names(dir, SPOOL_ACTIVE, fd);
        if (r < 0) return r;
        if (r) return TAKE_FD(fd);
    }
    return -EBUSY;
}

/* One record into the active segment. Returns the descriptor, still locked, or -errno. */
static int append_one(int dir, const struct iovec *parts, int count) {
    struct iovec v[SPOOL_PARTS_MAX + 2];
    char newline[] = "\n";
    assert(count > 0 && count <= SPOOL_PARTS_MAX);
    size_t total = 2;
    v[0] = v[count + 1] = (struct iovec){newline, 1};
    for (int i = 0; i < count; i++) {
        v[i + 1] = parts[i];
        total += parts[i].iov_len;
    }
    AUTO(fd) int fd = open_active(dir);
    if (fd < 0) return fd;
    ssize_t n = writev(fd, v, count + 2);
    if (n < 0) return -errno;
    /* The rest is not sent after it: another writer may have come between. The next record's leading
     * newline ends the torn one. */
    if ((size_t)n != total) return -ENOSPC;
    return TAKE_FD(fd);
}

int spool_check(const char *path) {
    AUTO(fd) int dir = own_dir(path);
    if (dir < 0) return dir == -ENOENT ? 0 : dir;
    AUTO(fd) int fd = own_open_at(dir, SPOOL_ACTIVE, O_WRONLY | O_APPEND, 0);
    if (fd < 0) return fd == -ENOENT || own_refusal(fd) ? 0 : fd; /* a writer makes it, or moves that aside */
    return write(fd, "", 0) < 0 ? -errno : 0;
}

struct totals {
    uint64_t bytes;
    uint64_t newest;
    uint64_t oldest; /* 0 when there is none */
    uint64_t oldest_bytes;
};

static void add_segment(void *user, const struct survey_segment *s) {
    struct totals *t = user;
    t->bytes += s->size;
    t->newest = MAX(t->newest, s->number);
    if (t->oldest && t->oldest < s->number) return;
    t->oldest = s->number;
    t->oldest_bytes = s->size;
}

static int seal_locked(int dir, int fd, uint64_t now_us, char ret_name[SPOOL_SEALED_NAME_BYTES]) {
    char name[SPOOL_SEALED_NAME_BYTES];
    int r = survey_names(dir, SPOOL_ACTIVE, fd);
    if (r <= 0) return r;
    /* Nobody else can seal between here and the rename: that takes the lock of the file which is active. */
    struct totals t = {0};
    r = survey_sealed(dir, add_segment, &t);
    if (r < 0) return r;
    segment_name(name, segment_next_number(t.newest, now_us));
    if (renameat(dir, SPOOL_ACTIVE, dir, name) < 0) return -errno;
    reserve_use(dir);
    memcpy(ret_name, name, sizeof name);
    return 1;
}

static int seal(int dir, int fd, uint64_t now_us, char ret_name[SPOOL_SEALED_NAME_BYTES]) {
    if (flock(fd, LOCK_EX | LOCK_NB) < 0) return errno == EWOULDBLOCK || errno == EINTR ? 0 : -errno;
    int r = seal_locked(dir, fd, now_us, ret_name);
    (void)flock(fd, LOCK_UN);
    return r;
}

int spool_seal(const char *path, int fd, uint64_t now_us, char ret_name[SPOOL_SEALED_NAME_BYTES]) {
    AUTO(fd) int dir = own_dir(path);
    return dir < 0 ? dir : seal(dir, fd, now_us, ret_name);
}

/* Leaves a record about what was dropped, so that the loss is counted when a daemon comes back. */
static void append_loss(int dir, uint64_t segments, uint64_t bytes) {
    char text[256];
    uint64_t now_us = wall_us();
    int n = snprintf(
        text, sizeof text,
        "{\"ostler\":{\"v\":1,\"via\":\"spool\",\"hook_sent_at\":%llu.%03u,\"dropped_segments\":%llu,"
        "\"dropped_bytes\":%llu},\"payload\":{}}",
        (unsigned long long)(now_us / 1000), (unsigned)(now_us % 1000), (unsigned long long)segments,
        (unsigned long long)bytes);
    AUTO(fd) int fd = append_one(dir, &(struct iovec){text, (size_t)n}, 1);
    (void)fd;
}

/* Removes the oldest segments while all of them together are too large. */
static void keep_cap(int dir, uint64_t cap_bytes) {
    uint64_t segments = 0, bytes = 0;
    for (;;) {
        struct totals t = {0};
        if (survey_sealed(dir, add_segment, &t) < 0 || t.bytes <= cap_bytes || !t.oldest) break;
        char name[SPOOL_SEALED_NAME_BYTES];
        segment_name(name, t.oldest);
        if (unlinkat(dir, name, 0) == 0) {
            segments++;
            bytes += t.oldest_bytes;
        } else if (errno != ENOENT) {
            break;
        }
    }
    if (segments) append_loss(dir, segments, bytes);
}

int spool_append_within(const char *path, const struct iovec *parts, int count,
                        const struct spool_limits *limits) {
    AUTO(fd) int dir = open_dir(path);
    if (dir < 0) return dir;
    AUTO(fd) int fd = append_one(dir, parts, count);
    if (fd < 0) return fd;
    /* The record is safe. What follows is housekeeping for the day without a daemon, and may fail. */
    struct stat st;
    char name[SPOOL_SEALED_NAME_BYTES];
    if (fstat(fd, &st) < 0 || (uint64_t)st.st_size <= limits->seal_alone_bytes) return 0;
    if (seal(dir, fd, wall_us(), name) == 1) keep_cap(dir, limits->cap_bytes);
    return 0;
}

int spool_append(const char *dir, const struct iovec *parts, int count) {
    static const struct spool_limits limits = {SPOOL_SEAL_ALONE_BYTES, SPOOL_CAP_BYTES};
    return spool_append_within(dir, parts, count, &limits);
}
