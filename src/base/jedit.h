/*
 * Small changes to a JSON text that somebody else owns: what is not changed keeps its bytes, order, indentation, line ends and
 * comments (// and C's, which some programs allow in their settings). New members are written the way their neighbours are.
 * Removing what was added gives the first text back, byte for byte. Pure.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* A step into the text: a member's name, or an element's index when `name` is empty. */
struct jedit_step {
    struct span name;
    size_t index;
};

/* Strict but for comments; the sentence says what is wrong, with line and column. */
int jedit_check(struct span text, struct err *err);

/* The raw value at a path, as a span of `text`; false when there is none. */
bool jedit_find(struct span text, const struct jedit_step *path, size_t depth, struct span *ret);

/* Puts `value` (compact JSON, which is laid out like the text around it) at `path`: replaces what is there, adds a member behind
 * the last one of its object, or an element behind the last of its array (index = their count). Objects on the way that are
 * missing are made. An empty text counts as {}. Writes the new text to `out`. */
int jedit_put(struct span text, const struct jedit_step *path, size_t depth, struct span value,
              struct buf *out, struct err *err);

/* Takes a member or an element away, with the comma and the white space that belong to it. */
int jedit_remove(struct span text, const struct jedit_step *path, size_t depth, struct buf *out,
                 struct err *err);
