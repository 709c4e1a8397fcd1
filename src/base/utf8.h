/* UTF-8: validation, and cutting without breaking a character. */
#pragma once

#include "base/span.h"

/* Length of the well-formed sequence at the start of `s` (1–4), 0 when it is malformed or cut short. Overlong
 * forms, surrogates and code points past U+10FFFF are malformed. */
size_t utf8_sequence(struct span s);

/* How much of malformed bytes at the start of `s` counts as one character (U+FFFD), as Unicode recommends and browsers do it: what
 * could have begun one, at least a byte. */
size_t utf8_bad_part(struct span s);

bool utf8_valid(struct span s);

/* The code point of a well-formed sequence, whole. */
uint32_t utf8_decode(struct span sequence);

/* The longest prefix of at most `units` UTF-16 code units (how the wire's limits count), never in mid-character.
 * Malformed bytes count as one unit each. */
struct span utf8_cut_units(struct span s, size_t units);

/* The longest prefix of at most `bytes` bytes that does not end in mid-character. */
struct span utf8_cut_bytes(struct span s, size_t bytes);

/* Encodes a code point into `out` and returns its length (1–4). */
size_t utf8_encode(uint32_t code, char out[4]);
