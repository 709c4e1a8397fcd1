/*
 * Lines of JSON of which only a few members are wanted, at the speed of memory: each line is one object, checked from
 * end to end as strictly as JSON.parse would, and the places of wanted members at depth 1 come out.
 *
 * The fast scanner knows what ordinary writers write (no white space between tokens, at most 64 levels, keys
 * without escapes). Where it is not sure it says so, and jpush() decides, which knows everything.
 */
#pragma once

#include "base/jscan.h"

/* A name, even with each of its bytes spelled as an escape, is shorter than a block: so the first or the last block of a
 * key that may be a wanted one has all of its escapes in sight. */
enum { JLINE_WANTED_MAX = 8, JLINE_PADDING = 64, JLINE_NAME_MAX = 10 };

/* The wanted keys, of 1 to JLINE_NAME_MAX bytes. The last of several members with the same key counts. */
struct jline_names {
    struct span v[JLINE_WANTED_MAX];
    size_t n;
    uint8_t slots[64]; /* which of them have this length and first byte, hashed, as bits */
    uint64_t heads[JLINE_WANTED_MAX],
        masks[JLINE_WANTED_MAX]; /* their first 8 bytes, and which of those count */
};

struct jline_names jline_names_of(const struct span *names, size_t n);

struct jline {
    size_t n;                    /* bytes of the line, without its '\n' */
    size_t at[JLINE_WANTED_MAX]; /* where the values begin; 0: absent */
};

/* Looks at the line that begins at `p`. There must be a '\n' within `n` bytes, and JLINE_PADDING readable bytes behind
 * them, whatever they are. true: the line is valid and all of `*ret` is filled in; false: not sure, only its length. */
bool jline_scan(const struct jline_names *names, const char *p, size_t n, struct jline *ret);
