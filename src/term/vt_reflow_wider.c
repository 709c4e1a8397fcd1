#include "term/vt_reflow.h"

/* Moves the cells of the group's rows up into the room that there is now. Returns how many rows are left over. */
static unsigned join_rows(struct vt_flow *f) {
    struct vt_row *rows = f->group;
    unsigned n = f->group_n, to = 0, to_col = vt_flow_length(f, 0, n), from = 1, from_col = 0;
    while (from < n) {
        unsigned length = vt_flow_length(f, from, n);
        unsigned cells = MIN(length > from_col ? length - from_col : 0, f->cols - to_col);
        vt_row_copy(&rows[to], to_col, &rows[from], from_col, cells);
        to_col += cells;
        if (to_col == f->cols) {
            to++;
            to_col = 0;
        }
        from_col += cells;
        if (from_col >= length) {
            from++;
            from_col = 0;
        }
        /* The left half of a wide character alone goes down to its right one. */
        if (to_col == 0 && to != 0 && vt_row_width(&rows[to - 1], f->cols - 1) == 2) {
            vt_row_copy(&rows[to], to_col++, &rows[to - 1], f->cols - 1, 1);
            vt_row_set(&rows[to - 1], f->cols - 1, cell_empty(0, 0));
        }
    }
    if (to < n) vt_row_erase(&rows[to], to_col, f->cols, 0);
    unsigned over = 0;
    for (unsigned i = n - 1; i > 0 && (i > to || vt_row_trimmed(&rows[i]) == 0); i--)
        over++;
    return over;
}

/* Lines come back from the scrollback; where there is none, the cursor goes up, and blank ones come in below. */
static void adjust(struct vt_flow *f, int64_t removed) {
    int64_t back = MIN(f->base, removed);
    f->base -= back;
    f->y = MAX(f->y - (removed - back), 0);
    f->saved_y = MAX(f->saved_y - removed, 0);
}

void vt_flow_wider(struct vt_flow *f) {
    int64_t cursor = f->base + f->y, removed = 0;
    for (int64_t first = 0; first + 1 < f->n; first++) {
        int64_t end = first + 1;
        while (end < f->n && vt_flow_wrapped(f, end))
            end++;
        if (end == first + 1) continue;
        if (cursor < first || cursor >= end) {
            unsigned n = (unsigned)(end - first);
            vt_flow_load(f, first, n, f->cols);
            unsigned over = join_rows(f);
            for (unsigned i = 0; i < n; i++) {
                if (i < n - over)
                    f->lines[first + i] = vt_flow_pack(f, &f->group[i]);
                else
                    f->gone[first + i] = true;
            }
            removed += over;
        }
        first = end - 1;
    }
    if (removed) adjust(f, removed);
}
