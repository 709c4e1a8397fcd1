#include "repair/rewrite.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Agents open, append and close within a fraction of this. */
enum { WRITER_MS = 20, TAIL_ROUNDS = 3, TAIL_BYTES = 4 << 20 };

static int copy_part(int from, uint64_t at, uint64_t n, int to) {
    return copy_bytes(from, at, n, to, NULL, 0, 0);
}

static int write_text(int to, struct span text) {
    off_t end = lseek(to, 0, SEEK_END);
    if (end < 0) return -errno;
    int r = write_at(to, text.p, text.n, (uint64_t)end);
    return r < 0 ? r : lseek(to, 0, SEEK_END) < 0 ? -errno : 0;
}

static int write_pieces(int fd, uint64_t size, const struct piece *pieces, size_t n, int to) {
    uint64_t at = 0;
    int r = 0;
    for (size_t i = 0; i < n && r == 0; i++) {
        r = copy_part(fd, at, pieces[i].at - at, to);
        if (r == 0) r = write_text(to, pieces[i].text);
        at = pieces[i].at + pieces[i].len;
    }
    return r < 0 ? r : copy_part(fd, at, size - at, to);
}

/* What was appended to `fd` behind `*at`. */
static int copy_tail(int fd, uint64_t *at, int to) {
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    if ((uint64_t)st.st_size <= *at) return 0;
    int r = copy_part(fd, *at, (uint64_t)st.st_size - *at, to);
    if (r == 0) *at = (uint64_t)st.st_size;
    return r;
}

static int check_same(const char *path, int fd) {
    struct stat now, opened;
    if (stat(path, &now) < 0 || fstat(fd, &opened) < 0) return -errno;
    return now.st_dev == opened.st_dev && now.st_ino == opened.st_ino ? 0 : -ESTALE;
}

/* Appends what the old file got since, in whole lines: somebody may be appending to the new one by now, and lines must not
 * be torn apart. `all`: what is left without an end, too. */
static int append_tail(int fd, uint64_t *at, int to, bool all) {
    AUTO(buf) struct buf tail = BUF_INIT(TAIL_BYTES);
    for (;;) {
        char *p = buf_reserve(&tail, TAIL_BYTES);
        if (!p) return -ENOMEM;
        ssize_t n = pread(fd, p, TAIL_BYTES, (off_t)*at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? -errno : 0;
        const char *last = memrchr(p, '\n', (size_t)n);
        size_t lines = last ? (size_t)(last - p) + 1 : 0;
        if (lines == 0 && !all && n < TAIL_BYTES) return 0;
        if (lines == 0) lines = (size_t)n;
        if (write(to, p, lines) != (ssize_t)lines) return errno ? -errno : -EIO;
        *at += lines;
    }
}

/* Writers that had the old file open at the moment of the renaming: what they still say goes to the new one. */
static int wait_for_writers(int fd, uint64_t *at, int to) {
    int flags = fcntl(to, F_GETFL);
    if (flags < 0 || fcntl(to, F_SETFL, flags | O_APPEND) < 0) return -errno;
    int r = 0;
    for (int i = 0; i < TAIL_ROUNDS && r == 0; i++) {
        r = append_tail(fd, at, to, false);
        struct timespec t = {.tv_nsec = WRITER_MS * 1000000L};
        (void)nanosleep(&t, NULL);
    }
    return r < 0 ? r : append_tail(fd, at, to, true);
}

int rewrite(const char *path, int fd, uint64_t size, const struct piece *pieces, size_t n, struct err *err) {
    struct stat st;
    char beside[PATH_BYTES];
    if (fstat(fd, &st) < 0) return err_sys(err, -errno, "%s cannot be looked at", path);
    AUTO(fd) int to = beside_create(path, "ostler-mend", &st, beside);
    if (to < 0) return err_sys(err, to, "%s cannot be written anew", path);
    uint64_t at = size;
    int r = write_pieces(fd, size, pieces, n, to);
    if (r == 0) r = copy_tail(fd, &at, to);
    if (r == 0 && fsync(to) < 0) r = -errno;
    if (r == 0) r = copy_tail(fd, &at, to);
    if (r == 0) r = check_same(path, fd);
    if (r == 0 && rename(beside, path) < 0) r = -errno;
    if (r < 0) {
        (void)unlink(beside);
        return err_sys(err, r, "%s could not be written anew and was left as it is", path);
    }
    (void)sync_directory(path);
    r = wait_for_writers(fd, &at, to);
    if (r == 0 && fsync(to) < 0) r = -errno;
    return r < 0 ? err_sys(err, r,
                           "%s was mended, but its newest lines may be missing; they are in its backup", path)
                 : 0;
}
