/* A borrowed run of bytes. Owns nothing, ends with nothing: most of what comes from outside is looked at as spans. */
#pragma once

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *p;
    size_t n;
};

#define SPAN(literal) ((struct span){("" literal), sizeof(literal) - 1})
#define SPAN_NONE ((struct span){NULL, 0})
/* For printf: printf("%.*s", SPAN_ARG(s)). */
#define SPAN_ARG(s) (int)(s).n, (s).p ? (s).p : ""

static inline struct span span_of(const char *p, size_t n) {
    return (struct span){p, n};
}

static inline struct span span_str(const char *cstr) {
    return (struct span){cstr, cstr ? strlen(cstr) : 0};
}

static inline bool span_eq(struct span a, struct span b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool span_eq_str(struct span a, const char *cstr) {
    return span_eq(a, span_str(cstr));
}

static inline bool span_starts(struct span s, struct span prefix) {
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool span_ends(struct span s, struct span suffix) {
    return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* What is left after the first `n` bytes (nothing when there are fewer). */
static inline struct span span_skip(struct span s, size_t n) {
    size_t cut = n < s.n ? n : s.n;
    return span_of(cut ? s.p + cut : s.p, s.n - cut);
}

static inline struct span span_take(struct span s, size_t n) {
    return span_of(s.p, n < s.n ? n : s.n);
}

/* Cuts the part before the next `sep` off `*s` and returns it; the whole rest when there is none. */
struct span span_split(struct span *s, char sep);

/* The next word of a line of words with one or more blanks between them; empty when there is none. */
struct span span_word(struct span *s);

/* Without ASCII white space at both ends. */
struct span span_trim(struct span s);

/* ASCII case-insensitive. */
bool span_ieq(struct span a, struct span b);
bool span_istarts(struct span s, struct span prefix);
bool span_icontains(struct span s, struct span needle);

/* Decimal digits only, no sign, no overflow; false otherwise. */
bool span_u64(struct span s, uint64_t *ret);

enum { SPAN_DIGITS = 20 };
/* The other way: the digits of `v`, in `out`. For programs without printf. */
struct span span_digits(char out[SPAN_DIGITS], uint64_t v);
