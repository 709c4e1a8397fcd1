/*
 * A terminal's screen: bytes in, cells out. It understands what xterm.js understands, cell by cell, cursor, attributes and
 * modes, because both show the same terminal; test/e2e/vt_oracle holds it to that. Any bytes are fine, in pieces of any size,
 * and cost bounded memory.
 *
 * Rows are numbered from the top of the screen; negative ones are the scrollback, -1 the newest.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

#include <stdint.h>

enum {
    VT_COLS_MAX = 1000, /* sizes outside 2…1000 × 1…500 are brought inside */
    VT_ROWS_MAX = 500,
    VT_SCROLLBACK = 10000,       /* lines, unless told otherwise */
    VT_OSC_BYTES_MAX = 64 << 10, /* a longer string is swallowed whole */
    VT_TITLE_BYTES_MAX = 1024,
    VT_LINK_BYTES_MAX = 2048,
};

/* Where a shell is, as it says by OSC 133. */
enum vt_mark { VT_MARK_PROMPT, VT_MARK_INPUT, VT_MARK_OUTPUT, VT_MARK_DONE };

/* What it tells its owner, all from within vt_feed(). Any may be NULL. Spans are valid during the call. */
struct vt_ops {
    void (*reply)(void *user, struct span bytes); /* the answer to a query, for the program */
    void (*title)(void *user, struct span title);
    void (*directory)(void *user, struct span uri);        /* OSC 7, as it came: file://host/path */
    void (*mark)(void *user, enum vt_mark mark, int exit); /* exit of VT_MARK_DONE; -1 = not said */
    void (*command)(void *user, struct span text); /* the command line that was typed, at VT_MARK_OUTPUT */
    void (*clipboard)(void *user, struct span base64); /* OSC 52 sets it; a query of it is never answered */
    void (*bell)(void *user);
};

struct vt;

/* `scrollback` 0 keeps none. */
struct vt *vt_new(unsigned cols, unsigned rows, unsigned scrollback, const struct vt_ops *ops, void *user);
void vt_free(struct vt *vt); /* NULL is fine */
void vt_set_ops(struct vt *vt, const struct vt_ops *ops, void *user);

void vt_feed(struct vt *vt, const char *p, size_t n);
/* As xterm.js does it: wrapped lines flow anew on the main screen, the alternate one is cut. */
void vt_resize(struct vt *vt, unsigned cols, unsigned rows);
/* Bytes are missing here: whatever sequence was begun is given up. */
void vt_gap(struct vt *vt);
/* The program is gone and another one will start below: what is on the screen goes up into the scrollback, modes and
 * attributes are as in the beginning. */
void vt_restart(struct vt *vt);

/* Queries are answered (the default), or not: what is being replayed had its answers. */
void vt_set_answering(struct vt *vt, bool answering);
/* What OSC 10 and 11 are answered with, 0xRRGGBB. */
void vt_set_colors(struct vt *vt, uint32_t foreground, uint32_t background);

/* The whole screen as escape sequences that bring a fresh terminal of the same size, in whatever state it is, to the same
 * one: reset, at most `lines` of scrollback, screens, attributes, modes, margins, tabs, title, cursor. */
void vt_snapshot(const struct vt *vt, unsigned lines, struct buf *out);

/* The same for a terminal of whatever size: rows below the cursor that show nothing are left out, so that in a smaller one
 * nothing scrolls away for them, and the cursor is put where it belongs from there. Margins, and what was saved of the
 * cursor, mean rows of another screen and are left out, too. */
void vt_snapshot_unsized(const struct vt *vt, unsigned lines, struct buf *out);

/* Everything, for the disk; bytes of a version of their own, not for other programs. */
void vt_save(const struct vt *vt, struct buf *out);
/* -EBADMSG with a sentence when they are not, or damaged. */
int vt_load(struct span saved, const struct vt_ops *ops, void *user, struct vt **ret, struct err *err);

/* To look at */

struct vt_color {
    uint8_t kind; /* 0 default, 1 palette (`value` 0…255), 2 RGB (0xRRGGBB) */
    uint32_t value;
};

enum vt_attr {
    VT_BOLD = 1 << 0,
    VT_DIM = 1 << 1,
    VT_ITALIC = 1 << 2,
    VT_BLINK = 1 << 3,
    VT_INVERSE = 1 << 4,
    VT_INVISIBLE = 1 << 5,
    VT_STRIKE = 1 << 6,
    VT_OVERLINE = 1 << 7,
};

struct vt_cell {
    char text[64]; /* UTF-8, NUL behind it; "" when nothing was written there */
    uint8_t text_bytes;
    uint8_t width;     /* 1, 2, or 0 for the right half of a wide one */
    uint16_t attrs;    /* enum vt_attr */
    uint8_t underline; /* 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed */
    struct vt_color foreground, background, underline_color;
    uint32_t link; /* 0 none; the same number = the same link */
};

struct vt_view {
    unsigned cols, rows;
    unsigned cursor_col, cursor_row; /* col == cols: the next character wraps */
    bool cursor_visible, alternate;
    unsigned scrollback;     /* lines there are */
    uint64_t lines_scrolled; /* ever, off the top of the main screen */
};

void vt_view(const struct vt *vt, struct vt_view *ret);
void vt_cell(const struct vt *vt, int row, unsigned col, struct vt_cell *ret);
/* Does the row go on in the next one? */
bool vt_row_wraps(const struct vt *vt, int row);
/* A row's text without what is blank at its end. */
void vt_row_text(const struct vt *vt, int row, struct buf *out);
struct span vt_title(const struct vt *vt);
/* A link's target, for a number of vt_cell(). */
struct span vt_link(const struct vt *vt, uint32_t link);

/* Modes, for tests and for who types into it. */
struct vt_modes {
    bool application_cursor, application_keypad, origin, wrap, insert, newline, bracketed_paste, focus,
        synchronized, reverse_wrap, win32_input;
    unsigned mouse;                     /* 0, 9, 1000, 1002, 1003 */
    unsigned mouse_encoding;            /* 0, 1005, 1006, 1015, 1016 */
    unsigned cursor_style;              /* DECSCUSR, 0…6 */
    unsigned scroll_top, scroll_bottom; /* rows, inclusive */
};
void vt_modes(const struct vt *vt, struct vt_modes *ret);

/* Bytes that it has allocated. */
size_t vt_memory(const struct vt *vt);
