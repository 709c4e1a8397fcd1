/* Words in lines of a width. Pure. */
#pragma once

#include "base/buf.h"

/* How many characters a text has; a byte that is no UTF-8 counts as one. */
size_t wrap_count(struct span text);

/* Appends the words of a text and a line's end. The first line begins at column `at`, later ones at `indent`; one ends before `width`,
 * unless a single word is longer. Several blanks between words stay. */
void wrap_words(struct buf *out, struct span text, size_t at, size_t indent, size_t width);
