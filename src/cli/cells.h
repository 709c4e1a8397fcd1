/* Text from outside in the cells of a terminal: only what may be shown (base/shown), and no wider than there is room. Pure. */
#pragma once

#include "base/buf.h"

/* Appends a text, at most `width` cells of it; a … stands for what is cut off. Returns how many cells that takes. */
size_t cells_append(struct span text, size_t width, struct buf *out);
