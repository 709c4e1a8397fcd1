#include "term/vt_reflow.h"

#include "base/mem.h"

/* How the cells of the group are cut into rows: full ones, or one cell less where a wide character would be cut in two. */
static unsigned cut_lengths(const struct vt_flow *f, uint16_t **ret) {
    unsigned n = f->group_n, needed = 0, given = 0, col = 0, row = 0, lengths = 0;
    for (unsigned i = 0; i < n; i++)
        needed += vt_flow_length(f, i, n);
    uint16_t *all = xcalloc(needed / (f->cols - 1) + 2, sizeof *all);
    while (given < needed && row < n) {
        if (needed - given < f->cols) {
            all[lengths++] = (uint16_t)(needed - given);
            break;
        }
        col += f->cols;
        unsigned length = vt_flow_length(f, row, n);
        if (col > length) {
            col -= length;
            row++;
        }
        bool wide = row < n && vt_row_width(&f->group[row], col - 1) == 2;
        if (wide) col--;
        all[lengths++] = (uint16_t)(wide ? f->cols - 1 : f->cols);
        given += all[lengths - 1];
    }
    *ret = all;
    return lengths;
}

/* Moves the cells of `n` rows down into those of the new lengths, from the end. */
static void spread_rows(struct vt_flow *f, unsigned n, unsigned last_length, const uint16_t *lengths,
                        unsigned rows) {
    struct vt_row *group = f->group;
    int64_t to = (int64_t)rows - 1, from = (int64_t)n - 1;
    unsigned to_col = to >= 0 ? lengths[to] : 0, from_col = last_length;
    if (to >= 0 && to_col == 0) to_col = --to >= 0 ? lengths[to] : 0;
    while (from >= 0 && to >= 0) {
        unsigned cells = MIN(from_col, to_col);
        vt_row_copy(&group[to], to_col - cells, &group[from], from_col - cells, cells);
        to_col -= cells;
        if (to_col == 0) to_col = --to >= 0 ? lengths[to] : 0;
        from_col -= cells;
        if (from_col == 0) {
            from--;
            from_col = vt_flow_length(f, (unsigned)MAX(from, 0), f->group_n);
        }
    }
    for (unsigned i = 0; i < rows && i < f->group_n; i++)
        if (lengths[i] < f->cols) vt_row_set(&group[i], lengths[i], cell_empty(0, 0));
}

static void remember(struct vt_flow *f, int64_t first, unsigned n, int64_t more) {
    /* Lines this far up will not be kept; how many there are counts nevertheless. */
    bool kept = f->inserted + f->n - (first + n) <= f->max + f->rows * 2;
    if (kept)
        for (unsigned i = 0; i < n; i++)
            f->lines[first + i] = vt_flow_pack(f, &f->group[i]);
    if (more <= 0) return;
    if (f->inserts_n == f->inserts_room) {
        f->inserts_room = f->inserts_room ? f->inserts_room * 2 : 64;
        f->inserts = xreallocarray(f->inserts, f->inserts_room, sizeof *f->inserts);
    }
    struct vt_flow_insert insert = {.at = first + n, .n = more};
    if (kept) {
        insert.lines = arena_alloc(&f->memory, (size_t)more * sizeof *insert.lines);
        for (int64_t i = 0; i < more; i++)
            insert.lines[i] = vt_flow_pack(f, &f->group[n + i]);
    }
    f->inserts[f->inserts_n++] = insert;
    f->inserted += more;
}

/* Each line more pushes the screen: the cursor down while there are rows below (which are lost), then lines off the top. */
static void adjust(struct vt_flow *f, int64_t *n, int64_t more) {
    int64_t trimmed = f->base == 0 && f->y != *n - 1 ? f->y - f->max + more : *n - f->max + more;
    for (int64_t i = MAX(trimmed, 0); i < more; i++) {
        if (f->base == 0 && f->y < (int64_t)f->rows - 1) {
            f->y++;
            --*n;
        } else if (f->base == 0 || f->base < MIN(f->max, *n + f->inserted) - (int64_t)f->rows) {
            f->base++;
        }
    }
    f->saved_y = MIN(f->saved_y + more, f->base + (int64_t)f->rows - 1);
}

/* One group of lines, from `first` on. */
static void flow_group(struct vt_flow *f, int64_t first, unsigned n, int64_t *lines) {
    vt_flow_load(f, first, n, f->old_cols);
    unsigned last_length = vt_row_trimmed(&f->group[n - 1]);
    uint16_t *lengths;
    unsigned rows = cut_lengths(f, &lengths);
    int64_t more = (int64_t)rows - n;
    if (more > 0) vt_flow_add_rows(f, (unsigned)more);
    spread_rows(f, n, last_length, lengths, rows);
    free(lengths);
    remember(f, first, n, more);
    adjust(f, lines, more);
}

static bool fits(struct vt_flow *f, int64_t line) {
    struct vt_line_head head;
    if (vt_flow_wrapped(f, line)) return false;
    if (!vt_line_head(f->lines[line], &head) || head.cells <= f->cols) return true;
    vt_flow_load(f, line, 1, f->old_cols);
    return vt_row_trimmed(&f->group[0]) <= f->cols;
}

void vt_flow_narrower(struct vt_flow *f) {
    int64_t lines = f->n;
    for (int64_t last = f->n - 1; last >= 0; last--) {
        if (fits(f, last)) continue;
        int64_t first = last;
        while (first > 0 && vt_flow_wrapped(f, first))
            first--;
        int64_t cursor = f->base + f->y;
        if (cursor < first || cursor > last) flow_group(f, first, (unsigned)(last - first + 1), &lines);
        last = first;
    }
    f->n = lines;
}
