#include "repair/rewrite.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "repair/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Agents open, append and close within a fraction of this. */
enum {
    WRITER_MS = 20,
    TAIL_ROUNDS = 3,
    TAIL_BYTES = 4 << 20,
    LEASE_MS = 200,
    LATE_MS = 1000,
    COMPARE_BYTES = 256 << 10
};

/* One file on its way to be another. */
struct swap {
    int fd, to;
    uint64_t at; /* of the old file, that much is in the new one */
    const struct piece *pieces;
    size_t n;
    int late; /* how it went with what came at the last moment */
};

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
    int flags = fcntl(to, F_GETFL), r = 0;
    if (flags < 0 || fcntl(to, F_SETFL, flags | O_APPEND) < 0) return -errno;
    for (int i = 0; i < TAIL_ROUNDS && r == 0; i++) {
        r = append_tail(fd, at, to, false);
        struct timespec t = {.tv_nsec = WRITER_MS * 1000000L};
        (void)nanosleep(&t, NULL);
    }
    return r < 0 ? r : append_tail(fd, at, to, true);
}

/* Whether `n` bytes are the same in both. */
static int compare(const struct swap *s, uint64_t old_at, uint64_t new_at, uint64_t n, char *buffer) {
    while (n) {
        size_t piece = (size_t)MIN(n, (uint64_t)COMPARE_BYTES);
        int r = read_at(s->fd, buffer, piece, old_at);
        if (r == 0) r = read_at(s->to, buffer + COMPARE_BYTES, piece, new_at);
        if (r < 0) return r;
        if (memcmp(buffer, buffer + COMPARE_BYTES, piece) != 0) return -ESTALE;
        old_at += piece;
        new_at += piece;
        n -= piece;
    }
    return 0;
}

static int compare_old(const struct swap *s, const struct piece *p, char *buffer) {
    for (uint64_t at = 0; at < p->len; at += COMPARE_BYTES) {
        size_t n = (size_t)MIN(p->len - at, (uint64_t)COMPARE_BYTES);
        int r = read_at(s->fd, buffer, n, p->at + at);
        if (r < 0) return r;
        if (memcmp(buffer, p->old.p + at, n) != 0) return -ESTALE;
    }
    return 0;
}

/* The new file is the old one but for the pieces, and there the old one is what it was: nobody has written it anew. */
static int verify(const struct swap *s) {
    AUTO(free) char *buffer = xmalloc((size_t)COMPARE_BYTES * 2);
    uint64_t old_at = 0, new_at = 0;
    int r = 0;
    for (size_t i = 0; i < s->n && r == 0; i++) {
        const struct piece *p = &s->pieces[i];
        r = compare(s, old_at, new_at, p->at - old_at, buffer);
        if (r == 0) r = compare_old(s, p, buffer);
        new_at += p->at - old_at + p->text.n;
        old_at = p->at + p->len;
    }
    return r < 0 ? r : compare(s, old_at, new_at, s->at - old_at, buffer);
}

static int exchange_names(const struct place *p, const char *beside) {
    return renameat2(p->dir, beside, p->dir, p->name, RENAME_EXCHANGE) < 0 ? -errno : 0;
}

/* Puts the new file in place of the old one, and of no other. The old one is then `beside`. */
static int exchange(const struct place *p, const char *beside, int fd) {
    int r = exchange_names(p, beside);
    if (r < 0 || place_check_same(p, beside, fd) == 0) return r;
    r = exchange_names(p, beside); /* somebody else has put his there: it goes back */
    return r < 0 ? r : -ESTALE;
}

/* Those who wanted to open the old file at that moment have it now. What they append goes to the new one before anybody else
 * does; when they wrote it anew, that is what counts. */
static int hear_late_writers(const struct place *p, const char *beside, struct swap *s) {
    int r = lease_take(s->fd, LATE_MS);
    if (r == 0) r = verify(s);
    if (r < 0) {
        int back = exchange_names(p, beside);
        return back < 0 ? back : r == -EAGAIN ? -EBUSY : r;
    }
    s->late = append_tail(s->fd, &s->at, s->to, true);
    return 0;
}

/* The step from one file to the other. With leases on both, nobody has the old one open, and nobody can open the new one
 * before it is complete. */
static int take_place(const struct place *p, const char *beside, struct swap *s) {
    int r = lease_take(s->to, 0);
    if (r == 0) r = lease_take(s->fd, LEASE_MS);
    if (r < 0) return r == -EAGAIN ? -EBUSY : r;
    r = copy_tail(s->fd, &s->at, s->to);
    if (r == 0) r = verify(s);
    if (r == 0) r = exchange(p, beside, s->fd);
    lease_give(s->fd);
    if (r == 0) r = hear_late_writers(p, beside, s);
    if (r == 0) (void)unlinkat(p->dir, beside, 0);
    lease_give(s->to);
    return r;
}

/* Where there are no leases, or two names cannot be exchanged. */
static int take_place_by_name(const struct place *p, const char *beside, struct swap *s) {
    int r = copy_tail(s->fd, &s->at, s->to);
    if (r == 0) r = verify(s);
    if (r == 0) r = place_check_same(p, p->name, s->fd);
    if (r == 0 && renameat(p->dir, beside, p->dir, p->name) < 0) r = -errno;
    if (r == 0) s->late = wait_for_writers(s->fd, &s->at, s->to);
    return r;
}

void rewrite_forget(const struct place *p) {
    char beside[PATH_BYTES];
    if (beside_name(p, "ostler-mend", beside) == 0) (void)unlinkat(p->dir, beside, 0);
}

int rewrite(const struct place *p, int fd, uint64_t size, const struct piece *pieces, size_t n,
            struct err *err) {
    struct stat st;
    char beside[PATH_BYTES];
    if (fstat(fd, &st) < 0) return err_sys(err, -errno, "%s cannot be looked at", p->path);
    AUTO(fd) int to = beside_create(p, "ostler-mend", &st, beside);
    if (to < 0) return err_sys(err, to, "%s cannot be written anew", p->path);
    struct swap s = {.fd = fd, .to = to, .at = size, .pieces = pieces, .n = n};
    int r = write_pieces(fd, size, pieces, n, to);
    if (r == 0) r = copy_tail(fd, &s.at, to);
    if (r == 0 && fsync(to) < 0) r = -errno;
    if (r == 0) r = take_place(p, beside, &s);
    if (r == -EINVAL || r == -ENOSYS || r == -EACCES) r = take_place_by_name(p, beside, &s);
    if (r < 0) {
        (void)unlinkat(p->dir, beside, 0);
        return err_sys(err, r, "%s could not be written anew and was left as it is", p->path);
    }
    (void)sync_directory(p);
    if (s.late == 0 && fsync(to) < 0) s.late = -errno;
    return s.late < 0 ? err_sys(err, s.late,
                                "%s was mended, but its newest lines may be missing; they are in its backup",
                                p->path)
                      : 0;
}
