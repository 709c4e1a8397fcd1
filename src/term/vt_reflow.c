#include "term/vt_reflow.h"

#include "base/mem.h"

bool vt_flow_wrapped(const struct vt_flow *f, int64_t line) {
    return f->lines[line].p[0] & LINE_WRAPPED;
}

/* Its memory may move: the rows are in work under their new place. */
static void need_rows(struct vt_flow *f, unsigned n) {
    if (n > f->group_room) {
        unsigned room = MAX(n, f->group_room * 2);
        f->group = xreallocarray(f->group, room, sizeof *f->group);
        memset(f->group + f->group_room, 0, (room - f->group_room) * sizeof *f->group);
        f->group_room = room;
    }
    f->vt->work->rows = f->group;
}

void vt_flow_load(struct vt_flow *f, int64_t first, unsigned n, unsigned len) {
    f->vt->work->n = f->group_n = 0;
    need_rows(f, n);
    for (unsigned i = 0; i < n; i++) {
        (void)vt_line_unpack(f->vt, f->lines[first + i], len, &f->group[i]);
        f->vt->work->n = f->group_n = i + 1;
    }
}

void vt_flow_add_rows(struct vt_flow *f, unsigned n) {
    need_rows(f, f->group_n + n);
    for (unsigned i = 0; i < n; i++) {
        struct vt_row *row = &f->group[f->group_n++];
        vt_row_clear(row, f->cols, 0);
        row->wrapped = true;
    }
    f->vt->work->n = f->group_n;
}

struct span vt_flow_pack(struct vt_flow *f, struct vt_row *row) {
    vt_row_resize(row, f->cols);
    size_t n = vt_line_pack(f->vt, row, f->packed, f->packed_room);
    return arena_dup(&f->memory, span_of((const char *)f->packed, n));
}

unsigned vt_flow_length(const struct vt_flow *f, unsigned row, unsigned rows) {
    if (row + 1 == rows) return vt_row_trimmed(&f->group[row]);
    /* An empty cell at the end is not part of the line when a wide character did not fit there. */
    struct cell last = vt_row_get(&f->group[row], f->old_cols - 1);
    bool empty = !(last.content & CELL_CONTENT) && cell_width(last) == 1;
    return empty && vt_row_width(&f->group[row + 1], 0) == 2 ? f->old_cols - 1 : f->old_cols;
}

/* Is there anything that has to flow, or to be cut? */
static bool must_flow(const struct vt *vt, unsigned cols) {
    for (unsigned i = 0; i < vt->scrollback.lines; i++) {
        struct vt_line_head head;
        if (!vt_line_head(vt_scrollback_line(&vt->scrollback, i), &head)) continue;
        if (head.flags & LINE_WRAPPED || head.cells > cols) return true;
    }
    for (unsigned y = 0; y < vt->rows; y++) {
        const struct vt_row *row = &vt->main.rows[y];
        if (row->wrapped || vt_row_trimmed(row) > cols) return true;
    }
    return false;
}

static void flow_begin(struct vt_flow *f, struct vt *vt, unsigned cols) {
    unsigned above = vt->scrollback.lines;
    *f = (struct vt_flow){.vt = vt,
                          .memory = ARENA_INIT(SIZE_MAX),
                          .old_cols = vt->cols,
                          .cols = cols,
                          .rows = vt->rows,
                          .n = (int64_t)above + vt->rows,
                          .max = (int64_t)vt->scrollback.limit + vt->rows,
                          .base = above,
                          .y = vt->main.y,
                          .saved_y = vt->main.saved.y};
    f->packed_room = vt_line_bytes_max(MAX(vt->cols, cols));
    f->packed = xmalloc(f->packed_room);
    f->lines = xcalloc((size_t)f->n, sizeof *f->lines);
    f->gone = xcalloc((size_t)f->n, sizeof *f->gone);
    for (unsigned i = 0; i < above; i++)
        f->lines[i] = vt_scrollback_line(&vt->scrollback, i);
    for (unsigned y = 0; y < vt->rows; y++) {
        size_t n = vt_line_pack(vt, vt_screen_row(vt, &vt->main, y), f->packed, f->packed_room);
        f->lines[above + y] = arena_dup(&f->memory, span_of((const char *)f->packed, n));
    }
}

/* All lines in order, from the bottom up, with what was inserted. Returns how many there are; NULL ones are blank. */
static int64_t arrange(const struct vt_flow *f, struct span **ret) {
    int64_t kept = 0;
    for (int64_t i = 0; i < f->n; i++)
        kept += !f->gone[i];
    int64_t n = MIN(f->max, kept + f->inserted), at = n, from = f->n - 1;
    struct span *lines = xcalloc((size_t)MAX(n, 1), sizeof *lines);
    for (size_t next = 0; at > 0 && (from >= 0 || next < f->inserts_n);) {
        if (next < f->inserts_n && f->inserts[next].at > from) {
            const struct vt_flow_insert *insert = &f->inserts[next++];
            for (int64_t i = insert->n - 1; i >= 0 && at > 0; i--)
                lines[--at] = insert->lines ? insert->lines[i] : SPAN_NONE;
        } else {
            if (!f->gone[from]) lines[--at] = f->lines[from];
            from--;
        }
    }
    *ret = lines;
    return n;
}

/* What is longer than the new rows, because it did not flow, is cut. */
static struct span cut(struct vt_flow *f, struct span line) {
    struct vt_line_head head;
    if (!line.n || !vt_line_head(line, &head) || head.cells <= f->cols) return line;
    vt_flow_load(f, 0, 0, f->old_cols);
    need_rows(f, 1);
    (void)vt_line_unpack(f->vt, line, head.cells, &f->group[0]);
    return vt_flow_pack(f, &f->group[0]);
}

static void flow_end(struct vt_flow *f) {
    struct vt *vt = f->vt;
    struct span *lines;
    int64_t n = arrange(f, &lines);
    struct vt_scrollback history = {.limit = vt->scrollback.limit};
    f->base = MIN(f->base, n);
    for (int64_t i = 0; i < f->base; i++) {
        struct span line = cut(f, lines[i]);
        vt_scrollback_append(&history, line.n ? line : SPAN("\0\0\0"));
    }
    for (unsigned y = 0; y < f->rows; y++) {
        struct vt_row *row = vt_screen_row(vt, &vt->main, y);
        struct span line = f->base + y < n ? cut(f, lines[f->base + y]) : SPAN_NONE;
        if (!line.n || !vt_line_unpack(vt, line, f->cols, row)) vt_row_clear(row, f->cols, 0);
    }
    vt_scrollback_fini(&vt->scrollback);
    vt->scrollback = history;
    vt->main.y = (unsigned)MIN(MAX(f->y, 0), (int64_t)f->rows - 1);
    vt->main.saved.y = MAX(f->saved_y, 0);
    free(lines);
}

void vt_reflow(struct vt *vt, unsigned cols) {
    if (!must_flow(vt, cols)) {
        for (unsigned y = 0; y < vt->rows; y++)
            vt_row_resize(&vt->main.rows[y], cols);
        return;
    }
    struct vt_work work = {.below = vt->work};
    struct vt_flow f;
    flow_begin(&f, vt, cols);
    vt->work = &work;
    if (cols > vt->cols)
        vt_flow_wider(&f);
    else
        vt_flow_narrower(&f);
    flow_end(&f);
    vt->work = work.below;
    for (unsigned i = 0; i < f.group_room; i++)
        vt_row_fini(&f.group[i]);
    free(f.group);
    free(f.inserts);
    free(f.packed);
    free(f.lines);
    free(f.gone);
    arena_fini(&f.memory);
}
