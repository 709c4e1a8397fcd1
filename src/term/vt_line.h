/*
 * A row packed into bytes that stand for themselves, for the scrollback and the disk: flags, number of cells, UTF-8, then runs
 * of styles. Any row comes back cell by cell as it was, whatever state it was in; empty cells at its end are left out unless
 * they have a colour. Bytes below 0x20, which no cell can hold, say what is not plain text.
 */
#pragma once

#include "base/buf.h"
#include "term/vt_row.h"

enum {
    LINE_WRAPPED = 1, /* goes on from the line above */
    LINE_STYLED = 2,  /* runs follow the text */
    LINE_MARKED = 4,  /* the text has such bytes */
    LINE_LINKS = 8,
};

/* Bytes of `text` that mean something else. */
enum {
    LINE_EMPTY = 0,   /* an empty cell */
    LINE_EMPTIES = 1, /* so many: a number follows */
    LINE_JOIN = 2,    /* what follows joins the cell before */
    LINE_WIDTH =
        3, /* a byte follows: the width of the next cell, which is not what its character says (and no half follows) */
    LINE_STUB = 4, /* the right half of a wide character, where it is not expected */
};

struct vt;

struct vt_line_head {
    uint8_t flags;
    unsigned cells;
    struct span text;
    const uint8_t *runs, *end;
};

/* Most bytes that a row of so many cells can take. */
size_t vt_line_bytes_max(unsigned cells);
/* Packs into `room` bytes at `p`; 0 when they are too few. */
size_t vt_line_pack(const struct vt *vt, const struct vt_row *row, uint8_t *p, size_t room);
/* False when the bytes are no line. */
bool vt_line_head(struct span line, struct vt_line_head *ret);
/* Into a row of `len` columns, `row` may have memory of its own. False when the bytes are no line. */
bool vt_line_unpack(struct vt *vt, struct span line, unsigned len, struct vt_row *row);
/* Numbers of seven bits a byte. Read: NULL when cut short or too large. */
uint8_t *vt_varint_put(uint8_t *p, uint64_t n);
const uint8_t *vt_varint_get(const uint8_t *p, const uint8_t *end, uint64_t *ret);
