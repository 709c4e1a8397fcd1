/* The parts of a terminal, for the files that make one up. */
#pragma once

#include "term/vt.h"
#include "term/vt_parser.h"
#include "term/vt_scrollback.h"
#include "term/vt_style.h"

enum { VT_COLS_MIN = 2, VT_ROWS_MIN = 1 };
enum { VT_CHARSETS = 4, VT_TITLE_STACK = 10, VT_PALETTE = 256, VT_COMMAND_BYTES_MAX = 4096 };

struct vt_saved {
    unsigned x;
    int64_t y; /* rows below the oldest line of scrollback, as in xterm.js */
    uint32_t fg, bg;
    uint16_t attrs;
    uint8_t charset;
};

struct vt_screen {
    struct vt_row *rows; /* a ring; NULL while the alternate screen is not shown */
    unsigned head;       /* where the top row is */
    unsigned x, y;       /* x == cols: the next character wraps */
    unsigned top, bottom;
    struct vt_saved saved;
    uint64_t tabs[(VT_COLS_MAX + 64) / 64];
};

/* Where the command line begins that is being typed. */
struct vt_prompt {
    bool known;
    uint64_t line; /* as counted by vt_line_number() */
    unsigned col;
    struct buf said; /* what the shell said it is (OSC 633) */
};

/* Colours that the program has set; COLOR_DEFAULT = it has not. */
struct vt_colors {
    uint32_t foreground, background; /* ours */
    uint32_t set_foreground, set_background, set_cursor;
    uint32_t *palette; /* NULL until one is set */
};

/* Rows that are on no screen just now, but in use; a stack. */
struct vt_work {
    const struct vt_row *rows;
    unsigned n;
    struct vt_work *below;
};

/* The line of scrollback that was looked at last, unpacked. */
struct vt_look {
    uint64_t line; /* its number: lines do not change while they are there */
    struct vt_row row;
};

struct vt {
    unsigned cols, rows;
    struct vt_screen main, alt, *scr;
    struct vt_scrollback scrollback;
    uint64_t lines_scrolled;

    struct vt_pen pen;
    uint8_t
        join; /* how a mark would join what was written last: its width << 1 | is itself a mark; 0 = not at all */
    bool in_run; /* characters are being written, with nothing else in between */
    uint8_t charset, charsets[VT_CHARSETS], level; /* in use; G0…G3; which of them */
    struct vt_modes modes;
    bool cursor_hidden, cursor_blinks;

    struct vt_intern styles, clusters, links;
    struct vt_work *work;

    struct vt_parser parser;
    struct buf title, titles[VT_TITLE_STACK];
    unsigned title_depth;
    struct vt_colors colors;
    struct vt_prompt prompt;

    /* A screen that is drawn only to know where its characters came from (term/redact_screen): instead of style and link, cells
     * have the number of their character; `trace` is the next one's, and was that of the byte at `traced_from`. */
    bool traced;
    uint32_t trace, trace_begin;
    const uint8_t *traced_from;

    bool answering;
    const struct vt_ops *ops;
    void *user;
    struct vt_look *look; /* NULL = none */
};

static inline unsigned vt_cols_inside(unsigned cols) {
    return cols < VT_COLS_MIN ? VT_COLS_MIN : MIN(cols, VT_COLS_MAX);
}
static inline unsigned vt_rows_inside(unsigned rows) {
    return rows < VT_ROWS_MIN ? VT_ROWS_MIN : MIN(rows, VT_ROWS_MAX);
}
static inline struct vt_row *vt_screen_row(const struct vt *vt, const struct vt_screen *s, unsigned y) {
    unsigned at = s->head + y;
    return &s->rows[at >= vt->rows ? at - vt->rows : at];
}
static inline struct vt_row *vt_cursor_row(const struct vt *vt) {
    return vt_screen_row(vt, vt->scr, vt->scr->y);
}
/* A row of the main screen (negative: scrollback), counted from the first line there ever was. */
static inline uint64_t vt_line_number(const struct vt *vt, int row) {
    return vt->lines_scrolled + (uint64_t)(int64_t)row;
}

/* vt_screen.c: rows and where the cursor may be */
void vt_screen_open(struct vt *vt, struct vt_screen *s, uint16_t style);
void vt_screen_close(struct vt *vt, struct vt_screen *s);
void vt_screen_reset(struct vt *vt, struct vt_screen *s);
void vt_tabs_reset(struct vt_screen *s, unsigned cols);
void vt_scroll(struct vt *vt, bool wrapped);
/* Rows `top`…`bottom` move up by n (negative: down), blank ones of that style come in. */
void vt_screen_shift(struct vt *vt, unsigned top, unsigned bottom, int n, uint16_t style);
void vt_cursor_restrict(struct vt *vt, unsigned max_col);
void vt_cursor_set(struct vt *vt, int64_t x, int64_t y);
void vt_cursor_move(struct vt *vt, int64_t dx, int64_t dy);
void vt_cursor_save(struct vt *vt);
void vt_cursor_restore(struct vt *vt);
void vt_switch_alternate(struct vt *vt);
void vt_switch_main(struct vt *vt);

/* vt_print.c */
const uint8_t *vt_print_ascii(struct vt *vt, const uint8_t *p, const uint8_t *end);
void vt_print(struct vt *vt, const uint32_t *codes, size_t n);

/* vt_control.c */
void vt_execute(struct vt *vt, uint32_t code);
void vt_esc(struct vt *vt, uint32_t ident);
void vt_index(struct vt *vt);
void vt_reset(struct vt *vt);
void vt_reset_modes(struct vt *vt);

/* vt_charset.c */
uint32_t vt_charset_map(uint8_t charset, uint32_t code);
bool vt_charset_find(char final, uint8_t *ret);
char vt_charset_final(uint8_t charset);

void vt_look_forget(struct vt *vt);
/* vt_look.c: the text of a row's columns, blanks at its end left out */
void vt_row_range(const struct vt *vt, int row, unsigned from, unsigned to, struct buf *out);
/* vt_line.c: the code points of a cluster, at most VT_CLUSTER_BYTES_MAX */
size_t vt_cluster_codes(const struct vt *vt, uint32_t cluster, uint32_t *ret);
/* vt_reflow.c: the lines of the main screen and the scrollback flow into another number of columns */
void vt_reflow(struct vt *vt, unsigned cols);

void vt_csi(struct vt *vt, uint32_t ident);          /* vt_csi.c */
void vt_erase(struct vt *vt, uint32_t ident);        /* vt_erase.c */
void vt_mode(struct vt *vt, bool set, bool private); /* vt_mode.c */
void vt_sgr(struct vt *vt);                          /* vt_sgr.c */
void vt_osc(struct vt *vt, struct span text);        /* vt_osc.c */
void vt_title_push(struct vt *vt);
void vt_title_pop(struct vt *vt);
void vt_mark_said(struct vt *vt, struct span text);           /* vt_prompt.c */
void vt_dcs(struct vt *vt, uint32_t ident, struct span text); /* vt_query.c */
