/* What of a terminal is on disk beside its journal, and its screen out of that journal. All of it on the pool. */
#define LOG_TAG "terminal"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "pty/journal_files.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <ftw.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writing */

struct save {
    uv_work_t work;
    struct terminal *terminal;
    char dir[PATH_BYTES];
    struct buf json;
    int r;
};

static void save_on_pool(uv_work_t *work) {
    struct save *s = CONTAINER_OF(work, struct save, work);
    s->r = s->json.failed ? -E2BIG : meta_save(s->dir, buf_span(&s->json), true);
}

static void on_saved(uv_work_t *work, int status UNUSED) {
    struct save *s = CONTAINER_OF(work, struct save, work);
    struct terminal *t = s->terminal;
    if (s->r < 0 && !t->deleted && s->r != t->save_error) /* it is tried every second */
        log_warn("%s cannot be saved: %s", t->meta.id, strerror(-s->r));
    t->save_error = s->r;
    bool kept = s->r == 0;
    if (!kept && !t->deleted) terminal_set_due(t, DUE_SAVE, SAVE_AGAIN_MS); /* its keeper waits until it is */
    buf_fini(&s->json);
    free(s);
    t->saving = false;
    if (t->save_again && !t->owner->closing) {
        saved_write(t);
    } else if (t->exit_known && kept) {
        t->exit_saved = true;
        terminal_release(t);
    }
    terminal_settle(t);
}

void saved_write(struct terminal *t) {
    t->due[DUE_SAVE] = 0;
    t->save_again = t->saving;
    if (t->saving || t->deleted) return;
    struct save *s = xcalloc(1, sizeof *s);
    s->terminal = t;
    s->json = BUF_INIT(META_BYTES_MAX);
    memcpy(s->dir, t->dir, sizeof s->dir);
    if (t->has_stream) t->meta.bytes = t->stream.newest;
    meta_write(&t->meta, &s->json);
    t->saving = true;
    if (uv_queue_work(t->owner->loop, &s->work, save_on_pool, on_saved) < 0) on_saved(&s->work, 0);
}

/* Reading */

struct load {
    uv_work_t work;
    struct terminal *terminal;
    char dir[PATH_BYTES];
    unsigned scrollback;
    struct journal_tail tail;
    struct err err;
    int r;
};

static void load_on_pool(uv_work_t *work) {
    struct load *l = CONTAINER_OF(work, struct load, work);
    l->r = journal_load(l->dir, l->scrollback, &l->tail, &l->err);
    if (l->r < 0 && l->r != -ENOENT && !journal_files_busy(l->r)) journal_files_put_aside(l->dir);
}

static void tell_lost(struct terminal *t, const struct load *l) {
    if (l->r != -ENOENT)
        terminal_lose(t, "what it had printed cannot be read (%s) and was put aside", l->err.msg);
    else if (t->meta.bytes && t->connection != TERMINAL_STARTING) /* a keeper tells by itself */
        terminal_lose(t, "what it had printed is not there any more");
}

static void install(struct terminal *t, struct load *l) {
    struct journal_tail *tail = &l->tail;
    t->has_past = l->r == 0;
    if (l->r < 0) {
        tell_lost(t, l);
        t->vt = vt_new(t->meta.cols, t->meta.rows, t->owner->options.scrollback, &terminal_vt_ops, t);
        stream_init(&t->stream, t->meta.epoch, 0);
        t->has_stream = true;
        return;
    }
    t->vt = TAKE(tail->vt);
    vt_set_ops(t->vt, &terminal_vt_ops, t);
    stream_init(&t->stream, tail->epoch, tail->offset);
    stream_prepend(&t->stream, buf_span(&tail->recent));
    t->has_stream = true;
    t->written = tail->offset;
    if (t->connection == TERMINAL_STARTING || !t->meta.ended) return;
    const struct stream_mark mark = {
        .kind = STREAM_EXITED, .offset = t->stream.newest, .code = t->meta.code, .signal = t->meta.signal};
    stream_mark(&t->stream, &mark);
}

