/*
 * What of a program's output the terminal that we run in gets to see: an allow-list. It takes sequences apart as the screen does
 * (term/vt_states), and those that are on the list (filter_list) are written anew: seven bits, numbers as numbers, whole. Nothing
 * else passes, begun or ended: no question, because those are answered by the one screen that everybody shares; nothing that
 * changes how keys are sent in ways that other viewers do not have; nothing for the window, the clipboard, the palette, the
 * scrollback or the machine. Titles are left out, too: cli/paint sets the one that the screen has. Pure; output may come in
 * pieces of any size.
 */
#pragma once

#include "base/buf.h"
#include "term/vt_parser.h"

enum { FILTER_OSC_BYTES = 4096 };

struct filter {
    bool soft;     /* a snapshot is passing: whoever sends it has reset the terminal */
    bool tabs;     /* it has let a change of tab stops pass */
    unsigned cols; /* of the terminal, for the tab stops of a reset */
    struct vt_parser parser;
    size_t osc_n;
    char osc[FILTER_OSC_BYTES]; /* the string so far; what is longer is none that passes */
};

#define FILTER_INIT ((struct filter){0})

/* Appends to `out` what may pass. */
void filter_feed(struct filter *f, struct span bytes, struct buf *out);
/* Gives up whatever sequence was begun. */
void filter_gap(struct filter *f);
/* A tab stop every eight columns, as terminals begin; the cursor goes to the first column. */
void filter_reset_tabs(unsigned cols, struct buf *out);
