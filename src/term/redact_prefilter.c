#include "term/redact_prefilter.h"

#include "base/mem.h"

#include <stdlib.h>

enum { HASHED_BYTES = 3, LONGER_BYTES = 4 };

/* Rows know no case. */
static uint16_t *row_of(struct redact_prefilter *f, const char *p) {
    const char three[HASHED_BYTES] = {redact_prefilter_fold(p[0]), redact_prefilter_fold(p[1]),
                                      redact_prefilter_fold(p[2])};
    return &f->rows[redact_prefilter_hash(three) % PREFILTER_ROWS];
}

/* What the bytes may be that it begins with: each in both cases, or anything behind its end. */
static void add_begins(struct redact_prefilter *f, const struct redact_literal *l, char bytes[LONGER_BYTES],
                       unsigned at) {
    bool longer = l->n >= LONGER_BYTES;
    if (at >= (longer ? LONGER_BYTES : HASHED_BYTES) || at >= LONGER_BYTES) {
        unsigned bit = longer ? redact_prefilter_hash_longer(bytes) : redact_prefilter_hash(bytes);
        uint8_t *table = longer ? f->begins_longer : f->begins;
        table[bit / 8] |= (uint8_t)(1U << bit % 8);
        return;
    }
    for (unsigned c = 0; c < 256; c++) {
        if (at < l->n && !redact_prefilter_agrees(l, at, (char)c)) continue;
        bytes[at] = (char)c;
        add_begins(f, l, bytes, at + 1);
    }
}

void redact_prefilter_init(struct redact_prefilter *f) {
#if defined(__x86_64__)
    f->avx2 = __builtin_cpu_supports("avx2");
#endif
}

void redact_prefilter_fini(struct redact_prefilter *f) {
    free(f->v);
}

void redact_prefilter_add(struct redact_prefilter *f, const struct redact_literal *literal,
                          uint16_t pattern) {
    f->longest = MAX(f->longest, (size_t)literal->n);
    f->v = xreallocarray(f->v, f->n + 1, sizeof *f->v);
    struct prefilter_entry *e = &f->v[f->n++];
    *e = (struct prefilter_entry){.literal = *literal, .pattern = pattern};
    for (unsigned i = 0; i < MIN(literal->n, sizeof e->wanted); i++) {
        unsigned char c = (unsigned char)literal->text[i];
        e->wanted |= (uint64_t)c << 8 * i;
        e->looked_at |= (uint64_t)0xff << 8 * i;
        if (!literal->exact && c >= 'a' && c <= 'z') e->folded |= (uint64_t)0x20 << 8 * i;
    }
}

void redact_prefilter_finish(struct redact_prefilter *f) {
    char bytes[LONGER_BYTES];
    redact_prefilter_fill_buckets(f);
    for (size_t i = f->n; i-- > 0;) {
        struct prefilter_entry *e = &f->v[i];
        add_begins(f, &e->literal, bytes, 0);
        uint16_t *row = e->literal.n < HASHED_BYTES ? &f->short_row : row_of(f, e->literal.text);
        e->next = *row;
        *row = (uint16_t)(i + 1);
        uint16_t *alike = &f->alike[(unsigned char)redact_prefilter_fold(e->literal.text[0])];
        e->next_alike = *alike;
        *alike = (uint16_t)(i + 1);
    }
}

static bool stands(const struct redact_literal *l, struct span text, size_t at) {
    struct span here = span_take(span_skip(text, at), l->n);
    for (size_t i = 0; i < here.n; i++)
        if (!redact_prefilter_agrees(l, i, here.p[i])) return false;
    return here.n > 0;
}

static uint64_t eight_bytes(const char *p) {
    uint64_t eight = 0;
    for (unsigned i = 0; i < sizeof eight; i++)
        eight |= (uint64_t)(unsigned char)p[i] << 8 * i;
    return eight;
}

static size_t collect(const struct redact_prefilter *f, uint16_t row, struct span text, size_t at,
                      uint16_t ret[PREFILTER_STANDING_MAX], size_t n) {
    bool quick = at + sizeof(uint64_t) <= text.n;
    uint64_t eight = row && quick ? eight_bytes(text.p + at) : 0;
    for (; row && n < PREFILTER_STANDING_MAX; row = f->v[row - 1].next) {
        const struct prefilter_entry *e = &f->v[row - 1];
        if (quick && ((eight | e->folded) & e->looked_at) != e->wanted) continue;
        if ((quick && e->literal.n <= sizeof eight) || stands(&e->literal, text, at)) ret[n++] = e->pattern;
    }
    return n;
}

size_t redact_prefilter_standing(const struct redact_prefilter *f, struct span text, size_t at,
                                 uint16_t ret[PREFILTER_STANDING_MAX]) {
    size_t n = 0;
    if (at + HASHED_BYTES <= text.n) {
        n = collect(f, *row_of((struct redact_prefilter *)f, text.p + at), text, at, ret, 0);
        return collect(f, f->short_row, text, at, ret, n);
    }
    uint16_t i = f->alike[(unsigned char)redact_prefilter_fold(text.p[at])];
    for (; i && n < PREFILTER_STANDING_MAX; i = f->v[i - 1].next_alike)
        if (stands(&f->v[i - 1].literal, text, at)) ret[n++] = f->v[i - 1].pattern;
    return n;
}

static bool is_place(const struct redact_prefilter *f, struct span text, size_t at,
                     struct prefilter_walk *w) {
    unsigned char c = (unsigned char)text.p[at];
    w->n = 0;
    if (redact_is_odd(c) || (c >= 0xc2 && redact_hidden(text, at))) return true;
    w->n = redact_prefilter_standing(f, text, at, w->standing);
    return w->n > 0;
}

size_t redact_prefilter_next(const struct redact_prefilter *f, struct span text, struct prefilter_walk *w) {
    for (;;) {
        for (; w->left; w->left &= w->left - 1) {
            size_t at = w->block + (unsigned)__builtin_ctz(w->left);
            if (!is_place(f, text, at, w)) continue;
            w->left &= w->left - 1;
            return at;
        }
        if (!f->avx2 || w->from + 64 >= text.n) break;
        w->block = redact_prefilter_avx2(f, text.p, text.n, w->from, &w->left);
        w->from = w->left ? w->block + 32 : w->block;
        if (!w->left) break;
    }
    for (; w->from + LONGER_BYTES <= text.n; w->from++)
        if (redact_prefilter_suspects(f, text.p + w->from) && is_place(f, text, w->from, w)) return w->from++;
    for (; w->from < text.n; w->from++)
        if (is_place(f, text, w->from, w)) return w->from++;
    return text.n;
}

size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from) {
    struct prefilter_walk w;
    w.from = from;
    w.left = 0;
    return redact_prefilter_next(f, text, &w);
}