static void on_loaded(uv_work_t *work, int status) {
    struct load *l = CONTAINER_OF(work, struct load, work);
    struct terminal *t = l->terminal;
    t->loading = false;
    if (status < 0) l->r = -ECANCELED;
    if (journal_files_busy(l->r) && !t->owner->closing &&
        !t->deleted) { /* it goes on where it was, or not at all */
        log_warn("%s waits: %s", t->meta.id, l->err.msg);
        terminal_set_due(t, DUE_LOAD, LOAD_AGAIN_MS);
        free(l);
        return;
    }
    void (*then)(struct terminal *) = t->loaded;
    t->loaded = NULL;
    bool wanted = !t->owner->closing && !t->deleted;
    if (wanted) install(t, l);
    if (l->r == 0) journal_tail_fini(&l->tail);
    free(l);
    if (wanted && then) then(t);
    if (wanted && !t->catching_up) terminal_screen_ready(t);
    if (wanted && t->connection != TERMINAL_LIVE) terminal_set_due(t, DUE_UNLOAD, UNLOAD_MS);
    terminal_settle(t);
}

void saved_load(struct terminal *t, void (*then)(struct terminal *t)) {
    t->loading = true;
    t->loaded = then;
    struct load *l = xcalloc(1, sizeof *l);
    l->terminal = t;
    l->scrollback = t->owner->options.scrollback;
    memcpy(l->dir, t->journal_dir, sizeof l->dir);
    (void)uv_queue_work(t->owner->loop, &l->work, load_on_pool,
                        on_loaded); /* fails only without a function */
}

void saved_drop_screen(struct terminal *t) {
    enum { LARGE_BYTES = 512 << 10 };
    bool large = t->vt && vt_memory(t->vt) > LARGE_BYTES;
    vt_free(TAKE(t->vt));
    if (t->has_stream) stream_fini(&t->stream);
    t->has_stream = false;
    /* It is in thousands of small pieces, which the allocator would keep. */
    if (large) (void)malloc_trim(0);
}

void saved_unload(struct terminal *t) {
    bool busy = t->connection == TERMINAL_LIVE || t->connection == TERMINAL_STARTING || t->journal || t->link;
    if (!busy && t->vt && !viewers_count(t)) saved_drop_screen(t);
}

/* Who waits for the screen */

void terminal_with_screen(struct terminal *t, void (*done)(void *user, struct terminal *t), void *user) {
    if (t->vt && !t->catching_up) {
        done(user, t);
        return;
    }
    struct screen_wait *w = xmalloc(sizeof *w);
    *w = (struct screen_wait){.done = done, .user = user};
    list_append(&t->waits, &w->in_terminal);
    /* One that is catching up has its screen already. Loading it again would put it back to what the journal has. */
    if (!t->vt && !t->loading && t->connection != TERMINAL_STARTING) saved_load(t, NULL);
}

void terminal_screen_ready(struct terminal *t) {
    while (!list_empty(&t->waits)) {
        struct list *first = t->waits.next;
        struct screen_wait *w = list_entry(first, struct screen_wait, in_terminal), wait = *w;
        list_remove(first);
        assert(t->waits.next != first);
        free(w);
        wait.done(wait.user, t->deleted || t->owner->closing ? NULL : t);
    }
}

void terminal_wait_cancel(struct terminal *t, const void *user) {
    list_for_each_safe(pos, &t->waits) {
        struct screen_wait *w = list_entry(pos, struct screen_wait, in_terminal);
        if (w->user != user) continue;
        list_remove(&w->in_terminal);
        free(w);
    }
}

/* Removing */

struct removal {
    uv_work_t work;
    char dir[PATH_BYTES];
};

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
                      struct FTW *at UNUSED) {
    (void)remove(path);
    return 0;
}

static void remove_on_pool(uv_work_t *work) {
    struct removal *r = CONTAINER_OF(work, struct removal, work);
    (void)nftw(r->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void on_removed(uv_work_t *work, int status UNUSED) {
    free(CONTAINER_OF(work, struct removal, work));
}

void saved_remove(struct terminals *ts, const char *dir) {
    struct removal *r = xcalloc(1, sizeof *r);
    (void)snprintf(r->dir, sizeof r->dir, "%s", dir);
    if (uv_queue_work(ts->loop, &r->work, remove_on_pool, on_removed) < 0) free(r);
}

void saved_forget(struct terminal *t) {
    meta_forget(t->dir);
}
