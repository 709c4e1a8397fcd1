#include "repair/file.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "repair/chain.h"
#include "repair/claude.h"
#include "repair/rewrite.h"
#include "repair/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    PROGRESS_BYTES = 8 << 20,
    SECTOR_BYTES = 512, /* what a disk writes wholly or not at all */
};

/* Reading */

static int read_into(struct scan *s, int fd, uint64_t size, const struct progress *progress, uint64_t total) {
    uint64_t at = 0, told = 0;
    while (at < size) {
        size_t room;
        char *p = scan_room(s, &room);
        ssize_t n = pread(fd, p, (size_t)MIN((uint64_t)room, size - at), (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -errno;
        if (n == 0) break; /* somebody has cut it */
        at += (uint64_t)n;
        int r = scan_grew(s, (size_t)n);
        if (r < 0) return r;
        if (at - told < PROGRESS_BYTES) continue;
        told = at;
        if (!progress_tell(progress, at, total)) return -ECANCELED;
    }
    return scan_end(s);
}

/* The messages of an open file, as long as `st` says it is. */
static int read_messages(int fd, const struct stat *st, struct transcript *t, const struct progress *progress,
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

static void cleanup_transcript(struct transcript *t) {
    transcript_fini(t);
}

static void say(struct scan_verdict *ret, enum transcript_status status, struct err *err, int code,
                const char *path) {
    *ret = (struct scan_verdict){.status = status};
    (void)err_sys(err, code, status == TRANSCRIPT_MISSING ? "%s is not there" : "%s cannot be read", path);
}

/* A file that is no transcript we can look at is a verdict, not a failure. */
static int open_transcript(const char *path, int flags, struct stat *st, struct scan_verdict *verdict,
                           struct err *err) {
    /* A pipe must not make us wait. */
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        int code = -errno;
        bool is_there = stat(path, st) == 0;
        say(verdict, is_there ? TRANSCRIPT_UNREADABLE : TRANSCRIPT_MISSING, err, code, path);
        return -1;
    }
    if (fstat(fd, st) == 0 && S_ISREG(st->st_mode)) return fd;
    (void)close(fd);
    say(verdict, TRANSCRIPT_UNREADABLE, err, S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL, path);
    return -1;
}

/* A failed read: what is a verdict, and what is not. */
static int read_failed(int r, const char *path, struct scan_verdict *verdict, struct err *err) {
    if (r == -ECANCELED || r == -ENOMEM) return err_sys(err, r, "%s was not read to its end", path);
    say(verdict, TRANSCRIPT_UNREADABLE, err, r, path);
    return 0;
}

int transcript_scan(const char *path, const struct progress *progress, struct scan_verdict *ret,
                    struct err *err) {
    struct stat st;
    AUTO(fd) int fd = open_transcript(path, O_RDONLY, &st, ret, err);
    if (fd < 0) return 0;
    AUTO(transcript) struct transcript t;
    transcript_init(&t, random_seed());
    struct scan_verdict v;
    int r = read_messages(fd, &st, &t, progress, (uint64_t)st.st_size);
    if (r == 0) r = chain_judge(&t, &v);
    if (r < 0) return read_failed(r, path, ret, err);
    v.mark = claude_mark(&st);
    *ret = v;
    return 0;
}

/* Writing */

/* One repair under way. */
struct mending {
    const char *path;
    const struct mend_options *options;
    const struct progress *progress;
    int fd;
    struct stat st; /* when it was read */
    struct transcript t;
    struct plan plan;
    struct buf text;   /* the new values, one after the other */
    struct buf pieces; /* struct piece */
    bool in_place;
};

static const struct piece *piece_at(const struct mending *m, size_t i) {
    return (const struct piece *)(const void *)m->pieces.p + i;
}

static int by_message(const void *a, const void *b) {
    const struct edit *x = a, *y = b;
    return x->message < y->message ? -1 : x->message > y->message;
}

/* Whether a write that a crash tears in two leaves a valid line anyway. One that stays within a sector is not torn; two plain
 * strings of the same length are a string at any point between them. */
static bool survives_tearing(const struct piece *p, struct span old) {
    if (p->at / SECTOR_BYTES == (p->at + p->len - 1) / SECTOR_BYTES) return true;
    return p->text.n == p->len && p->text.p[0] == '"' && old.p[0] == '"' &&
           !memchr(p->text.p, '\\', p->text.n) && !memchr(old.p, '\\', old.n);
}

/* What stands there must still be the value that was read: a text of the same length that means the same. */
static int check_piece(struct mending *m, const struct piece *p, uint32_t was, struct buf *scratch) {
    buf_clear(scratch);
    char *old = buf_reserve(scratch, (size_t)p->len);
    if (!old) return -ENOMEM;
    int r = read_at(m->fd, old, (size_t)p->len, p->at);
    if (r < 0) return r;
    struct span text = span_of(old, (size_t)p->len);
    if (jscan_value(text) != text.n) return -ESTALE;
    uint32_t is;
    bool unique = ids_at(&m->t.ids, was)->kind == ID_UNIQUE;
    r = ids_intern(&m->t.ids, text, text.n > ID_VALUE_MAX, &is);
    if (r < 0) return r;
    if (is != was && !(unique && is != ID_FALSY && ids_at(&m->t.ids, is)->kind == ID_UNIQUE)) return -ESTALE;
    if (p->text.n > p->len || !survives_tearing(p, text)) m->in_place = false;
    return 0;
}

/* The plan as bytes, checked against what is in the file now. */
static int prepare(struct mending *m, const struct buf *were) {
    AUTO(buf) struct buf scratch = BUF_INIT(SIZE_MAX / 2);
    const uint32_t *was = (const uint32_t *)(const void *)were->p;
    m->in_place = true;
    for (size_t i = 0; i < plan_count(&m->plan); i++)
        if (ids_write(&m->t.ids, plan_at(&m->plan, i)->parent, &m->text) < 0 ||
            buf_append_char(&m->text, '\n') < 0)
            return -ENOMEM;
    struct span rest = buf_span(&m->text);
    for (size_t i = 0; i < plan_count(&m->plan); i++) {
        const struct edit *e = plan_at(&m->plan, i);
        const struct message *message = transcript_at(&m->t, e->message);
        struct piece p = {message->parent_at, message->parent_len, span_split(&rest, '\n')};
        int r = check_piece(m, &p, was[e->message], &scratch);
        if (r == 0 && buf_append(&m->pieces, &p, sizeof p) < 0) r = -ENOMEM;
        if (r < 0) return r;
    }
    return 0;
}

/* Over the old value, with blanks behind a shorter one. */
static int patch(struct mending *m) {
    AUTO(buf) struct buf value = BUF_INIT(SIZE_MAX / 2);
    for (size_t i = 0; i < plan_count(&m->plan); i++) {
        const struct piece *p = piece_at(m, i);
        buf_clear(&value);
        char *to = buf_reserve(&value, (size_t)p->len);
        if (!to) return -ENOMEM;
        memset(to, ' ', (size_t)p->len);
        memcpy(to, p->text.p, p->text.n);
        int r = write_at(m->fd, to, (size_t)p->len, p->at);
        if (r < 0) return r;
    }
    return fdatasync(m->fd) < 0 ? -errno : 0;
}

/* Sessions are listed by when they were last written to, and a repair is no reason to come first. One more millisecond tells
 * everybody who looks that the file is another one. */
static void keep_time(struct mending *m, struct file_mark *ret) {
    AUTO(fd) int again = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    *ret = (struct file_mark){0};
    if (again < 0 || fstat(again, &st) < 0) return;
    uint64_t expected = (uint64_t)m->st.st_size;
    for (size_t i = 0; !m->in_place && i < plan_count(&m->plan); i++)
        expected += piece_at(m, i)->text.n - piece_at(m, i)->len;
    if ((uint64_t)st.st_size == expected) {
        struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, m->st.st_mtim};
        times[1].tv_nsec += 1000000;
        if (times[1].tv_nsec >= 1000000000) {
            times[1].tv_sec++;
            times[1].tv_nsec -= 1000000000;
        }
        if (futimens(again, times) == 0) (void)fstat(again, &st);
    }
    *ret = claude_mark(&st);
    ret->size = expected;
}

static int mend_file(struct mending *m, const struct buf *were, struct mend_verdict *v, struct err *err) {
    uint64_t size = (uint64_t)m->st.st_size;
    qsort(m->plan.edits.p, plan_count(&m->plan), sizeof(struct edit), by_message);
    if (!m->options->dry_run) {
        int r = backup_make(m->path, m->fd, size, m->options->now_ms, m->progress, size, size * 2, v->backup,
                            err);
        if (r < 0) return r;
    }
    int r = prepare(m, were);
    if (r < 0 || m->options->dry_run) {
        /* What changed under our hands is mended when it has come to rest; the copy is worth nothing. */
        if (v->backup[0]) (void)unlink(v->backup);
        v->backup[0] = '\0';
        if (r < 0) return err_sys(err, r, "%s has changed while it was looked at; try again", m->path);
        return 0;
    }
    if (!m->in_place) {
        /* A link stays one: what it leads to is exchanged. */
        char real[PATH_MAX];
        if (!realpath(m->path, real) || strlen(real) >= PATH_BYTES)
            return err_sys(err, -errno, "%s cannot be written anew", m->path);
        return rewrite(real, m->fd, size, piece_at(m, 0), plan_count(&m->plan), err);
    }
    r = patch(m);
    return r < 0 ? err_sys(err, r, "%s was mended in part; its backup is %s", m->path, v->backup) : 0;
}

/* The parents as they were before chain_mend(), by message. */
static int remember_parents(const struct transcript *t, struct buf *ret) {
    uint32_t n = transcript_count(t);
    uint32_t *to = (uint32_t *)(void *)buf_reserve(ret, n * sizeof *to);
    if (n && !to) return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        to[i] = transcript_at(t, i)->parent;
    buf_grew(ret, n * sizeof *to);
    return 0;
}

static int look_and_mend(struct mending *m, struct mend_verdict *v, struct err *err) {
    uint64_t size = (uint64_t)m->st.st_size;
    int r = read_messages(m->fd, &m->st, &m->t, m->progress, size);
    if (r == 0) r = chain_judge(&m->t, &v->before);
    if (r < 0) return err_sys(err, r, "%s cannot be read", m->path);
    v->before.mark = claude_mark(&m->st);
    v->after = v->before;
    v->depth = v->before.depth;
    if (v->before.status == TRANSCRIPT_HEALTHY && !(v->before.stop_hook_inline && m->options->stop_hook))
        return 0;

    AUTO(buf) struct buf were = BUF_INIT(SIZE_MAX / 2);
    r = remember_parents(&m->t, &were);
    if (r == 0) r = chain_mend(&m->t, m->options->stop_hook, &m->plan);
    if (r == 0) r = chain_judge(&m->t, &v->after);
    if (r < 0) return err_sys(err, r, "%s cannot be mended", m->path);
    v->after.mark = v->before.mark;
    if (plan_count(&m->plan) == 0) return 0;
    r = mend_file(m, &were, v, err);
    if (r < 0) return r;
    v->status = MEND_REPAIRED;
    v->orphans_fixed = m->plan.orphans;
    v->cycles_fixed = m->plan.cycles;
    v->stop_hooks_fixed = m->plan.stop_hooks;
    v->depth = v->after.depth;
    if (!m->options->dry_run) keep_time(m, &v->after.mark);
    return 0;
}

/* Opens it for one mender at a time. Who had to wait may find that the name stands for another file by now. */
static int open_locked(const char *path, struct stat *st, struct scan_verdict *verdict, struct err *err) {
    for (;;) {
        int fd = open_transcript(path, O_RDWR, st, verdict, err);
        if (fd < 0) return fd;
        while (flock(fd, LOCK_EX) < 0 && errno == EINTR) {}
        struct stat now;
        if (stat(path, &now) == 0 && now.st_dev == st->st_dev && now.st_ino == st->st_ino &&
            fstat(fd, st) == 0)
            return fd;
        (void)close(fd);
    }
}

int transcript_mend(const char *path, const struct mend_options *options, const struct progress *progress,
                    struct mend_verdict *ret, struct err *err) {
    struct mend_verdict v = {.status = MEND_ALREADY_HEALTHY};
    struct mending m = {.path = path,
                        .options = options,
                        .progress = progress,
                        .plan = PLAN_INIT,
                        .text = BUF_INIT(SIZE_MAX / 2),
                        .pieces = BUF_INIT(SIZE_MAX / 2)};
    AUTO(fd) int fd = open_locked(path, &m.st, &v.before, err);
    if (fd < 0) {
        /* It may be one that we may read but not write: healthy ones need no more. */
        int r = transcript_scan(path, progress, &v.before, NULL);
        if (r < 0) return r;
        v.after = v.before;
        v.depth = v.before.depth;
        if (v.before.status != TRANSCRIPT_HEALTHY) v.status = MEND_FAILED;
        *ret = v;
        return 0;
    }
    m.fd = fd;
    transcript_init(&m.t, random_seed());
    int r = look_and_mend(&m, &v, err);
    transcript_fini(&m.t);
    cleanup_plan(&m.plan);
    buf_fini(&m.text);
    buf_fini(&m.pieces);
    if (r == -ECANCELED || r == -ENOMEM) return r;
    if (r < 0) v.status = MEND_FAILED;
    *ret = v;
    return 0;
}
