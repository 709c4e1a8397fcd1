/*
 * JSON that we only look at: finds members of an object as spans, without building a tree and without allocating.
 * What lies deeper than the wanted members is skipped, not checked; jvalid() is the strict check.
 *
 * The block scanner is chosen once at run time (AVX2, SSE2, plain C); all give the same answers.
 */
#pragma once

#include "base/arena.h"

/* Longest name of a wanted member, longest text of a number that is read, deepest nesting that is checked. */
enum { JSCAN_NAME_MAX = 256, JSCAN_NUMBER_MAX = 512, JVALID_DEPTH_MAX = 4096 };

enum jkind { JKIND_NONE, JKIND_NULL, JKIND_BOOL, JKIND_NUMBER, JKIND_STRING, JKIND_ARRAY, JKIND_OBJECT };

/* A wanted member of an object. `name` is the key as a program sees it, after unescaping: it is found in any
 * spelling ("\u0075uid" is "uuid"). `value` is the raw JSON text of the value, empty when absent. */
struct jmember {
    struct span name;
    struct span value;
};

#define JMEMBER(literal) ((struct jmember){.name = SPAN(literal)})

/* Fills in the `value` of each wanted member found at depth 1 of the object `doc` (white space around it allowed);
 * of members that occur twice the last one counts, as in every common parser. Returns how many were found, or
 * -EINVAL when `doc` is not one object with balanced brackets and strings; then all values are empty. */
int jscan_object(struct span doc, struct jmember *wanted, size_t count);

/* One step through an array: cuts the first element off `*rest` (which starts as the whole array's raw text, and is
 * opaque afterwards). Returns 1 with the element's raw text, 0 at the end, -EINVAL when malformed. */
int jscan_array_next(struct span *rest, struct span *ret_element);

/* The same through an object's members, in the order of the text: the raw key (a string value) and the raw value. */
int jscan_member_next(struct span *rest, struct span *ret_key, struct span *ret_value);

/* How many bytes the value takes that `text` begins with; 0 when there is none. */
size_t jscan_value(struct span text);

/* What kind of value a raw text is, by its first byte. */
enum jkind jscan_kind(struct span value);

/* Decodes a raw string value. Without escapes it is a span into `value`, otherwise a copy in `arena`.
 * -EINVAL: not a string or bad escapes (lone surrogates included); -ENOBUFS: the arena is full. */
int jscan_string(struct span value, struct arena *arena, struct span *ret);

/* The text of a raw string value for people; empty for anything else. A NUL, which would end it early elsewhere, is a '?'. */
struct span jscan_text(struct span value, struct arena *arena);

/* These return false, and leave `*ret` alone, when the raw value is of another kind or does not fit. */
bool jscan_bool(struct span value, bool *ret);
bool jscan_i64(struct span value, int64_t *ret);   /* integers only, no fraction or exponent */
bool jscan_double(struct span value, double *ret); /* any JSON number within the range of a double */

/* Strict RFC 8259 check of one whole document: grammar, UTF-8, control characters, escapes, surrogate pairs,
 * at most `max_depth` levels (never more than JVALID_DEPTH_MAX). 0 or -EINVAL. */
int jvalid(struct span doc, unsigned max_depth);

/* Which block scanner runs; tests and benchmarks force one. Returns false when this CPU cannot. */
enum jscan_engine { JSCAN_SCALAR, JSCAN_SSE2, JSCAN_AVX2 };
bool jscan_use(enum jscan_engine engine);
enum jscan_engine jscan_engine(void);
