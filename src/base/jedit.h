/*
 * Small changes to a JSON text that somebody else owns: what is not changed keeps its bytes, order, indentation, line ends and
 * comments (// and C's, which some programs allow in their settings). New members are written the way their neighbours are.
 * Removing what was added gives the first text back, byte for byte. Pure.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { JEDIT_DEPTH_MAX = 256 };

/* A step into the text: a member's name, or an element's index when `name` is empty. */
struct jedit_step {
    struct span name;
    size_t index;
};

#define JEDIT_NAME(literal) ((struct jedit_step){.name = SPAN(literal)})
#define JEDIT_INDEX(i) ((struct jedit_step){.index = (i)})

/* What an object or an array holds. */
struct jedit_child {
    struct span name; /* as it is written, with its quotes; empty in an array */
    struct span value;
};

/* Strict but for comments and a byte order mark; the sentence says what is wrong, with line and column. A text of nothing but white
 * space and comments is fine: it holds no value. */
int jedit_check(struct span text, struct err *err);

/* Is there no value in it? */
bool jedit_is_blank(struct span text);

/* The raw value at a path, as a span of `text`; false when there is none. Of members of one name the last counts, as in every common
 * parser. */
bool jedit_find(struct span text, const struct jedit_step *path, size_t depth, struct span *ret);

/* The next child of a raw value that was found in a checked text; `child` is zeroed before the first. */
bool jedit_next(struct span container, struct jedit_child *child);

/* Where a place in the text is, for people: line and character, from 1 on. */
void jedit_place(struct span text, const char *at, size_t *ret_line, size_t *ret_column);

/* Puts `value` (compact JSON, which is laid out like the text around it) at `path`: replaces what is there, adds a member behind
 * the last one of its object, or an element behind the last of its array (index = their count). Objects and arrays on the way that
 * are missing are made. A blank text counts as {}. Writes the new text to `out`, which is empty. */
int jedit_put(struct span text, const struct jedit_step *path, size_t depth, struct span value,
              struct buf *out, struct err *err);

/* Takes a member or an element away, with the comma and the white space that belong to it. -ENOENT: it is not there. */
int jedit_remove(struct span text, const struct jedit_step *path, size_t depth, struct buf *out,
                 struct err *err);
