#include "term/vt_row.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void vt_row_grow(struct vt_row *row, unsigned room) {
    if (room <= row->room) return;
    unsigned want = MAX(room, row->room * 2U);
    want = MIN((want + 7) & ~7U, MAX(row->len, room));
    row->cells = xreallocarray(row->cells, want, sizeof *row->cells);
    row->room = (uint16_t)want;
}

void vt_row_reach(struct vt_row *row, unsigned col) {
    if (col <= row->n) return;
    vt_row_grow(row, col);
    struct cell empty = cell_empty(row->tail, 0);
    for (unsigned i = row->n; i < col; i++)
        row->cells[i] = empty;
    row->n = (uint16_t)col;
}

void vt_row_set(struct vt_row *row, unsigned col, struct cell cell) {
    if (col >= row->len) return;
    vt_row_reach(row, col);
    if (col == row->n) {
        vt_row_grow(row, col + 1);
        row->n++;
    }
    row->cells[col] = cell;
}

void vt_row_clear(struct vt_row *row, unsigned len, uint16_t style) {
    row->n = 0;
    row->len = (uint16_t)len;
    row->tail = style;
    row->wrapped = false;
}

static void fill(struct vt_row *row, unsigned start, unsigned end, struct cell cell) {
    end = MIN(end, row->len);
    if (start >= end) return;
    vt_row_reach(row, start);
    if (end == row->len && cell.content == CELL_NARROW && !cell.link) {
        row->n = (uint16_t)start;
        row->tail = cell.style;
        return;
    }
    vt_row_reach(row, end);
    for (unsigned i = start; i < end; i++)
        row->cells[i] = cell;
}

void vt_row_erase(struct vt_row *row, unsigned start, unsigned end, uint16_t style) {
    struct cell empty = cell_empty(style, 0);
    if (start && vt_row_width(row, start - 1) == 2) vt_row_set(row, start - 1, empty);
    if (end && end < row->len && vt_row_width(row, end - 1) == 2) vt_row_set(row, end, empty);
    fill(row, start, end, empty);
}

void vt_row_insert(struct vt_row *row, unsigned col, unsigned n, struct cell cell) {
    col %= row->len;
    if (col && vt_row_width(row, col - 1) == 2) vt_row_set(row, col - 1, cell);
    if (n < row->len - col) {
        unsigned moved = MIN(row->n > col ? row->n - col : 0, row->len - col - n);
        vt_row_reach(row, col + n + moved);
        if (moved) memmove(row->cells + col + n, row->cells + col, moved * sizeof *row->cells);
        fill(row, col, col + n, cell);
    } else {
        fill(row, col, row->len, cell);
    }
    if (vt_row_width(row, row->len - 1U) == 2) vt_row_set(row, row->len - 1U, cell);
}

void vt_row_delete(struct vt_row *row, unsigned col, unsigned n, struct cell cell) {
    col %= row->len;
    if (n < row->len - col) {
        if (row->n > col) {
            unsigned moved = row->n > col + n ? row->n - col - n : 0;
            memmove(row->cells + col, row->cells + col + n, moved * sizeof *row->cells);
            row->n = (uint16_t)(col + moved);
        }
        if (cell.content != CELL_NARROW || cell.link || cell.style != row->tail)
            fill(row, row->len - n, row->len, cell);
    } else {
        fill(row, col, row->len, cell);
    }
    if (col && vt_row_width(row, col - 1) == 2) vt_row_set(row, col - 1, cell);
    if (cell_is_stub(vt_row_get(row, col))) vt_row_set(row, col, cell);
}

void vt_row_resize(struct vt_row *row, unsigned len) {
    if (len == row->len) return;
    if (len > row->len) {
        if (row->tail) {
            vt_row_reach(row, row->len);
            row->tail = 0;
        }
    } else if (row->n > len) {
        row->n = (uint16_t)len;
        /* Half of a wide character is none. */
        if (cell_width(row->cells[len - 1]) == 2) row->cells[len - 1] = cell_empty(0, 0);
    }
    row->len = (uint16_t)len;
}

unsigned vt_row_trimmed(const struct vt_row *row) {
    for (unsigned i = row->n; i-- > 0;)
        if (row->cells[i].content & CELL_CONTENT) return i + cell_width(row->cells[i]);
    return 0;
}

void vt_row_copy(struct vt_row *to, unsigned to_col, const struct vt_row *from, unsigned from_col,
                 unsigned n) {
    if (to_col >= to->len) return;
    n = MIN(n, to->len - to_col);
    if (!n) return;
    vt_row_reach(to, to_col + n);
    unsigned real = from->n > from_col ? MIN(from->n - from_col, n) : 0;
    if (real) memmove(to->cells + to_col, from->cells + from_col, real * sizeof *to->cells);
    for (unsigned i = real; i < n; i++)
        to->cells[to_col + i] = cell_empty(from->tail, 0);
}

void vt_row_fini(struct vt_row *row) {
    free(row->cells);
    *row = (struct vt_row){0};
}
