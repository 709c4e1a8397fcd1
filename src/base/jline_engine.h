/*
 * The engines of jline_scan(), one of which is chosen at run time. Each finds bytes in its own way and includes jline_walk.h
 * behind that, which knows what to make of them. Internal to base/.
 */
#pragma once

#include "base/jblock_mask.h"
#include "base/jline.h"

/* As jline_scan(); false leaves `*ret` as it happens to be. */
typedef bool jline_engine(const struct jline_names *names, const char *p, size_t n, struct jline *ret);
jline_engine jline_scalar, jline_sse2, jline_avx2;

/* What an engine finds among the 64 bytes at `p`. */
struct jline_text {
    uint64_t backslash, quote, control;
};
struct jline_marks {
    uint64_t open, close, colon, comma;
};

/*
 * These are what it defines:
 *   struct jline_text jline_text(p)
 *   struct jline_marks jline_marks(p)
 *   uint64_t jline_equal(p, byte)
 *   uint64_t jline_digits(p)
 *   uint64_t jline_hex(p)
 *   uint64_t jline_escapable(p)     those that may follow a backslash; not necessarily all, 'u' never
 *   uint64_t jline_prefix_xor(bits)
 */
