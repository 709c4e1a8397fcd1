/* Rows written as escape sequences, each onto a blank row of a terminal that was just reset. */
#pragma once

#include "term/vt_int.h"

struct vt_ansi {
    struct vt *vt;
    struct buf *out;
    struct vt_style style; /* what the terminal's pen is */
    uint16_t link;
    unsigned x;     /* where its cursor is; == cols: the next character wraps */
    unsigned moved; /* columns that the cursor has yet to go right */
    int dirty;      /* a column that is not blank any more; -1 = none */
    bool unsized;   /* the terminal may have more or fewer rows: nothing is said by a row's number */
    unsigned below; /* unsized: rows that its cursor is below ours */
};

/* The parameters of the SGR that leads to a style, from the default one when `full`. */
void vt_write_sgr(struct buf *out, const struct vt_style *style, bool full);

void vt_ansi_style(struct vt_ansi *a, const struct vt_style *style);
void vt_ansi_link(struct vt_ansi *a, uint16_t link);
/* The cursor, to a column of its row. */
void vt_ansi_column(struct vt_ansi *a, unsigned col);
/* `goes_on`: the next row is one that it wraps into, and its last cell is for vt_ansi_next(). */
void vt_ansi_row(struct vt_ansi *a, const struct vt_row *row, bool goes_on);
/* A packed line, unpacked into `work` where that is needed. */
void vt_ansi_line(struct vt_ansi *a, struct span line, bool goes_on, struct vt_row *work);
/* From a row down to the next one, by a line feed, or by wrapping where that goes on from it. */
void vt_ansi_next(struct vt_ansi *a, const struct vt_row *from, const struct vt_row *to);
/* One cell's text, wherever the cursor is. */
void vt_ansi_text(struct vt_ansi *a, struct cell cell);
