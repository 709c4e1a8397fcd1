#include "term/redact_prefilter.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "term/vt_width.h"

#include <stdlib.h>

enum { BUCKETS = 8 * PREFILTER_SETS, HASHED_BYTES = 3 };

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Rows know no case. */
static uint16_t *row_of(struct redact_prefilter *f, const char *p) {
    const char three[HASHED_BYTES] = {fold(p[0]), fold(p[1]), fold(p[2])};
    return &f->rows[redact_prefilter_hash(three) % PREFILTER_ROWS];
}

static bool agrees(const struct redact_literal *l, size_t at, char c) {
    return (l->exact ? c : fold(c)) == l->text[at];
}

static void add_halves(struct redact_prefilter *f, const struct redact_literal *l, unsigned bucket) {
    uint8_t bit = (uint8_t)(1U << bucket % 8);
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++) {
        struct prefilter_halves *halves = &f->halves[bucket / 8][at];
        for (unsigned c = 0; c < 256; c++) {
            if (at < l->n && !agrees(l, at, (char)c)) continue;
            halves->low[c & 15] |= bit;
            halves->low[16 + (c & 15)] |= bit;
            halves->high[c >> 4] |= bit;
            halves->high[16 + (c >> 4)] |= bit;
        }
    }
}

/* What the three bytes may be that it begins with: each in both cases, or anything behind its end. */
static void add_begins(struct redact_prefilter *f, const struct redact_literal *l, char three[HASHED_BYTES],
                       unsigned at) {
    if (at == HASHED_BYTES) {
        unsigned bit = redact_prefilter_hash(three);
        f->begins[bit / 8] |= (uint8_t)(1U << bit % 8);
        return;
    }
    for (unsigned c = 0; c < 256; c++) {
        if (at < l->n && !agrees(l, at, (char)c)) continue;
        three[at] = (char)c;
        add_begins(f, l, three, at + 1);
    }
}

