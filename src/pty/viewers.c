/* Who looks at a terminal. A viewer pulls; what the stream no longer has is fetched from the journal on the pool. */
#include "base/mem.h"
#include "pty/rest.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <stdlib.h>

struct terminal_fetch {
    uv_work_t work;
    struct terminal_viewer *viewer; /* NULL: it left */
    char dir[PATH_BYTES];
    uint64_t epoch, offset;
    size_t max;
    bool done;
    int r;
    struct buf bytes;
};

unsigned viewers_count(const struct terminal *t) {
    unsigned n = t->guests;
    if (t->has_stream)
        list_for_each(pos, &t->stream.viewers)
            n++;
    return n;
}

/* Attaching */

static void attach_now(struct terminal *t, struct terminal_viewer *v) {
    stream_attach(&t->stream, &v->cursor, v->has_place ? &v->epoch : NULL, v->has_place ? &v->offset : NULL);
    v->attached = true;
    terminal_set_due(t, DUE_TELL, 20);
    v->wake(v->user);
}

static void on_screen(void *user, struct terminal *t) {
    struct terminal_viewer *v = user;
    v->waiting = false;
    if (t) {
        attach_now(t, v);
        return;
    }
    v->terminal = NULL; /* it was deleted meanwhile */
    v->wake(v->user);
}

void terminal_attach(struct terminal *t, struct terminal_viewer *v, const uint64_t *epoch,
                     const uint64_t *offset) {
    v->terminal = t;
    rest_cancel(t);
    v->has_place = epoch && offset;
    if (v->has_place) {
        v->epoch = *epoch;
        v->offset = *offset;
    }
    v->waiting = true;
    terminal_with_screen(t, on_screen, v);
}

static void drop_fetch(struct terminal_viewer *v) {
    struct terminal_fetch *f = v->fetch;
    v->fetch = NULL;
    if (!f) return;
    f->viewer = NULL;
    if (!f->done) return; /* freed when the pool is through with it */
    buf_fini(&f->bytes);
    free(f);
}

void terminal_detach(struct terminal_viewer *v) {
    struct terminal *t = v->terminal;
    drop_fetch(v);
    v->terminal = NULL;
    if (!t) return;
    if (v->waiting) terminal_wait_cancel(t, v);
    v->waiting = false;
    if (v->attached) stream_detach(&v->cursor);
    v->attached = false;
    t->seen_ms = terminals_now_ms(t->owner);
    terminal_set_due(t, DUE_TELL, 20);
    if (t->connection == TERMINAL_LIVE)
        rest_consider(t);
    else
        terminal_set_due(t, DUE_UNLOAD, UNLOAD_MS);
}

void viewers_leave(struct terminal *t) {
    if (!t->has_stream) return;
    list_for_each_safe(pos, &t->stream.viewers) {
        struct terminal_viewer *v =
            CONTAINER_OF(list_entry(pos, struct stream_viewer, in_stream), struct terminal_viewer, cursor);
        drop_fetch(v);
        stream_detach(&v->cursor);
        v->attached = false;
        v->terminal = NULL;
        v->wake(v->user);
    }
}

/* Older output */

static void fetch_on_pool(uv_work_t *work) {
    struct terminal_fetch *f = CONTAINER_OF(work, struct terminal_fetch, work);
    f->r = journal_read(f->dir, f->epoch, f->offset, f->max, &f->bytes);
}

static void on_fetched(uv_work_t *work, int status) {
    struct terminal_fetch *f = CONTAINER_OF(work, struct terminal_fetch, work);
    f->done = true;
    if (status < 0) f->r = -ECANCELED;
    if (f->viewer) {
        f->viewer->wake(f->viewer->user);
        return;
    }
    buf_fini(&f->bytes);
    free(f);
}

static void start_fetch(struct terminal *t, struct terminal_viewer *v, const struct stream_item *wanted) {
    struct terminal_fetch *f = xcalloc(1, sizeof *f);
    f->viewer = v;
    memcpy(f->dir, t->journal_dir, sizeof f->dir);
    f->epoch = t->stream.epoch;
    f->offset = wanted->offset;
    f->max = MIN(wanted->bytes.n, (size_t)FETCH_BYTES);
    f->bytes = BUF_INIT(FETCH_BYTES);
    v->fetch = f;
    if (uv_queue_work(t->owner->loop, &f->work, fetch_on_pool, on_fetched) < 0)
        on_fetched(&f->work, UV_ENOMEM);
}

