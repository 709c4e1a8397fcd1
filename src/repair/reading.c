#include "repair/reading.h"

#include "repair/copy.h"
#include "repair/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

enum { PROGRESS_BYTES = 8 << 20 };

/* Up to the end, or to where it wants to be read once more. */
static int read_on(struct scan *s, int fd, uint64_t size, const struct progress *progress, uint64_t total,
                   uint64_t *told) {
    while (scan_wants(s) < size) {
        size_t room;
        char *p = scan_room(s, &room);
        uint64_t at = scan_wants(s);
        ssize_t n = pread(fd, p, (size_t)MIN((uint64_t)room, size - at), (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -errno;
        if (n == 0) break; /* somebody has cut it */
        at += (uint64_t)n;
        int r = scan_grew(s, (size_t)n);
        if (r < 0) return r;
        if (at < *told + PROGRESS_BYTES) continue;
        *told = at;
        if (!progress_tell(progress, at, total)) return -ECANCELED;
    }
    return scan_end(s);
}

static int read_into(struct scan *s, int fd, uint64_t size, const struct progress *progress, uint64_t total) {
    uint64_t told = 0;
    int r;
    do
        r = read_on(s, fd, size, progress, total, &told);
    while (r > 0);
    return r;
}

/* The messages of an open file, as long as `st` says it is. */
int read_messages(int fd, const struct stat *st, struct transcript *t, const struct progress *progress,
                  uint64_t total) {
    struct scan s;
    scan_init(&s, t);
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    int r = read_into(&s, fd, (uint64_t)st->st_size, progress, total);
    scan_fini(&s);
    return r;
}

static uint64_t random_seed(void) {
    uint64_t seed;
    /* Without random bytes yet, where this program was loaded must do. */
    return getrandom(&seed, sizeof seed, GRND_NONBLOCK) == sizeof seed ? seed : (uintptr_t)random_seed;
}

static void say(struct scan_verdict *ret, enum transcript_status status, struct err *err, int code,
                const char *path) {
    *ret = (struct scan_verdict){.status = status};
    (void)err_sys(err, code, status == TRANSCRIPT_MISSING ? "%s is not there" : "%s cannot be read", path);
}

int open_regular(const char *path, int flags, struct stat *ret) {
    int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    /* Somebody has a lease on it and will be done in a moment. */
    if (fd < 0 && errno == EAGAIN && stat(path, ret) == 0 && S_ISREG(ret->st_mode))
        fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return -errno;
    if (fstat(fd, ret) == 0 && S_ISREG(ret->st_mode)) return fd;
    (void)close(fd);
    return S_ISDIR(ret->st_mode) ? -EISDIR : -EINVAL;
}

int open_transcript(const char *path, int flags, struct stat *ret, struct scan_verdict *verdict,
                    struct err *err) {
    int fd = open_regular(path, flags, ret);
    if (fd >= 0) return fd;
    bool is_there = stat(path, ret) == 0;
    say(verdict, is_there ? TRANSCRIPT_UNREADABLE : TRANSCRIPT_MISSING, err, fd, path);
    return -1;
}

void start_transcript(struct transcript *t) {
    transcript_init(t, random_seed());
}