/* Characters that take no room are found like literals, and belong to no pattern. */
static void add_hidden(struct redact_prefilter *f) {
    static const char *const hidden[] = {"\xC2\xAD", "\xCC",     "\xCD",     "\xE2\x80",
                                         "\xE2\x81", "\xE2\x83", "\xEF\xB8", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
        struct redact_literal l = {.n = (uint8_t)strlen(hidden[i]), .exact = true};
        memcpy(l.text, hidden[i], l.n);
        add_halves(f, &l, BUCKETS - 1);
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
    f->v[f->n++] = (struct prefilter_entry){*literal, pattern, 0, 0};
}

static bool is_letter(char c) {
    return fold(c) >= 'a' && fold(c) <= 'z';
}

/* Which buckets a literal may be in. One with a sign among its first bytes agrees with next to nothing, whatever else it
 * shares a bucket with that has the same sign there. */
enum group {
    UNDERLINED,
    DASHED,
    DOTTED,
    NUMBERED,
    BEGUN_BY_DASH,
    BEGUN_BY_SIGN,
    PAIRS,
    SHORT,
    SHORT_SIGNED,
    CAPITALS,
    WORDS
};

static enum group group_of(const struct redact_literal *l) {
    char last = l->text[MIN(l->n, PREFILTER_DEPTH) - 1];
    if (l->n < HASHED_BYTES) return PAIRS;
    if (!is_letter(l->text[0])) return l->text[0] == '-' ? BEGUN_BY_DASH : BEGUN_BY_SIGN;
    if (l->n < PREFILTER_DEPTH) return is_letter(last) ? SHORT : SHORT_SIGNED;
    if (last == '_') return UNDERLINED;
    if (last == '-') return DASHED;
    if (last == '.') return DOTTED;
    if (!is_letter(last)) return NUMBERED;
    return l->exact && last < 'a' ? CAPITALS : WORDS;
}

static int by_group(const void *a, const void *b) {
    const struct prefilter_entry *x = a, *y = b;
    int order = (int)group_of(&x->literal) - (int)group_of(&y->literal);
    if (!order) order = memcmp(x->literal.text, y->literal.text, PREFILTER_DEPTH);
    return order ? order : (int)x->pattern - (int)y->pattern;
}

/* Words that begin alike share a bucket, so that its half bytes stay few. */
static void fill_buckets(struct redact_prefilter *f) {
    size_t words = 0, at = 0;
    for (size_t i = 0; i < f->n; i++)
        words += group_of(&f->v[i].literal) == WORDS;
    for (size_t i = 0; i < f->n; i++) {
        enum group group = group_of(&f->v[i].literal);
        unsigned bucket = group;
        if (group == WORDS) bucket += (unsigned)(at++ * (BUCKETS - 1 - WORDS) / MAX(words, 1));
        add_halves(f, &f->v[i].literal, bucket);
    }
}

void redact_prefilter_finish(struct redact_prefilter *f) {
    char three[HASHED_BYTES];
    if (f->n) qsort(f->v, f->n, sizeof *f->v, by_group);
    fill_buckets(f);
    add_hidden(f);
    for (size_t i = f->n; i-- > 0;) {
        struct prefilter_entry *e = &f->v[i];
        add_begins(f, &e->literal, three, 0);
        uint16_t *row = e->literal.n < HASHED_BYTES ? &f->short_row : row_of(f, e->literal.text);
        e->next = *row;
        *row = (uint16_t)(i + 1);
        uint16_t *alike = &f->alike[(unsigned char)fold(e->literal.text[0])];
        e->next_alike = *alike;
        *alike = (uint16_t)(i + 1);
    }
}

size_t redact_hidden(struct span text, size_t at) {
    unsigned char lead = (unsigned char)text.p[at];
    if (lead < 0xc2 || (lead > 0xcd && lead < 0xe2) || (lead > 0xe2 && lead != 0xef)) return 0;
    struct span here = span_skip(text, at);
    size_t n = utf8_sequence(here);
    if (n != 2 && n != 3) return 0;
    const unsigned char *p = (const unsigned char *)here.p;
    uint32_t code = n == 2 ? (p[0] & 0x1fU) << 6 | (p[1] & 0x3fU)
                           : (p[0] & 0x0fU) << 12 | (p[1] & 0x3fU) << 6 | (p[2] & 0x3fU);
    bool hidden = code >= 0xa0 && (vt_width(code) == 0 || code == 0xad || code == 0xfeff ||
                                   (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                                   (code >= 0x2060 && code <= 0x206f));
    return hidden ? n : 0;
}

static bool stands(const struct redact_literal *l, struct span text, size_t at) {
    struct span here = span_take(span_skip(text, at), l->n);
    for (size_t i = 0; i < here.n; i++)
        if (!agrees(l, i, here.p[i])) return false;
    return here.n > 0;
}

static size_t collect(const struct redact_prefilter *f, uint16_t row, struct span text, size_t at,
                      uint16_t ret[PREFILTER_STANDING_MAX], size_t n) {
    for (; row && n < PREFILTER_STANDING_MAX; row = f->v[row - 1].next)
        if (stands(&f->v[row - 1].literal, text, at)) ret[n++] = f->v[row - 1].pattern;
    return n;
}

size_t redact_prefilter_standing(const struct redact_prefilter *f, struct span text, size_t at,
                                 uint16_t ret[PREFILTER_STANDING_MAX]) {
    size_t n = 0;
    if (at + HASHED_BYTES <= text.n) {
        n = collect(f, *row_of((struct redact_prefilter *)f, text.p + at), text, at, ret, 0);
        return collect(f, f->short_row, text, at, ret, n);
    }
    uint16_t i = f->alike[(unsigned char)fold(text.p[at])];
    for (; i && n < PREFILTER_STANDING_MAX; i = f->v[i - 1].next_alike)
        if (stands(&f->v[i - 1].literal, text, at)) ret[n++] = f->v[i - 1].pattern;
    return n;
}

static bool is_place(const struct redact_prefilter *f, struct span text, size_t at) {
    uint16_t standing[PREFILTER_STANDING_MAX];
    unsigned char c = (unsigned char)text.p[at];
    return redact_is_odd(c) || (c >= 0xc2 && redact_hidden(text, at)) ||
           redact_prefilter_standing(f, text, at, standing) > 0;
}

size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from) {
    size_t i = from;
    while (f->avx2 && i + 64 < text.n) {
        i = redact_prefilter_avx2(f, text.p, text.n, i);
        if (i + 64 >= text.n) break;
        if (is_place(f, text, i)) return i;
        i++;
    }
    for (; i + HASHED_BYTES <= text.n; i++)
        if (redact_prefilter_suspects(f, text.p + i) && is_place(f, text, i)) return i;
    for (; i < text.n; i++)
        if (is_place(f, text, i)) break;
    return i;
}