/* Gives the viewer what was fetched. False: nothing came of it, look again. */
static bool take_fetched(struct terminal *t, struct terminal_viewer *v, struct terminal_item *ret) {
    struct terminal_fetch *f = v->fetch;
    bool fits = f->epoch == t->stream.epoch && f->offset == v->cursor.offset;
    bool any = f->r >= 0 && f->bytes.n && fits;
    if (any) {
        buf_clear(&t->owner->scratch);
        (void)buf_append_span(&t->owner->scratch, buf_span(&f->bytes));
        *ret = (struct terminal_item){.kind = TERMINAL_OUTPUT,
                                      .epoch = f->epoch,
                                      .offset = f->offset,
                                      .bytes = buf_span(&t->owner->scratch)};
        stream_viewer_sent(&v->cursor, f->bytes.n);
    } else if (fits && t->journal && t->written <= f->offset) {
        v->awaits_written = t->awaiting_written = true; /* it is on its way to the disk */
    } else if (fits) {
        stream_viewer_lost(&t->stream, &v->cursor);
    }
    drop_fetch(v);
    return any;
}

/* Pulling */

/* Has the terminal the size that an unsized viewer asked for? Then it is none any more. */
static bool meets_size(struct terminal_viewer *v, unsigned cols, unsigned rows) {
    bool meets = v->unsized && v->cols == cols && v->rows == rows;
    if (meets) v->unsized = false;
    return meets;
}

static void give_snapshot(struct terminal *t, struct terminal_viewer *v, struct terminal_item *ret) {
    struct buf *out = &t->owner->scratch;
    struct vt_view view;
    vt_view(t->vt, &view);
    (void)meets_size(v, view.cols, view.rows);
    buf_clear(out);
    (v->unsized ? vt_snapshot_unsized : vt_snapshot)(t->vt, t->owner->options.scrollback, out);
    *ret = (struct terminal_item){.kind = TERMINAL_SNAPSHOT,
                                  .epoch = t->stream.epoch,
                                  .offset = t->stream.newest,
                                  .bytes = buf_span(out),
                                  .cols = view.cols,
                                  .rows = view.rows};
    stream_viewer_at(&t->stream, &v->cursor, t->stream.newest);
}

static void give_mark(const struct terminal *t, const struct stream_mark *m, struct terminal_item *ret) {
    static const enum terminal_item_kind kinds[] = {
        [STREAM_RESIZED] = TERMINAL_RESIZED, [STREAM_GAP] = TERMINAL_GAP, [STREAM_EXITED] = TERMINAL_EXIT};
    *ret = (struct terminal_item){.kind = kinds[m->kind],
                                  .epoch = t->stream.epoch,
                                  .offset = m->offset,
                                  .to = m->to,
                                  .cols = m->cols,
                                  .rows = m->rows,
                                  .code = m->code,
                                  .signal = m->signal};
}

static void pull(struct terminal *t, struct terminal_viewer *v, size_t max, struct terminal_item *ret) {
    struct stream_item item = {0};
    uint64_t now = uv_now(t->owner->loop);
    switch (stream_pull(&t->stream, &v->cursor, now, max, &item)) {
    case VIEW_NOTHING:
        if (v->cursor.due_ms)
            terminal_set_due(t, DUE_WAKE, v->cursor.due_ms > now ? v->cursor.due_ms - now : 0);
        break;
    case VIEW_BYTES:
        *ret = (struct terminal_item){
            .kind = TERMINAL_OUTPUT, .epoch = t->stream.epoch, .offset = item.offset, .bytes = item.bytes};
        break;
    case VIEW_MARK:
        give_mark(t, &item.mark, ret);
        if (ret->kind == TERMINAL_RESIZED && meets_size(v, ret->cols, ret->rows))
            v->cursor.needs_snapshot = true;
        break;
    case VIEW_SNAPSHOT: give_snapshot(t, v, ret); break;
    case VIEW_OLDER: start_fetch(t, v, &item); break;
    case VIEW_EPOCH: *ret = (struct terminal_item){.kind = TERMINAL_EPOCH, .epoch = t->stream.epoch}; break;
    }
}

void terminal_pull(struct terminal_viewer *v, size_t max, struct terminal_item *ret) {
    struct terminal *t = v->terminal;
    *ret = (struct terminal_item){.kind = TERMINAL_NOTHING};
    if (!t) {
        if (!v->told_gone) ret->kind = TERMINAL_DELETED;
        v->told_gone = true;
        return;
    }
    if (!v->attached || (v->fetch && !v->fetch->done)) return;
    if (v->fetch && take_fetched(t, v, ret)) return;
    if (v->awaits_written) {
        if (t->awaiting_written) return;
        v->awaits_written = false;
    }
    pull(t, v, max, ret);
}

int terminal_viewer_resize(struct terminal_viewer *v, unsigned cols, unsigned rows) {
    struct terminal *t = v->terminal;
    int r = t ? terminal_resize(t, cols, rows) : -EPIPE;
    if (r < 0) return r;
    v->cols = cols;
    v->rows = rows;
    if (v->attached && meets_size(v, t->meta.cols, t->meta.rows)) {
        v->cursor.needs_snapshot = true;
        v->wake(v->user);
    }
    return 0;
}

void terminal_ack(struct terminal_viewer *v, uint64_t offset) {
    if (v->terminal && v->attached && stream_ack(&v->terminal->stream, &v->cursor, offset)) v->wake(v->user);
}
