#include "base/cleanup.h"
#include "base/jscan.h"
#include "repair/ahead.h"
#include "repair/chain.h"
#include "repair/claude.h"
#include "repair/lease.h"
#include "repair/reading.h"
#include "repair/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum {
    SECTOR_BYTES = 512,  /* what a disk writes wholly or not at all */
    LEASE_PIECES = 1000, /* that are patched while others wait */
    LEASE_MS = 20,
    OPEN_TRIES = 1000, /* while others put new files in its place */
};

/* One repair under way. */
struct mending {
    const struct place *place;
    const struct mend_options *options;
    const struct progress *progress;
    int fd;
    struct stat st; /* when it was read */
    struct transcript t;
    struct plan plan;
    struct buf were;   /* uint32_t: the parents as they were, by message */
    struct buf text;   /* the new values, one after the other */
    struct buf pieces; /* struct piece */
    struct arena olds; /* the old values */
    struct ahead ahead;
    bool looked_broken; /* when progress was told last */
    bool in_place;
};

static size_t piece_count(const struct mending *m) {
    return m->pieces.n / sizeof(struct piece);
}

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
static int check_piece(struct mending *m, const struct piece *p, size_t i, struct buf *scratch) {
    uint32_t was = ((const uint32_t *)(const void *)m->were.p)[plan_at(&m->plan, i)->message];
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

static int add_piece(struct mending *m, const struct piece *p) {
    return buf_append(&m->pieces, p, sizeof *p) < 0 ? -ENOMEM : 0;
}

/* Ends lines up to here; `*next` is the first that was not done. */
static int add_cuts(struct mending *m, uint64_t up_to, size_t *next) {
    int r = 0;
    for (; r == 0 && *next < plan_cut_count(&m->plan) && plan_cut_at(&m->plan, *next) < up_to; ++*next) {
        struct piece p = {.at = plan_cut_at(&m->plan, *next), .text = SPAN("\n"), .old = SPAN("")};
        r = add_piece(m, &p);
    }
    return r;
}

/* The plan as bytes, checked against what is in the file now. */
static int prepare(struct mending *m) {
    AUTO(buf) struct buf scratch = BUF_INIT(SIZE_MAX / 2);
    size_t next_cut = 0;
    m->in_place = plan_cut_count(&m->plan) == 0;
    for (size_t i = 0; i < plan_count(&m->plan); i++)
        if (ids_write(&m->t.ids, plan_at(&m->plan, i)->parent, &m->text) < 0 ||
            buf_append_char(&m->text, '\n') < 0)
            return -ENOMEM;
    struct span rest = buf_span(&m->text);
    for (size_t i = 0; i < plan_count(&m->plan); i++) {
        const struct message *message = transcript_at(&m->t, plan_at(&m->plan, i)->message);
        struct piece p = {
            .at = message->parent_at, .len = message->parent_len, .text = span_split(&rest, '\n')};
        int r = check_piece(m, &p, i, &scratch);
        if (r == 0) p.old = arena_dup(&m->olds, span_of(scratch.p, (size_t)p.len));
        if (r == 0 && !p.old.p) r = -ENOMEM;
        if (r == 0) r = add_cuts(m, p.at, &next_cut);
        if (r == 0) r = add_piece(m, &p);
        if (r < 0) return r;
    }
    return add_cuts(m, UINT64_MAX, &next_cut);
}

/* Over the old value, with blanks behind a shorter one, if it is still the old value. */
static int patch_piece(const struct mending *m, const struct piece *p, struct buf *scratch) {
    buf_clear(scratch);
    char *value = buf_reserve(scratch, (size_t)p->len);
    if (!value) return -ENOMEM;
    int r = read_at(m->fd, value, (size_t)p->len, p->at);
    if (r < 0) return r;
    if (memcmp(value, p->old.p, (size_t)p->len) != 0) return -ESTALE;
    memset(value, ' ', (size_t)p->len);
    memcpy(value, p->text.p, p->text.n);
    return write_at(m->fd, value, (size_t)p->len, p->at);
}

/* How many were done before it failed is left in `ret_done`. */
static int patch(struct mending *m, size_t *ret_done) {
    AUTO(buf) struct buf scratch = BUF_INIT(SIZE_MAX / 2);
    int r = 0;
    size_t i = 0;
    while (i < piece_count(m) && r == 0) {
        /* Nobody cuts the file between the look at a value and the writing. One that somebody keeps open is only ever
         * appended to. */
        bool alone = lease_take(m->fd, LEASE_MS) == 0;
        size_t until = MIN(i + LEASE_PIECES, piece_count(m));
        for (; i < until && r == 0; i += r == 0)
            r = patch_piece(m, piece_at(m, i), &scratch);
        if (alone) lease_give(m->fd);
    }
    *ret_done = i;
    if (i && fdatasync(m->fd) < 0 && r == 0) r = -errno;
    return r;
}

/* Sessions are listed by when they were last written to, and a repair is no reason to come first. One more millisecond tells
 * everybody who looks that the file is another one. */
static void keep_time(struct mending *m, struct file_mark *ret) {
    struct stat st;
    *ret = (struct file_mark){0};
    AUTO(fd) int again = place_open_file(m->place, O_RDONLY, &st);
    if (again < 0) return;
    uint64_t expected = (uint64_t)m->st.st_size;
    for (size_t i = 0; !m->in_place && i < piece_count(m); i++)
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

/* Checked again just before the first byte: somebody may have given the file a second name meanwhile. */
static int may_write(const struct mending *m, struct err *err) {
    int r = place_may_write(m->place, m->fd);
    if (r == 0) r = place_check_same(m->place, m->place->name, m->fd);
    if (r == -EMLINK) return err_set(err, r, MANY_NAMES, m->place->path);
    if (r == -EPERM)
        return err_set(err, r, "%s lies in another user's directory: it was left as it is", m->place->path);
    return r;
}

static void forget_backup(const struct mending *m, char backup[PATH_BYTES]) {
    const char *slash = strrchr(backup, '/');
    if (slash) (void)unlinkat(m->place->dir, slash + 1, 0);
    backup[0] = '\0';
}

/* What changes under our hands is mended when it has come to rest; a copy from which nothing was changed is worth nothing. */
static int give_up(const struct mending *m, int r, size_t done, char backup[PATH_BYTES], struct err *err) {
    if (done)
        return err_sys(err, r, "%s was mended in part only; what it was is in %s", m->place->path, backup);
    forget_backup(m, backup);
    if (r == -EMLINK || r == -EPERM) return r; /* said already */
    if (r == -ESTALE || r == -ENODATA)
        return err_set(err, r, "%s has changed while it was looked at; try again.", m->place->path);
    return err_sys(err, r, "%s could not be mended and was left as it is", m->place->path);
}

static int mend_file(struct mending *m, char backup[PATH_BYTES], struct err *err) {
    uint64_t size = (uint64_t)m->st.st_size;
    int allowed = may_write(m, err);
    if (allowed < 0) return give_up(m, allowed, 0, backup, err);
    if (plan_count(&m->plan)) qsort(m->plan.edits.p, plan_count(&m->plan), sizeof(struct edit), by_message);
    int r = 0;
    if (!m->options->dry_run)
        r = ahead_finish(&m->ahead, m->options->now_ms, m->progress, size, size * 2, backup, err);
    if (r < 0) return r;
    size_t done = 0;
    r = prepare(m);
    if (r == 0 && !m->options->dry_run) r = may_write(m, err);
    if (r < 0) return give_up(m, r, done, backup, err);
    if (m->options->dry_run) return 0;
    if (!m->in_place) return rewrite(m->place, m->fd, size, piece_at(m, 0), piece_count(m), err);
    r = patch(m, &done);
    return r < 0 ? give_up(m, r, done, backup, err) : 0;
}

/* The parents as they are before chain_mend(). */
static int remember_parents(struct mending *m) {
    uint32_t n = transcript_count(&m->t);
    uint32_t *to = (uint32_t *)(void *)buf_reserve(&m->were, n * sizeof *to);
    if (!to) return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        to[i] = transcript_at(&m->t, i)->parent;
    buf_grew(&m->were, n * sizeof *to);
    return 0;
}

/* One that still looks broken megabytes later is, nearly always: its backup may as well be begun. */
static bool on_read(void *user, uint64_t done, uint64_t total) {
    struct mending *m = user;
    bool looks_broken = m->t.waiting > 0;
    if (looks_broken && m->looked_broken && !m->options->dry_run)
        ahead_begin(&m->ahead, m->place, m->fd, (uint64_t)m->st.st_size);
    m->looked_broken = looks_broken;
    return progress_tell(m->progress, done, total);
}

static int look_and_mend(struct mending *m, struct mend_verdict *v, struct err *err) {
    uint64_t size = (uint64_t)m->st.st_size;
    struct progress progress = {on_read, m};
    int r = read_messages(m->fd, &m->st, &m->t, &progress, size);
    if (r == 0) r = chain_judge(&m->t, &v->before);
    if (r < 0) return err_sys(err, r, "%s cannot be read", m->place->path);
    v->before.mark = claude_mark(&m->st);
    v->after = v->before;
    v->depth = v->before.depth;
    if (v->before.status == TRANSCRIPT_HEALTHY && !(v->before.stop_hook_inline && m->options->stop_hook))
        return 0;

    r = remember_parents(m);
    if (r == 0) r = chain_mend(&m->t, m->options->stop_hook, &m->plan);
    if (r == 0) r = chain_judge(&m->t, &v->after);
    if (r < 0) return err_sys(err, r, "%s cannot be mended", m->place->path);
    v->after.mark = v->before.mark;
    if (plan_count(&m->plan) == 0 && plan_cut_count(&m->plan) == 0) return 0;
    r = mend_file(m, v->backup, err);
    if (r < 0) return r;
    v->status = MEND_REPAIRED;
    v->orphans_fixed = m->plan.orphans;
    v->cycles_fixed = m->plan.cycles;
    v->stop_hooks_fixed = m->plan.stop_hooks;
    v->glued_fixed = m->plan.glued;
    v->depth = v->after.depth;
    if (!m->options->dry_run) keep_time(m, &v->after.mark);
    return 0;
}

/* Opens it for one mender at a time. Who had to wait may find that the name stands for another file by now. */
static int open_locked(const struct place *p, struct stat *st, struct scan_verdict *verdict,
                       struct err *err) {
    for (int i = 0; i < OPEN_TRIES; i++) {
        int fd = open_transcript(p, O_RDWR, st, verdict, err);
        if (fd < 0) return fd;
        while (flock(fd, LOCK_EX) < 0 && errno == EINTR) {}
        if (place_check_same(p, p->name, fd) == 0 && fstat(fd, st) == 0) return fd;
        (void)close(fd);
    }
    return cannot_open(p->path, -ESTALE, verdict, err);
}

/* One that we may read but not write: a healthy one needs no more. */
static int only_scan(const char *path, const char *root, const struct progress *progress,
                     struct mend_verdict *v) {
    int r = transcript_scan(path, root, progress, &v->before, NULL);
    if (r < 0) return r;
    v->after = v->before;
    v->depth = v->before.depth;
    if (v->before.status != TRANSCRIPT_HEALTHY) v->status = MEND_FAILED;
    return 0;
}

int transcript_mend(const char *path, const struct mend_options *options, const struct progress *progress,
                    struct mend_verdict *ret, struct err *err) {
    struct mend_verdict v = {.status = MEND_ALREADY_HEALTHY};
    AUTO(place) struct place place;
    struct mending m = {.place = &place,
                        .options = options,
                        .progress = progress,
                        .plan = PLAN_INIT,
                        .were = BUF_INIT(SIZE_MAX / 2),
                        .text = BUF_INIT(SIZE_MAX / 2),
                        .pieces = BUF_INIT(SIZE_MAX / 2),
                        .olds = ARENA_INIT(SIZE_MAX / 2)};
    int found = place_open(path, options->root, &place);
    AUTO(fd)
    int fd =
        found < 0 ? cannot_open(path, found, &v.before, err) : open_locked(&place, &m.st, &v.before, err);
    if (fd < 0) {
        int r = only_scan(path, options->root, progress, &v);
        if (r == 0) *ret = v;
        return r;
    }
    m.fd = fd;
    m.ahead = (struct ahead){.place = &place, .fd = fd, .size = (uint64_t)m.st.st_size};
    if (!options->dry_run) rewrite_forget(&place);
    start_transcript(&m.t);
    int r = look_and_mend(&m, &v, err);
    ahead_drop(&m.ahead);
    transcript_fini(&m.t);
    cleanup_plan(&m.plan);
    buf_fini(&m.were);
    buf_fini(&m.text);
    buf_fini(&m.pieces);
    arena_fini(&m.olds);
    if (r == -ECANCELED || r == -ENOMEM) return r;
    if (r < 0) v.status = MEND_FAILED;
    *ret = v;
    return 0;
}
