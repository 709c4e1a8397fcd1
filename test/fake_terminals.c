#include "fake_terminals.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

struct terminal *fake_terminal(struct terminals *ts, const char *id) {
    struct terminal *t = &ts->v[ts->n++];
    *t = (struct terminal){.owner = ts};
    (void)snprintf(t->id, sizeof t->id, "%s", id);
    t->facts = (struct terminal_facts){.id = t->id,
                                       .kind = TERMINAL_AGENT,
                                       .connection = TERMINAL_LIVE,
                                       .epoch = 7,
                                       .created_ms = 1000,
                                       .started_ms = 2000,
                                       .cols = 80,
                                       .rows = 24,
                                       .pid = 100,
                                       .code = -1,
                                       .directory = "/p/alpha",
                                       .command = "claude",
                                       .title = "",
                                       .label = ""};
    return t;
}

static void wake_all(struct terminal *t) {
    for (size_t i = 0; i < ARRAY_LEN(t->viewers); i++)
        if (t->viewers[i]) t->viewers[i]->wake(t->viewers[i]->user);
}

void fake_happens(struct terminal *t, struct terminal_item item) {
    struct fake_item *f = &t->items[t->n++];
    item.epoch = t->facts.epoch;
    item.offset = t->facts.offset;
    f->item = item;
    f->bytes = item.bytes.n ? xstrndup(item.bytes.p, item.bytes.n) : NULL;
    f->item.bytes.p = f->bytes;
    if (item.kind == TERMINAL_OUTPUT) t->facts.offset += item.bytes.n;
    wake_all(t);
}

void fake_prints(struct terminal *t, const char *text) {
    fake_happens(t, (struct terminal_item){.kind = TERMINAL_OUTPUT, .bytes = span_str(text)});
}

void fake_free(struct terminals *ts) {
    for (size_t i = 0; i < ts->n; i++)
        for (size_t k = 0; k < ts->v[i].n; k++)
            free(ts->v[i].items[k].bytes);
}

struct terminal *terminals_find(struct terminals *ts, struct span id) {
    for (size_t i = 0; ts && i < ts->n; i++)
        if (span_eq_str(id, ts->v[i].id) && !ts->v[i].deleted) return &ts->v[i];
    return NULL;
}

void terminal_facts(const struct terminal *t, struct terminal_facts *ret) {
    *ret = t->facts;
    for (size_t i = 0; i < ARRAY_LEN(t->viewers); i++)
        ret->viewers += t->viewers[i] != NULL;
}

const char *terminal_connection_to_str(enum terminal_connection c) {
    static const char *const names[] = {"starting", "live", "restored", "ended"};
    return names[c];
}

const char *terminal_kind_to_str(enum terminal_kind kind) {
    static const char *const names[] = {"shell", "agent", "command"};
    return names[kind];
}

/* Viewers: `cursor.mark` is the next item, `cursor.needs_snapshot` as its name says. */

static void attach_now(struct terminal *t, struct terminal_viewer *v) {
    v->attached = true;
    for (size_t i = 0; i < ARRAY_LEN(t->viewers); i++) {
        if (t->viewers[i]) continue;
        t->viewers[i] = v;
        break;
    }
    v->wake(v->user);
}

void terminal_attach(struct terminal *t, struct terminal_viewer *v, const uint64_t *epoch,
                     const uint64_t *offset) {
    v->terminal = t;
    bool continues = epoch && *epoch == t->facts.epoch && offset && *offset <= t->facts.offset;
    v->cursor.epoch = t->facts.epoch;
    v->cursor.needs_snapshot = !continues;
    v->cursor.offset = continues ? *offset : t->facts.offset;
    v->cursor.mark = continues ? 0 : t->n;
    v->waiting = t->loading;
    if (!t->loading) attach_now(t, v);
}

