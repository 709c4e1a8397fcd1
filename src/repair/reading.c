#include "repair/reading.h"

#include "platform/beneath.h"
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

int open_transcript(const struct place *p, int flags, struct stat *ret, struct scan_verdict *verdict,
                    struct err *err) {
    int fd = place_open_file(p, flags, ret);
    return fd < 0 ? cannot_open(p->path, fd, verdict, err) : fd;
}

int cannot_open(const char *path, int code, struct scan_verdict *verdict, struct err *err) {
    bool is_missing = code == -ENOENT || code == -ENOTDIR;
    *verdict = (struct scan_verdict){.status = is_missing ? TRANSCRIPT_MISSING : TRANSCRIPT_UNREADABLE};
    (void)err_set(err, code, is_missing ? "%s is not there: %s" : "%s cannot be read: %s", path,
                  beneath_why(code));
    return -1;
}

void start_transcript(struct transcript *t) {
    transcript_init(t, random_seed());
}
