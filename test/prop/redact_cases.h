/* Random output for the properties of redaction: secrets as the built-in rules describe them, near misses, ordinary text. */
#pragma once

#include "base/buf.h"

/* Where the cases come from: the same seed makes the same ones everywhere. */
void cases_seed(uint64_t seed);
uint32_t cases_below(uint32_t limit);
static inline bool cases_one_in(uint32_t n) {
    return cases_below(n) == 0;
}

/* What an expression matches, or nearly: with `loose`, its counts are sometimes missed by one. Look-arounds are not obeyed. */
void cases_sample(struct buf *out, struct span expression, bool loose);

/* What one of the built-in rules describes, or nearly: tokens are counted first, then expressions, as their file lists them. */
void cases_secret(struct buf *out, size_t rule, bool loose);
/* A stream of at least so many bytes. */
void cases_stream(struct buf *out, size_t bytes);
/* Ordinary lines, in which hardly anything is like a secret, of at least so many bytes. */
void cases_ordinary(struct buf *out, size_t bytes);
