#include "term/redact_prefilter.h"

#include "base/mem.h"

#include <endian.h>
#include <stdlib.h>

enum { HASHED_BYTES = 3, SUSPECTED_BYTES = 4 };

void redact_prefilter_init(struct redact_prefilter *f) {
    f->agree = redact_prefilter_vbmi();
    if (!f->agree) f->agree = redact_prefilter_avx2();
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

/* What the first two bytes of a literal may be. */
static void learn_beginning(struct redact_prefilter *f, const struct redact_literal *l) {
    struct prefilter_beginnings *known = l->apart ? &f->apart : &f->anywhere;
    for (unsigned a = 0; a < 256; a++) {
        if (!redact_prefilter_agrees(l, 0, (char)a)) continue;
        known->first[a] = true;
        for (unsigned b = 0; b < 256; b++)
            if (redact_prefilter_agrees(l, 1, (char)b)) known->both[a][b / 32] |= 1U << b % 32;
    }
}

void redact_prefilter_finish(struct redact_prefilter *f) {
    redact_prefilter_fill_buckets(f);
    for (unsigned c = 0; c < 256; c++)
        f->telling[c] = redact_is_odd((unsigned char)c) || c >= 0xc2;
    for (size_t i = f->n; i-- > 0;) {
        struct prefilter_entry *e = &f->v[i];
        char first = e->literal.text[0];
        learn_beginning(f, &e->literal);
        bool is_short = e->literal.n < HASHED_BYTES;
        uint16_t *row = is_short ? &f->short_row : &f->rows[redact_prefilter_row(e->literal.text)];
        e->next = *row;
        *row = (uint16_t)(i + 1);
        if (!is_short)
            f->fourth[row - f->rows] |=
                e->literal.n > HASHED_BYTES ? 1U << (e->literal.text[3] & 31) : UINT32_MAX;
        if (is_short) f->telling[(unsigned char)first] = true;
        if (is_short && !e->literal.exact && first >= 'a' && first <= 'z')
            f->telling[(unsigned char)(first & ~0x20)] = true;
        uint16_t *alike = &f->alike[(unsigned char)redact_prefilter_fold(first)];
        e->next_alike = *alike;
        *alike = (uint16_t)(i + 1);
    }
}

static bool is_of_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Is the place in the midst of a word? What an escaped line end, or tab, ends with is no part of one. */
static bool is_inside(struct span text, size_t at) {
    if (at < 2 || !is_of_word(text.p[at - 1])) return false;
    return !(text.p[at - 2] == '\\' && strchr("nrt", text.p[at - 1]));
}

/* Does it stand there, as far as the text goes? Its first `known` bytes do. */
static bool stands(const struct redact_literal *l, struct span text, size_t at, size_t known) {
    if (l->apart && is_inside(text, at)) return false;
    struct span here = span_take(span_skip(text, at), l->n);
    for (size_t i = known; i < here.n; i++)
        if (!redact_prefilter_agrees(l, i, here.p[i])) return false;
    return here.n > 0;
}

static uint64_t eight_bytes(const char *p) {
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
    return le64toh(eight);
}

static size_t collect(const struct redact_prefilter *f, uint16_t row, struct span text, size_t at,
                      uint16_t ret[PREFILTER_STANDING_MAX], size_t n) {
    bool quick = at + sizeof(uint64_t) <= text.n;
    uint64_t eight = row && quick ? eight_bytes(text.p + at) : 0;
    for (; row && n < PREFILTER_STANDING_MAX; row = f->v[row - 1].next) {
        const struct prefilter_entry *e = &f->v[row - 1];
        if (quick && ((eight | e->folded) & e->looked_at) != e->wanted) continue;
        if (stands(&e->literal, text, at, quick ? sizeof eight : 0)) ret[n++] = e->pattern;
    }
    return n;
}

size_t redact_prefilter_standing(const struct redact_prefilter *f, struct span text, size_t at,
                                 uint16_t ret[PREFILTER_STANDING_MAX]) {
    size_t n = 0;
    if (at + HASHED_BYTES <= text.n) {
        n = collect(f, f->rows[redact_prefilter_row(text.p + at)], text, at, ret, 0);
        return collect(f, f->short_row, text, at, ret, n);
    }
    uint16_t i = f->alike[(unsigned char)redact_prefilter_fold(text.p[at])];
    for (; i && n < PREFILTER_STANDING_MAX; i = f->v[i - 1].next_alike)
        if (stands(&f->v[i - 1].literal, text, at, 0)) ret[n++] = f->v[i - 1].pattern;
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

/* Of the places that agree with a bucket, those that are worth a closer look. */
static void suspect(const struct redact_prefilter *f, const char *p, const uint64_t *agree, size_t steps,
                    struct prefilter_places *ret) {
    for (size_t i = 0; i < steps; i++)
        for (uint64_t left = agree[i]; left; left &= left - 1) {
            size_t at = i * PREFILTER_STEP + (size_t)__builtin_ctzll(left);
            ret->v[ret->n] = (uint16_t)at;
            ret->n += redact_prefilter_suspects(f, p + at); /* no branch: nobody could foresee it */
        }
}

/* The next places that are worth a closer look. False when only the last ones are left, or all of a short text: they are looked at
 * one by one. */
static bool look_ahead(const struct redact_prefilter *f, struct span text, struct prefilter_walk *w) {
    enum { SEEN = PREFILTER_STEP + PREFILTER_DEPTH - 1 };
    uint64_t agree[PREFILTER_BATCH];
    w->places.n = w->places.next = 0;
    if (!f->agree || text.n < SEEN || w->from + PREFILTER_DEPTH > text.n) return false;
    size_t from = MIN(w->from, text.n - SEEN); /* the last ones overlap those before */
    size_t steps = MIN((text.n - from - PREFILTER_DEPTH + 1) / PREFILTER_STEP, w->batch);
    f->agree(f, text.p + from, steps, agree);
    agree[0] &= ~0ULL << (w->from - from);
    w->places.base = from;
    suspect(f, text.p + from, agree, steps, &w->places);
    w->from = from + steps * PREFILTER_STEP;
    w->batch = MIN(2 * w->batch, (size_t)PREFILTER_BATCH);
    return true;
}

void redact_prefilter_walk(struct prefilter_walk *w, size_t from) {
    w->from = from;
    w->batch = 2;
    w->places.n = w->places.next = 0;
}

size_t redact_prefilter_next_clear(const struct redact_prefilter *f, struct span text,
                                   struct prefilter_walk *w) {
    do {
        while (w->places.next < w->places.n) {
            size_t at = w->places.base + w->places.v[w->places.next++];
            if (is_place(f, text, at, w)) return at;
        }
    } while (look_ahead(f, text, w));
    for (; w->from + SUSPECTED_BYTES <= text.n; w->from++)
        if (redact_prefilter_suspects(f, text.p + w->from) && is_place(f, text, w->from, w)) return w->from++;
    return text.n;
}

size_t redact_prefilter_next(const struct redact_prefilter *f, struct span text, struct prefilter_walk *w) {
    size_t clear = redact_prefilter_next_clear(f, text, w);
    if (clear < text.n) return clear;
    for (; w->from < text.n; w->from++)
        if (is_place(f, text, w->from, w)) return w->from++;
    return text.n;
}

static bool begins(const struct prefilter_beginnings *known, struct span text, size_t at) {
    unsigned char first = (unsigned char)text.p[at];
    if (at + 1 == text.n) return known->first[first];
    unsigned char second = (unsigned char)text.p[at + 1];
    return known->both[first][second / 32] >> second % 32 & 1;
}

size_t redact_prefilter_begun(const struct redact_prefilter *f, struct span text) {
    size_t at = text.n - MIN(text.n, (size_t)PREFILTER_UNCLEAR);
    while (at < text.n && !begins(&f->anywhere, text, at) &&
           (!begins(&f->apart, text, at) || is_inside(text, at)))
        at++;
    return at;
}

size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from) {
    struct prefilter_walk w;
    redact_prefilter_walk(&w, from);
    return redact_prefilter_next(f, text, &w);
}
