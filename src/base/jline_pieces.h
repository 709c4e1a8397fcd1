/* What jline_walk.h has to visit one by one: escapes, brackets, scalars, and keys at depth 1. */
#pragma once

#include "base/jtext.h"

/* By itself this is about plain C. */
#ifndef JLINE_ENGINE
#    include "base/jline_swar.h"
#endif

enum { JLINE_DEPTH_MAX = 64, JLINE_NUMBER_MAX = 64 };

/* What the last byte of a block means for the first one of the next, as bit 0. */
struct jline_carry {
    uint64_t before_key, before_value, after_open, after_key, after_value, after_scalar, after_zero;
    uint64_t in_key;  /* the string that goes on is a key */
    uint64_t checked; /* the first bytes that belong to a scalar of which all is known */
};

struct jline_walk {
    const char *p;
    size_t end; /* of the line */
    const struct jline_names *names;
    struct jline *out;
    uint64_t string; /* all ones when the block before ended within a string */
    struct jline_carry carry;
    uint64_t objects; /* bit 0: the innermost open bracket is an object; the next bits: those around it */
    unsigned depth;
    size_t quote; /* the last opening quote */
    uint64_t bad; /* anything in it: not sure */
};

/* Which bits of a block belong to what. All of them outside of strings, but for the quotes. */
struct jline_tokens {
    uint64_t live;        /* bytes of this line */
    uint64_t in;          /* strings, with their opening and without their closing quotes */
    uint64_t first, last; /* opening and closing quotes */
    uint64_t open, close, colon, comma, scalar;
    uint64_t brace;     /* the open ones that are objects */
    uint64_t in_object; /* the innermost bracket is an object */
    uint64_t at_depth_1;
};

JBLOCK_INLINE uint64_t jline_behind(uint64_t bits, uint64_t carry) {
    return bits << 1 | carry;
}

JBLOCK_INLINE bool jline_is_hex(char c) {
    char lower = (char)(c | 0x20);
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f');
}

/* Escapes that are not of the common kind: \uXXXX, and what is none. What follows the block may be looked at: there is
 * padding. */
JBLOCK_INLINE void jline_check_escapes(struct jline_walk *w, const char *block, uint64_t escaped) {
    enum { CODE_DIGITS = 4 };
    uint64_t codes = jline_equal(block, 'u') & escaped, hex = jline_hex(block);
    uint64_t digits = codes << 1 | codes << 2 | codes << 3 | codes << 4;
    w->bad |= digits & ~hex;
    for (uint64_t last = codes >> (JBLOCK_BYTES - CODE_DIGITS); last; last &= last - 1) {
        const char *p = block + JBLOCK_BYTES - CODE_DIGITS + __builtin_ctzll(last);
        for (int i = 1; i <= CODE_DIGITS; i++)
            w->bad |= !jline_is_hex(p[i]);
    }
    for (escaped &= ~codes; escaped; escaped &= escaped - 1) {
        char c = block[__builtin_ctzll(escaped)];
        w->bad |= c != 'n' && c != 't' && c != 'r' && c != '/' && c != 'b' && c != 'f';
    }
}

/* Visits the brackets, keeps the stack, and finds out which bytes stand in an object and which at depth 1. */
JBLOCK_INLINE void jline_brackets(struct jline_walk *w, const char *block, struct jline_tokens *t) {
    uint64_t done = 0; /* bytes up to and with the last bracket */
    t->in_object = t->at_depth_1 = t->brace = 0;
    for (uint64_t rest = t->open | t->close; rest; rest &= rest - 1) {
        uint64_t bit = rest & -rest, until = bit | (bit - 1), part = (bit - 1) & ~done;
        t->in_object |= part & -(w->objects & 1);
        if (w->depth == 1) t->at_depth_1 |= part;
        done = until;
        char c = block[__builtin_ctzll(bit)];
        if (t->open & bit) {
            bool is_object = c == '{';
            if (w->depth++ == JLINE_DEPTH_MAX) w->bad = 1;
            w->objects = w->objects << 1 | is_object;
            if (is_object) t->brace |= bit;
        } else {
            w->bad |= (c == '}') != (w->objects & 1);
            w->objects >>= 1;
            /* Nothing follows the end of the object that the line is. */
            if (w->depth-- <= 1) w->bad |= t->live & ~until;
        }
    }
    t->in_object |= ~done & -(w->objects & 1);
    if (w->depth == 1) t->at_depth_1 |= ~done;
}

/* The byte behind a scalar, or NULL. Literals without a branch for each of them: which one comes next nobody can foretell. */
JBLOCK_INLINE const char *jline_scalar_end(const char *p) {
    bool four = (memcmp(p, "true", 4) == 0) | (memcmp(p, "null", 4) == 0);
    bool five = (memcmp(p, "fals", 4) == 0) & (p[4] == 'e');
    if (LIKELY(four | five)) return p + 4 + five;
    bool integer;
    size_t n = jtext_number(span_of(p, JLINE_NUMBER_MAX), &integer);
    return n ? p + n : NULL;
}

/* Literals, and numbers that are not all digits. */
JBLOCK_INLINE void jline_check_scalars(struct jline_walk *w, size_t base, uint64_t scalar, uint64_t behind) {
    const char *block = w->p + base;
    uint64_t digits = jline_digits(block) & scalar, zero = jline_equal(block, '0') & scalar & ~behind;
    w->bad |= jline_behind(zero, w->carry.after_zero) & digits;
    w->carry.after_zero = zero >> 63;
    uint64_t rest = scalar & ~digits & ~w->carry.checked;
    w->carry.checked = 0;
    while (rest) {
        const char *p = block + __builtin_ctzll(rest);
        /* A number may have begun with digits, even in the block before. */
        while (p[-1] >= '0' && p[-1] <= '9')
            p--;
        const char *end = jline_scalar_end(p);
        if (!end || (*end != ',' && *end != '}' && *end != ']')) {
            w->bad = 1;
            return;
        }
        ptrdiff_t past = end - block;
        if (past >= JBLOCK_BYTES) {
            w->carry.checked = (UINT64_C(1) << (past - JBLOCK_BYTES)) - 1;
            return;
        }
        rest &= ~UINT64_C(0) << past;
    }
}

/* Where a key is looked for in struct jline_names. */
JBLOCK_INLINE size_t jline_slot(char first, size_t n) {
    return ((unsigned char)first + n * 5) % 64;
}

/* A key at depth 1: one of the wanted? Most are not even compared. */
JBLOCK_INLINE void jline_key(struct jline_walk *w, size_t start, size_t end) {
    const char *key = w->p + start;
    size_t n = end - start;
    for (unsigned which = w->names->slots[jline_slot(key[0], n)]; which; which &= which - 1) {
        unsigned i = (unsigned)__builtin_ctz(which);
        uint64_t head;
        memcpy(&head, key, sizeof head);
        if (n != w->names->v[i].n || (head ^ w->names->heads[i]) & w->names->masks[i]) continue;
        if (n <= sizeof head || memcmp(w->names->v[i].p, key, n) == 0) w->out->at[i] = end + 2;
    }
}

/* Key strings at depth 1, by their closing quotes. Each begins at the last opening quote before. */
JBLOCK_INLINE void jline_keys(struct jline_walk *w, size_t base, uint64_t first, uint64_t closing) {
    do {
        uint64_t before = first & ((closing & -closing) - 1);
        size_t start = before ? base + 63 - (size_t)__builtin_clzll(before) : w->quote;
        jline_key(w, start + 1, base + (size_t)__builtin_ctzll(closing));
        closing &= closing - 1;
    } while (closing);
}
