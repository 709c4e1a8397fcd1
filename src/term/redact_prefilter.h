/*
 * Where may a pattern begin? Looks for the literals of all patterns at once, so that ordinary output needs nothing more: a table
 * says which three bytes one of them begins with. Where the CPU has AVX2, 32 places at once are first looked at
 * by half bytes.
 */
#pragma once

#include "base/span.h"
#include "term/redact_literal.h"

enum {
    PREFILTER_DEPTH = 4,        /* bytes that are looked at by their halves */
    PREFILTER_SETS = 3,         /* of eight buckets of literals */
    PREFILTER_HASHES = 1 << 16, /* of three bytes */
    PREFILTER_ROWS = 1 << 12,
    PREFILTER_STANDING_MAX = 64, /* patterns that may begin at one place */
};

struct redact_prefilter {
    struct prefilter_entry {
        struct redact_literal literal;
        uint64_t wanted, looked_at,
            folded; /* of its first eight bytes: which bits they have, which count, which are set before */
        uint16_t pattern;
        uint16_t next;       /* in its row, counted from 1; 0 = the last */
        uint16_t next_alike; /* likewise, of those that begin with the same byte */
    } * v;
    size_t n;
    size_t longest; /* bytes of the longest literal */
    bool avx2;
    uint16_t rows[PREFILTER_ROWS];               /* the first entry that begins so, counted from 1 */
    uint16_t short_row;                          /* those of fewer than three bytes */
    uint16_t alike[256];                         /* by their first byte, for the end of a text */
    uint8_t begins[PREFILTER_HASHES / 8];        /* which three bytes the short ones begin with */
    uint8_t begins_longer[PREFILTER_HASHES / 8]; /* which four bytes the others do */
    struct prefilter_halves {
        uint8_t low[32],
            high[32]; /* half bytes of the literals in each of eight buckets; twice, as AVX2 wants it */
    } halves[PREFILTER_SETS][PREFILTER_DEPTH];
};

static inline char redact_prefilter_fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* May the byte stand at this place of a literal? */
static inline bool redact_prefilter_agrees(const struct redact_literal *l, size_t at, char c) {
    return (l->exact ? c : redact_prefilter_fold(c)) == l->text[at];
}

void redact_prefilter_init(struct redact_prefilter *f);
void redact_prefilter_fini(struct redact_prefilter *f);
void redact_prefilter_add(struct redact_prefilter *f, const struct redact_literal *literal, uint16_t pattern);
/* There are no more: before anything is looked for. */
void redact_prefilter_finish(struct redact_prefilter *f);

/* What the AVX2 engine looks at. */
void redact_prefilter_fill_buckets(struct redact_prefilter *f);

/* A walk through a text, from place to place: where there is a byte that is no part of ordinary text, or a literal, as far as
 * the text goes. */
struct prefilter_walk {
    size_t from;   /* places behind it are not looked at yet */
    size_t block;  /* before it: places that are worth a closer look … */
    uint32_t left; /* … are these, counted from there */
    size_t n;      /* patterns whose literals stand at the place */
    uint16_t standing[PREFILTER_STANDING_MAX];
};
/* The next place; text.n when there is none. The text stays as it is. */
size_t redact_prefilter_next(const struct redact_prefilter *f, struct span text, struct prefilter_walk *walk);
/* The first place at or behind `from`. */
size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from);
/* The patterns whose literals stand at `at`, as far as the text goes: how many. */
size_t redact_prefilter_standing(const struct redact_prefilter *f, struct span text, size_t at,
                                 uint16_t ret[PREFILTER_STANDING_MAX]);

/* The next 32 places of which some are worth a closer look, by the AVX2 engine: at or behind `from`; which ones. None of them when only
 * the end is left, which it does not look at. */
size_t redact_prefilter_avx2(const struct redact_prefilter *f, const char *p, size_t n, size_t from,
                             uint32_t *ret);

/* Of the three bytes at `p`: a bit of redact_prefilter.begins, and, modulo their number, one of its rows. */
static inline unsigned redact_prefilter_hash(const char *p) {
    uint32_t three = (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8 |
                     (uint32_t)(unsigned char)p[2] << 16;
    return (three * 2654435761U) >> 16;
}

/* An escape, a control character other than white space. */
static inline bool redact_is_odd(unsigned char c) {
    return (c < 0x20 && (c < '\t' || c > '\r')) || c == 0x7f;
}

/* Likewise of four bytes, a bit of redact_prefilter.begins_longer. */
static inline unsigned redact_prefilter_hash_longer(const char *p) {
    uint32_t four = (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8 |
                    (uint32_t)(unsigned char)p[2] << 16 | (uint32_t)(unsigned char)p[3] << 24;
    return (four * 2654435761U) >> 16;
}

/* Is it worth a closer look? There are four bytes at `p`. */
static inline bool redact_prefilter_suspects(const struct redact_prefilter *f, const char *p) {
    unsigned longer = redact_prefilter_hash_longer(p), bit = redact_prefilter_hash(p);
    return f->begins_longer[longer / 8] >> longer % 8 & 1 || f->begins[bit / 8] >> bit % 8 & 1 ||
           (unsigned char)p[0] >= 0xc2 || redact_is_odd((unsigned char)p[0]);
}

/* Bytes of the character at `at`, if it is one that takes no room: it is no part of the text that is read. 0 otherwise. */
size_t redact_hidden(struct span text, size_t at);
