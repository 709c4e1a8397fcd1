/* JSON into a fixed buffer: all that the hook needs, without an allocator. What does not fit is left out
 * whole. */
#pragma once

#include "base/span.h"

enum { OUT_VALUE_MAX = 1024 }; /* of a value's own bytes, before escaping */

struct out {
    char *p;
    size_t n;
    size_t cap;
    bool full; /* something did not fit; cleared by out_rewind() */
};

void out_raw(struct out *o, struct span s);
void out_u64(struct out *o, uint64_t v);

/* A JSON string: `s` cut to OUT_VALUE_MAX bytes between characters, escaped, malformed UTF-8 as '?'. */
void out_string(struct out *o, struct span s);

/* ,"key":value — members after the first; one that does not fit leaves no trace. */
void out_member_string(struct out *o, const char *key, struct span value);
void out_member_u64(struct out *o, const char *key, uint64_t value);
void out_member_true(struct out *o, const char *key);

/* Takes everything behind `n` back. */
void out_rewind(struct out *o, size_t n);
