/* Text from outside in the cells of a terminal: only what may be shown (base/shown), and no wider than there is room. Pure. */
#pragma once

#include "base/buf.h"

/* Appends a text, at most `width` cells of it; a … stands for what is cut off. Returns how many cells that takes. */
size_t cells_append(struct span text, size_t width, struct buf *out);

/* How a text is laid out in lines. The words before a line are ours, and are not counted as text. */
struct cells_margin {
    struct span first; /* before each line of the text */
    struct span more;  /* before the rest of a line that did not fit */
    size_t indent;     /* cells that either takes */
    size_t width;      /* cells of a line, with the indent; SIZE_MAX: lines are as long as they are */
    struct span end;   /* behind each line: an end of colour */
};

/* Appends the whole of a text: its own lines, each broken where there is no more room, between words if possible. */
void cells_wrap(struct span text, const struct cells_margin *margin, struct buf *out);
