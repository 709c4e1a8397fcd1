/*
 * The lines of the main screen and its scrollback flow into another number of columns, as in xterm.js: rows that go on in the
 * next one become one line and are cut anew; the lines that the cursor is in are left to the program.
 *
 * All lines are held packed meanwhile; only those that flow are unpacked, group by group.
 */
#pragma once

#include "base/arena.h"
#include "term/vt_int.h"

/* Lines that come behind line `at` - 1. */
struct vt_flow_insert {
    int64_t at;
    struct span *lines; /* NULL: they are so far up that they will not be kept */
    int64_t n;
};

struct vt_flow {
    struct vt *vt;
    struct arena memory;
    unsigned old_cols, cols, rows;
    struct span *lines; /* those that were; what xterm.js has popped is still looked at */
    bool *gone;
    int64_t n, max;
    int64_t base, y, saved_y;       /* lines above the screen; the cursor's row; the saved one, in lines */
    struct vt_flow_insert *inserts; /* from the bottom up */
    size_t inserts_n, inserts_room;
    int64_t inserted;
    struct vt_row *group; /* rows in work, with `group_n` of them in use */
    unsigned group_n, group_room;
    uint8_t *packed; /* room for one */
    size_t packed_room;
};

/* Lines `first`… into the group's rows, `len` long. */
void vt_flow_load(struct vt_flow *f, int64_t first, unsigned n, unsigned len);
void vt_flow_add_rows(struct vt_flow *f, unsigned n);
struct span vt_flow_pack(struct vt_flow *f, struct vt_row *row);
bool vt_flow_wrapped(const struct vt_flow *f, int64_t line);
/* The columns of a row of the group that count. */
unsigned vt_flow_length(const struct vt_flow *f, unsigned row, unsigned rows);

void vt_flow_wider(struct vt_flow *f);    /* vt_reflow_wider.c */
void vt_flow_narrower(struct vt_flow *f); /* vt_reflow_narrower.c */
