#include "term/redact_prefilter.h"

#include "base/mem.h"

#include <stdlib.h>

enum { BUCKETS = 8 };

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool agrees(const struct redact_literal *l, size_t at, char c) {
    return (l->exact ? c : fold(c)) == l->text[at];
}

void redact_prefilter_init(struct redact_prefilter *f) {
    for (unsigned c = 0; c < 256; c++) {
        if (redact_is_odd((unsigned char)c)) f->bits[0][c] = PREFILTER_ODD;
        f->bits[1][c] = f->bits[2][c] = PREFILTER_ODD;
    }
#if defined(__x86_64__)
    f->avx2 = __builtin_cpu_supports("avx2");
#endif
}

void redact_prefilter_fini(struct redact_prefilter *f) {
    free(f->v);
}

/* Literals that begin alike share a bucket, so that its half bytes stay few. */
static unsigned bucket_of(const struct redact_literal *l) {
    return (unsigned)(unsigned char)l->text[0] % BUCKETS;
}

void redact_prefilter_add(struct redact_prefilter *f, const struct redact_literal *literal,
                          uint16_t pattern) {
    uint64_t bit = 1ULL << f->n % PREFILTER_BITS;
    uint8_t bucket = (uint8_t)(1U << bucket_of(literal));
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++)
        for (unsigned c = 0; c < 256; c++) {
            if (at < literal->n && !agrees(literal, at, (char)c)) continue;
            f->bits[at][c] |= bit;
            f->low[at][c & 15] |= bucket;
            f->high[at][c >> 4] |= bucket;
        }
    f->longest = MAX(f->longest, (size_t)literal->n);
    f->v = xreallocarray(f->v, f->n + 1, sizeof *f->v);
    f->v[f->n++] = (struct prefilter_entry){*literal, pattern};
}

bool redact_prefilter_stands(const struct prefilter_entry *e, struct span text, size_t at) {
    struct span here = span_take(span_skip(text, at), e->literal.n);
    for (size_t i = 0; i < here.n; i++)
        if (!agrees(&e->literal, i, here.p[i])) return false;
    return here.n > 0;
}

static bool is_place(const struct redact_prefilter *f, uint64_t bits, struct span text, size_t at) {
    if (bits & PREFILTER_ODD) return true;
    PREFILTER_FOR_EACH(e, f, bits)
    if (redact_prefilter_stands(e, text, at)) return true;
    return false;
}

size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from) {
    const unsigned char *p = (const unsigned char *)text.p;
    size_t i = from;
    while (f->avx2 && i + 64 < text.n) {
        i = redact_prefilter_avx2(f, text.p, text.n, i);
        if (i + 64 >= text.n) break;
        if (is_place(f, redact_prefilter_bits(f, text, i), text, i)) return i;
        i++;
    }
    for (; i + 2 < text.n; i++) {
        uint64_t bits = f->bits[0][p[i]] & f->bits[1][p[i + 1]] & f->bits[2][p[i + 2]];
        if (UNLIKELY(bits) && is_place(f, bits, text, i)) return i;
    }
    for (; i < text.n; i++)
        if (is_place(f, redact_prefilter_bits(f, text, i), text, i)) break;
    return i;
}
