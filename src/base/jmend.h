/*
 * JSON that somebody else wrote, made strictly valid: programs cut strings in the middle of a character, print bytes as they
 * come, nest without end, write NaN. What was meant is plain all the same, so that is kept:
 *
 *   lone surrogates, bytes that are no UTF-8     U+FFFD, one for each piece, as browsers do it
 *   control bytes in a string                    escaped
 *   a backslash before what needs none           a backslash
 *   NaN, Infinity, 007 and other bare words      null
 *   what lies deeper than is wanted              null
 *   a byte order mark before, anything behind    left out
 *
 * Brackets, commas and colons must be right. Whoever reads the result may copy any part of it to a browser.
 */
#pragma once

#include "base/arena.h"

/* The value that `text` begins with, as valid JSON of at most `max_depth` levels: a part of `text` when nothing had to be mended,
 * else a copy in `arena`. -EBADMSG: it is no JSON; -ENODATA: it ends too early; -ENOBUFS: the arena is full. */
int jmend(struct span text, unsigned max_depth, struct arena *arena, struct span *ret);
