/*
 * Where may a pattern begin? Looks for the literals of all patterns at once, without case, so that ordinary output needs
 * nothing more: by three bytes at a time, whose tables say which literals agree with them. Where the CPU has AVX2, 32 places
 * at once are first looked at by half bytes.
 */
#pragma once

#include "base/span.h"
#include "term/redact_literal.h"

enum { PREFILTER_DEPTH = 3, PREFILTER_BITS = 63 };

/* Set for a byte that is no part of ordinary text: an escape, a control character other than white space. */
#define PREFILTER_ODD (1ULL << 63)

struct redact_prefilter {
    struct prefilter_entry {
        struct redact_literal literal;
        uint16_t pattern;
    } * v;
    size_t n;
    size_t longest; /* bytes of the longest literal */
    bool avx2;
    uint64_t bits[PREFILTER_DEPTH][256]; /* literal i is bit i % 63: those that may have this byte there */
    uint8_t low[PREFILTER_DEPTH][16],
        high[PREFILTER_DEPTH][16]; /* the same by half bytes, in eight buckets */
};

void redact_prefilter_init(struct redact_prefilter *f);
void redact_prefilter_fini(struct redact_prefilter *f);
void redact_prefilter_add(struct redact_prefilter *f, const struct redact_literal *literal, uint16_t pattern);

/* The first place at or behind `from` with an odd byte, or where a literal stands as far as the text goes; text.n when there
 * is none. */
size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from);

/* Bits of the literals that agree with the first bytes at `at`, and of an odd byte. */
static inline uint64_t redact_prefilter_bits(const struct redact_prefilter *f, struct span text, size_t at) {
    const unsigned char *p = (const unsigned char *)text.p + at;
    uint64_t bits = f->bits[0][p[0]];
    if (at + 1 < text.n) bits &= f->bits[1][p[1]];
    if (at + 2 < text.n) bits &= f->bits[2][p[2]];
    return bits;
}

/* Does the entry's literal stand at `at`, as far as the text goes? */
bool redact_prefilter_stands(const struct prefilter_entry *e, struct span text, size_t at);

/* for_each_agreeing(e, f, bits): every entry among `bits`. */
#define PREFILTER_FOR_EACH(e, f, set)                                                                \
    for (uint64_t left_ = (set) & ~PREFILTER_ODD; left_; left_ &= left_ - 1)                         \
        for (const struct prefilter_entry *e = (f)->v + __builtin_ctzll(left_); e < (f)->v + (f)->n; \
             e += PREFILTER_BITS)

/* The next candidate of the AVX2 engine: at or behind `from`, true or not; a place near the end that it does not look at when
 * there is none. */
size_t redact_prefilter_avx2(const struct redact_prefilter *f, const char *p, size_t n, size_t from);

static inline bool redact_is_odd(unsigned char c) {
    return (c < 0x20 && (c < '\t' || c > '\r')) || c == 0x7f;
}
