/*
 * Which literals share a bucket. A bucket agrees with every byte that has a lower half of one of its literals and an upper half of another,
 * so that some company costs more than other: each literal joins the bucket that then agrees least with what terminals print.
 */
#include "term/redact_prefilter.h"

#include "base/compiler.h"
#include "base/mem.h"

#include <stdlib.h>

enum { HALVES = 16 };

/* The halves of bytes that a bucket agrees with, at each of the bytes that are looked at. */
struct bucket {
    uint16_t low[PREFILTER_DEPTH], high[PREFILTER_DEPTH];
    float cost; /* how often it agrees with four bytes */
};

/* How often bytes are printed, about. */
struct weights {
    float of[256];
};

static void weigh(struct weights *w) {
    static const struct {
        const char *bytes;
        float each;
    } known[] = {
        {" ", 0.14F},           {"e", 0.08F},
        {"taoinsr", 0.05F},     {"hldcu", 0.03F},
        {"mfpgwybv", 0.013F},   {"kxjqz", 0.004F},
        {"ETAOINSR", 0.006F},   {"HLDCUMFPGWYBV", 0.003F},
        {"0123456789", 0.012F}, {"./-_,:()\"=\r\n", 0.01F},
    };
    for (unsigned c = 0; c < 256; c++)
        w->of[c] = c >= 0x80 ? 0.0002F : 0.002F;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        for (const char *p = known[i].bytes; *p; p++)
            w->of[(unsigned char)*p] = known[i].each;
}

static float agreement(const struct weights *w, uint16_t low, uint16_t high) {
    float sum = 0;
    for (unsigned h = high; h; h &= h - 1)
        for (unsigned l = low; l; l &= l - 1)
            sum += w->of[__builtin_ctz(h) * HALVES + __builtin_ctz(l)];
    return sum;
}

static void cost(const struct weights *w, struct bucket *b) {
    b->cost = 1;
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++)
        b->cost *= agreement(w, b->low[at], b->high[at]);
}

/* A bucket for one literal. */
static struct bucket alone(const struct weights *w, const struct redact_literal *l) {
    struct bucket b = {{0}, {0}, 0};
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++) {
        for (unsigned c = 0; at < l->n && c < 256; c++) {
            if (!redact_prefilter_agrees(l, at, (char)c)) continue;
            b.low[at] |= (uint16_t)(1U << c % HALVES);
            b.high[at] |= (uint16_t)(1U << c / HALVES);
        }
        if (at >= l->n) b.low[at] = b.high[at] = UINT16_MAX;
    }
    cost(w, &b);
    return b;
}

/* Two in one. */
static struct bucket with(const struct weights *w, struct bucket b, const struct bucket *other) {
    bool same = true;
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++) {
        same &= (b.low[at] | other->low[at]) == b.low[at] && (b.high[at] | other->high[at]) == b.high[at];
        b.low[at] |= other->low[at];
        b.high[at] |= other->high[at];
    }
    if (!same) cost(w, &b);
    return b;
}

struct order {
    const struct redact_literal *literal;
    struct bucket alone;
};

static int dear_first(const void *a, const void *b) {
    const struct order *x = a, *y = b;
    if (x->alone.cost != y->alone.cost) return x->alone.cost < y->alone.cost ? 1 : -1;
    return x->literal < y->literal ? -1 : x->literal > y->literal;
}

static void write_halves(struct redact_prefilter *f, const struct bucket *b, unsigned number) {
    uint8_t bit = (uint8_t)(1U << number % 8);
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++) {
        struct prefilter_halves *halves = &f->halves[number / 8][at];
        for (unsigned i = 0; i < HALVES; i++) {
            if (b->low[at] >> i & 1) halves->low[i] |= bit;
            if (b->high[at] >> i & 1) halves->high[i] |= bit;
        }
    }
}

/* The bytes of a literal, each by itself. */
static void write_bytes(struct redact_prefilter *f, const struct redact_literal *l, unsigned number) {
    for (unsigned at = 0; at < PREFILTER_DEPTH; at++)
        for (unsigned c = 0; c < PREFILTER_BYTES; c++)
            if (at >= l->n || redact_prefilter_agrees(l, at, (char)c))
                f->bytes[number / 8][at][c] |= (uint8_t)(1U << number % 8);
}

/* Characters that take no room are found like literals, and belong to no pattern. Those that one byte tells keep away from those that
 * two tell: together they would agree with every line that a box is drawn with. */
static void write_hidden(struct redact_prefilter *f, const struct weights *w, unsigned number) {
    static const char *const hidden[] = {"\xCC",     "\xCD",     "\xC2\xAD", "\xE2\x80",
                                         "\xE2\x81", "\xE2\x83", "\xEF\xB8", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
        struct redact_literal l = {.n = (uint8_t)strlen(hidden[i]), .exact = true};
        memcpy(l.text, hidden[i], l.n);
        struct bucket b = alone(w, &l);
        write_halves(f, &b, l.n == 1 ? number : number + 1);
    }
}

void redact_prefilter_fill_buckets(struct redact_prefilter *f) {
    enum { OF_LITERALS = 8 * PREFILTER_SETS - 2 };
    struct bucket buckets[OF_LITERALS];
    const struct bucket empty = {{0}, {0}, 0};
    struct weights w;
    memset(buckets, 0, sizeof buckets);
    weigh(&w);
    struct order *orders = xcalloc(f->n ? f->n : 1, sizeof *orders);
    for (size_t i = 0; i < f->n; i++)
        orders[i] = (struct order){&f->v[i].literal, alone(&w, &f->v[i].literal)};
    qsort(orders, f->n, sizeof *orders, dear_first);
    for (size_t i = 0; i < f->n; i++) {
        struct bucket best = empty;
        size_t place = 0;
        for (size_t k = 0; k < OF_LITERALS; k++) {
            struct bucket b = with(&w, buckets[k], &orders[i].alone);
            if (k && b.cost - buckets[k].cost >= best.cost - buckets[place].cost) continue;
            best = b;
            place = k;
        }
        buckets[place] = best;
        write_bytes(f, orders[i].literal, (unsigned)place);
    }
    for (unsigned k = 0; k < OF_LITERALS; k++)
        write_halves(f, &buckets[k], k);
    write_hidden(f, &w, OF_LITERALS);
    free(orders);
}
