#include "term/redact_prefilter.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>

static void note(uint64_t table[256], const struct redact_literal *literal, size_t at, uint64_t bit) {
    for (unsigned c = 0; c < 256; c++)
        if (at >= literal->n || (char)tolower((int)c) == literal->text[at]) table[c] |= bit;
}

void redact_prefilter_add(struct redact_prefilter *f, const struct redact_literal *literal,
                          uint16_t pattern) {
    uint64_t bit = 1ULL << f->n % 64;
    note(f->first, literal, 0, bit);
    note(f->second, literal, 1, bit);
    note(f->third, literal, 2, bit);
    f->longest = MAX(f->longest, (size_t)literal->n);
    f->v = xreallocarray(f->v, f->n + 1, sizeof *f->v);
    f->v[f->n++] = (struct prefilter_entry){*literal, pattern};
}

void redact_prefilter_fini(struct redact_prefilter *f) {
    free(f->v);
}

bool redact_prefilter_stands(const struct prefilter_entry *e, struct span text, size_t at) {
    struct span here = span_take(span_skip(text, at), e->literal.n);
    for (size_t i = 0; i < here.n; i++)
        if ((char)tolower((unsigned char)here.p[i]) != e->literal.text[i]) return false;
    return here.n > 0;
}

static bool any_stands(const struct redact_prefilter *f, uint64_t bits, struct span text, size_t at) {
    for (size_t i = 0; i < f->n; i++)
        if (bits >> i % 64 & 1 && redact_prefilter_stands(&f->v[i], text, at)) return true;
    return false;
}

/* Which of them agree with the first bytes at `at`. */
static uint64_t agreeing(const struct redact_prefilter *f, struct span text, size_t at) {
    const unsigned char *p = (const unsigned char *)text.p + at;
    uint64_t bits = f->first[p[0]];
    if (at + 1 < text.n) bits &= f->second[p[1]];
    if (at + 2 < text.n) bits &= f->third[p[2]];
    return bits;
}

bool redact_prefilter_cut(const struct redact_prefilter *f, struct span text, size_t at) {
    uint64_t bits = agreeing(f, text, at);
    return bits && any_stands(f, bits, text, at);
}

size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from) {
    const unsigned char *p = (const unsigned char *)text.p;
    size_t i = from;
    for (; i + 2 < text.n; i++) {
        uint64_t bits = f->first[p[i]] & f->second[p[i + 1]] & f->third[p[i + 2]];
        if (UNLIKELY(bits) && any_stands(f, bits, text, i)) return i;
    }
    while (i < text.n && !redact_prefilter_cut(f, text, i))
        i++;
    return i;
}

static bool is_odd(unsigned char c) {
    return (c < 0x20 && (unsigned char)(c - '\t') > '\r' - '\t') || c == 0x7f;
}

size_t redact_prefilter_plain(struct span bytes) {
    enum { BLOCK = 64 };
    const unsigned char *p = (const unsigned char *)bytes.p;
    size_t i = 0;
    for (; i + BLOCK <= bytes.n;
         i += BLOCK) { /* without a branch inside, so that the compiler makes vectors of it */
        unsigned char odd = 0;
        for (size_t k = 0; k < BLOCK; k++)
            odd |= is_odd(p[i + k]);
        if (odd) break;
    }
    while (i < bytes.n && !is_odd(p[i]))
        i++;
    return i;
}
