/*
 * What somebody who is attached sees: a terminal's screen, then its output as it comes, and now and then a note of our own
 * over its last line. A screen of our own, of the outer terminal's size, follows along: it is what the outer one shows, so
 * that the note leaves no trace and everything is left in order. Draws into a buffer; pure.
 */
#pragma once

#include "base/buf.h"
#include "cli/filter.h"
#include "cli/tap.h"
#include "term/vt.h"

enum { PAINT_OUT_MAX = 128 << 20, PAINT_NOTE_BYTES = 160 };

/* What only paint_leave() undoes otherwise: the title that was put aside, and the tab stops where the terminal knows how. */
#define PAINT_UNDO "\x1b[?5W\x1b[23;0t"

struct paint {
    struct vt *vt;
    struct filter filter;
    struct buf out;                     /* for the outer terminal; its owner writes it and clears it */
    unsigned cols, rows;                /* of the outer terminal */
    bool begun;                         /* something of it is on the screen */
    bool noted;                         /* the note is */
    char title[VT_TITLE_BYTES_MAX + 1]; /* the program's, where it was shown */
    size_t title_n;
    bool titled;
    const struct vt_ops *ops;
    void *user;
};

/* `ops` are told what the program asks and says from now on. */
void paint_init(struct paint *p, unsigned cols, unsigned rows, const struct vt_ops *ops, void *user);
void paint_fini(struct paint *p);

void paint_screen(struct paint *p, const struct tap_screen *s);
void paint_output(struct paint *p, struct span bytes);
void paint_gap(struct paint *p);
/* The outer terminal has another size. */
void paint_resize(struct paint *p, unsigned cols, unsigned rows);
void paint_again(struct paint *p);

/* Over the last line, as much of it as fits, until it is taken away; output takes it away, too. */
void paint_note(struct paint *p, const char *text);
void paint_clear_note(struct paint *p);

/* The outer terminal as it was, with the cursor on a free line below what was shown; `in_place`, where it is: somebody else
 * writes there already. */
void paint_leave(struct paint *p, bool in_place);
