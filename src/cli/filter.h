/*
 * What of a program's output the terminal that we run in gets to see. Left out is whatever would make it answer: queries are
 * answered elsewhere, by the one screen that everybody shares, and a second answer would be typed into the program. Left out,
 * too, is what changes how keys are sent in ways that other viewers do not have, or moves and resizes the window. Pure;
 * output may come in pieces of any size.
 */
#pragma once

#include "base/buf.h"

enum { FILTER_HOLD_BYTES = 1024 };

struct filter {
    bool soft; /* a snapshot is passing: the outer terminal is not ours to reset as a whole */
    int state;
    bool colours;                 /* it has let a change of the palette pass */
    bool latin;                   /* within a string: the first byte of what may be its end */
    size_t n;                     /* bytes of a sequence that is not decided yet */
    char held[FILTER_HOLD_BYTES]; /* from its ESC on */
};

#define FILTER_INIT ((struct filter){0})

/* Appends to `out` what may pass. */
void filter_feed(struct filter *f, struct span bytes, struct buf *out);