void terminal_detach(struct terminal_viewer *v) {
    for (size_t i = 0; v->terminal && i < ARRAY_LEN(v->terminal->viewers); i++)
        if (v->terminal->viewers[i] == v) v->terminal->viewers[i] = NULL;
    v->terminal = NULL;
    v->attached = false;
}

void fake_deleted(struct terminal *t) {
    t->deleted = true;
    for (size_t i = 0; i < ARRAY_LEN(t->viewers); i++) {
        struct terminal_viewer *v = t->viewers[i];
        if (!v) continue;
        terminal_detach(v);
        v->wake(v->user);
    }
}

static struct terminal_item part_of(const struct terminal_item *item, uint64_t from) {
    struct terminal_item part = *item;
    if (item->kind != TERMINAL_OUTPUT || item->offset >= from) return part;
    part.bytes = span_skip(item->bytes, (size_t)(from - item->offset));
    part.offset = from;
    return part;
}

void terminal_pull(struct terminal_viewer *v, size_t max UNUSED, struct terminal_item *ret) {
    struct terminal *t = v->terminal;
    *ret = (struct terminal_item){.kind = t || v->told_gone ? TERMINAL_NOTHING : TERMINAL_DELETED};
    if (!t) {
        v->told_gone = true;
        return;
    }
    if (v->cursor.needs_snapshot) {
        v->cursor.needs_snapshot = false;
        *ret = (struct terminal_item){.kind = TERMINAL_SNAPSHOT,
                                      .epoch = t->facts.epoch,
                                      .offset = v->cursor.offset,
                                      .cols = t->facts.cols,
                                      .rows = t->facts.rows,
                                      .bytes = SPAN("<screen>")};
        return;
    }
    while (v->cursor.mark < t->n) {
        const struct terminal_item *item = &t->items[v->cursor.mark++].item;
        if (item->kind == TERMINAL_OUTPUT && item->offset + item->bytes.n <= v->cursor.offset) continue;
        *ret = part_of(item, v->cursor.offset);
        if (item->kind == TERMINAL_OUTPUT) v->cursor.offset = item->offset + item->bytes.n;
        return;
    }
}

void terminal_ack(struct terminal_viewer *v, uint64_t offset) {
    v->cursor.acked = offset;
}

int terminal_input(struct terminal *t, struct span bytes) {
    if (t->refuse) return t->refuse;
    size_t n = strlen(t->input);
    (void)snprintf(t->input + n, sizeof t->input - n, "%.*s", SPAN_ARG(bytes));
    return 0;
}

int terminal_resize(struct terminal *t, unsigned cols, unsigned rows) {
    if (t->refuse) return t->refuse;
    if (cols < 2) return -EINVAL;
    size_t n = strlen(t->input);
    (void)snprintf(t->input + n, sizeof t->input - n, "[%ux%u]", cols, rows);
    return 0;
}

int terminal_viewer_resize(struct terminal_viewer *v, unsigned cols, unsigned rows) {
    return terminal_resize(v->terminal, cols, rows);
}

void terminal_end(struct terminal *t) {
    t->ended = true;
}

/* Screens: two rows, and what is never looked into. */

const struct vt *terminal_screen(const struct terminal *t) {
    return t->loading ? NULL : (const struct vt *)(const void *)t;
}

void terminal_with_screen(struct terminal *t, void (*done)(void *user, struct terminal *t), void *user) {
    t->waiting = done;
    t->waiting_user = user;
}

void fake_loaded(struct terminal *t) {
    t->loading = false;
    if (t->waiting) t->waiting(t->waiting_user, t);
}

void vt_view(const struct vt *vt UNUSED, struct vt_view *ret) {
    *ret = (struct vt_view){.cols = 10, .rows = 2, .cursor_col = 10, .cursor_row = 1, .cursor_visible = true};
}

void vt_row_text(const struct vt *vt UNUSED, int row, struct buf *out) {
    (void)buf_printf(out, "row %d", row);
}
