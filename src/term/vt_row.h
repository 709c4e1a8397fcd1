/*
 * Cells and rows. A cell is eight bytes: a character (or the number of a cluster of combined ones), how wide it is, its
 * style's and its link's number. A row holds only the cells up to the last one that was written; behind them it goes on to
 * its end with empty cells of one style, `tail`. What the operations do at the edges of wide characters is what xterm.js does.
 */
#pragma once

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CELL_CODE = 0x1fffff,    /* of `content`: the code point, or the cluster's number; 0 = empty */
    CELL_CLUSTER = 1 << 21,  /* it is a cluster */
    CELL_CONTENT = 0x3fffff, /* anything of these: not empty */
    CELL_WIDTH_SHIFT = 22,   /* 0 right half of a wide one, or a mark without a character; 1; 2 */
    CELL_NARROW = 1 << 22,
};

struct cell {
    uint32_t content;
    uint16_t style; /* 0 = default */
    uint16_t link;  /* 0 = none */
};
_Static_assert(sizeof(struct cell) == 8, "a cell is a word");

struct vt_row {
    struct cell *cells;
    uint16_t n, room; /* cells that are there, and that fit */
    uint16_t len;     /* columns */
    uint16_t tail;
    bool wrapped; /* it goes on from the row above */
};

static inline unsigned cell_width(struct cell c) {
    return c.content >> CELL_WIDTH_SHIFT;
}
static inline struct cell cell_empty(uint16_t style, uint16_t link) {
    return (struct cell){.content = CELL_NARROW, .style = style, .link = link};
}
/* Right half of a wide character. */
static inline bool cell_is_stub(struct cell c) {
    return (c.content & (CELL_CONTENT | 3U << CELL_WIDTH_SHIFT)) == 0;
}

static inline struct cell vt_row_get(const struct vt_row *row, unsigned col) {
    return col < row->n ? row->cells[col] : cell_empty(row->tail, 0);
}
static inline unsigned vt_row_width(const struct vt_row *row, unsigned col) {
    return col < row->n ? cell_width(row->cells[col]) : 1;
}

void vt_row_grow(struct vt_row *row, unsigned room);
/* Makes the cells before `col` real ones. */
void vt_row_reach(struct vt_row *row, unsigned col);
void vt_row_set(struct vt_row *row, unsigned col, struct cell cell);
/* Blank, `len` long, not wrapped. */
void vt_row_clear(struct vt_row *row, unsigned len, uint16_t style);
/* Columns from `start` to before `end` become empty. */
void vt_row_erase(struct vt_row *row, unsigned start, unsigned end, uint16_t style);
void vt_row_insert(struct vt_row *row, unsigned col, unsigned n, struct cell cell);
void vt_row_delete(struct vt_row *row, unsigned col, unsigned n, struct cell cell);
void vt_row_resize(struct vt_row *row, unsigned len);
/* Columns up to the end of the last character. */
unsigned vt_row_trimmed(const struct vt_row *row);
/* As memmove, between rows or within one. */
void vt_row_copy(struct vt_row *to, unsigned to_col, const struct vt_row *from, unsigned from_col,
                 unsigned n);
void vt_row_fini(struct vt_row *row);
