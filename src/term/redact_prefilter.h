/*
 * Where may a pattern begin? Looks for the literals of all patterns at once, so that ordinary output needs nothing more. Where the
 * CPU can, 64 places at once are compared with buckets of literals; those that agree, and every place where it cannot, are looked
 * up in a table by their first four bytes.
 */
#pragma once

#include "base/span.h"
#include "term/redact_literal.h"

#include <stdalign.h>

enum {
    PREFILTER_BYTES = 128,       /* ASCII */
    PREFILTER_DEPTH = 4,         /* bytes that are compared with buckets */
    PREFILTER_SETS = 3,          /* of eight buckets of literals */
    PREFILTER_ROWS = 1 << 11,    /* literals by their first three bytes */
    PREFILTER_STEP = 64,         /* places that are looked at at once … */
    PREFILTER_BATCH = 8,         /* … and so often, at most, before any of them is looked at closely */
    PREFILTER_STANDING_MAX = 64, /* patterns that may begin at one place */
    PREFILTER_UNCLEAR = PREFILTER_DEPTH - 1, /* bytes at the end of a text at which little can be told */
};

struct redact_prefilter;

/* Which of `steps` times 64 places may have a literal, or something odd: a bit for each. Three more bytes follow them. */
typedef void prefilter_agree(const struct redact_prefilter *f, const char *p, size_t steps, uint64_t *ret);

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
    size_t longest;                /* bytes of the longest literal */
    prefilter_agree *agree;        /* NULL: the CPU cannot */
    uint16_t rows[PREFILTER_ROWS]; /* the first entry that begins so, counted from 1 */
    uint32_t fourth
        [PREFILTER_ROWS]; /* the bytes that those of a row go on with: a bit for their lower five bits, which know no case */
    uint16_t short_row;  /* those of fewer than three bytes */
    uint16_t alike[256]; /* by their first byte, for the end of a text */
    bool telling
        [256]; /* bytes that are worth a closer look alone: odd ones, what begins a character that may take no room,
                                      and what a literal of fewer than three bytes begins with */
    struct prefilter_halves {
        alignas(16) uint8_t low[16];
        alignas(16) uint8_t high[16]; /* which of eight buckets have literals with these half bytes */
    } halves[PREFILTER_SETS][PREFILTER_DEPTH];
    struct prefilter_beginnings {
        bool first[256];       /* bytes that a literal begins with */
        uint32_t both[256][8]; /* by the first byte, the second ones: a bit for each */
    } anywhere, apart; /* of literals that stand in the midst of a word, too, and of those that do not */
    uint8_t bytes[PREFILTER_SETS][PREFILTER_DEPTH][PREFILTER_BYTES]; /* likewise, with these bytes */
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

/* Puts the literals into buckets. */
void redact_prefilter_fill_buckets(struct redact_prefilter *f);

/* Places that are worth a closer look, in order. */
struct prefilter_places {
    size_t base, next, n; /* they are counted from `base`; those before `next` have been looked at */
    uint16_t v[PREFILTER_BATCH * PREFILTER_STEP];
};

/* A walk through a text, from place to place: where there is a byte that is no part of ordinary text, or a literal, as far as
 * the text goes. */
struct prefilter_walk {
    size_t from;  /* places from here on are not looked at yet */
    size_t batch; /* so many steps are, then: few at first, because many walks end soon */
    size_t n;     /* patterns whose literals stand at the place */
    uint16_t standing[PREFILTER_STANDING_MAX];
    struct prefilter_places places;
};
void redact_prefilter_walk(struct prefilter_walk *walk, size_t from);
/* The next place; text.n when there is none. The text stays as it is. */
size_t redact_prefilter_next(const struct redact_prefilter *f, struct span text, struct prefilter_walk *walk);
/* The same, but without the last three bytes of the text, where less than four are left to tell by. */
size_t redact_prefilter_next_clear(const struct redact_prefilter *f, struct span text,
                                   struct prefilter_walk *walk);
/* The first of these three at which a literal may have begun; text.n when there is none. */
size_t redact_prefilter_begun(const struct redact_prefilter *f, struct span text);
/* The first place at or behind `from`. */
size_t redact_prefilter_find(const struct redact_prefilter *f, struct span text, size_t from);
/* The patterns whose literals stand at `at`, as far as the text goes: how many. */
size_t redact_prefilter_standing(const struct redact_prefilter *f, struct span text, size_t at,
                                 uint16_t ret[PREFILTER_STANDING_MAX]);

/* How the CPU compares; NULL if this one does not. */
prefilter_agree *redact_prefilter_avx2(void);
prefilter_agree *redact_prefilter_vbmi(void);

/* An escape, a control character other than white space. */
static inline bool redact_is_odd(unsigned char c) {
    return (c < 0x20 && (c < '\t' || c > '\r')) || c == 0x7f;
}

/* The row of what begins with the three bytes at `p`. Rows know no case. */
static inline unsigned redact_prefilter_row(const char *p) {
    uint32_t three = (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8 |
                     (uint32_t)(unsigned char)p[2] << 16;
    return (three | 0x202020) * 2654435761U >> 21;
}

/* Is it worth a closer look? There are four bytes at `p`. */
static inline bool redact_prefilter_suspects(const struct redact_prefilter *f, const char *p) {
    return (f->fourth[redact_prefilter_row(p)] >> (p[3] & 31) & 1) | f->telling[(unsigned char)p[0]];
}

/* Bytes of the character at `at`, if it is one that takes no room: it is no part of the text that is read. 0 otherwise. */
size_t redact_hidden(struct span text, size_t at);
