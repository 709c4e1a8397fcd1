/*
 * The walk along one line, included by each engine behind its own way to find bytes (the functions declared
 * below). It must all be in one piece for the compiler to keep the masks in registers.
 *
 * A line is looked at 64 bytes at a time, as bit masks. The grammar is checked without a token by token walk:
 * - What may follow what is a matter of neighbours: a mask shifted by one bit meets the mask of what is allowed there.
 * - Whether a comma stands in an object or in an array is known between two brackets, and brackets are few: only
 *   they are visited one by one, with a bit for each level on a stack of 64.
 * - Strings that begin behind "{" or behind an object's comma are keys. Adding their first bits to the mask of
 *   all string bytes carries through each of them and comes out at its closing quote: there, and only there, a colon
 *   must follow.
 * - Blocks within a string have nothing to check but escapes and control characters.
 * What looks wrong is only collected; whether it is wrong is for jpush() to say.
 */
#pragma once

#include "base/jblock_mask.h"
#include "base/jline_engine.h"
#include "base/jtext.h"

/* What an engine provides: it finds bytes among the 64 at `p`. */
struct jline_text {
    uint64_t backslash, quote, control;
};
struct jline_marks {
    uint64_t open, close, colon, comma;
};
JBLOCK_INLINE bool jline_is_plain(const char *p); /* no quote, backslash or control character */
JBLOCK_INLINE struct jline_text jline_text(const char *p);
JBLOCK_INLINE struct jline_marks jline_marks(const char *p);
JBLOCK_INLINE uint64_t jline_equal(const char *p, char byte);
JBLOCK_INLINE uint64_t jline_digits(const char *p);
JBLOCK_INLINE uint64_t jline_not_escapable(const char *p,
                                           uint64_t escaped); /* those that may not follow a backslash */
JBLOCK_INLINE uint64_t jline_prefix_xor(uint64_t bits);

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
    struct jblock_carry block;
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

/* For engines without a faster way. */
JBLOCK_INLINE uint64_t jline_not_escapable_each(const char *p, uint64_t escaped) {
    uint64_t bad = 0;
    for (; escaped; escaped &= escaped - 1) {
        char c = p[__builtin_ctzll(escaped)];
        bool good = c == 'n' || c == '"' || c == '\\' || c == 't' || c == 'u' || c == 'r' || c == '/' ||
                    c == 'b' || c == 'f';
        if (!good) bad |= escaped;
    }
    return bad;
}

/* Every escaped byte must be one that may be. What follows the block may be looked at: there is padding. */
JBLOCK_INLINE void jline_check_escapes(struct jline_walk *w, const char *block, uint64_t escaped) {
    w->bad |= jline_not_escapable(block, escaped);
    for (uint64_t u = jline_equal(block, 'u') & escaped; u; u &= u - 1) {
        const char *p = block + __builtin_ctzll(u);
        if (!jline_is_hex(p[1]) || !jline_is_hex(p[2]) || !jline_is_hex(p[3]) || !jline_is_hex(p[4]))
            w->bad = 1;
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

/* The byte behind a scalar, or NULL. */
JBLOCK_INLINE const char *jline_scalar_end(const char *p) {
    if (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0) return p + 4;
    if (memcmp(p, "false", 5) == 0) return p + 5;
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

/* Key strings at depth 1, known by their closing quotes. */
JBLOCK_INLINE void jline_keys(struct jline_walk *w, size_t base, const struct jline_tokens *t,
                              uint64_t closing, uint64_t backslash) {
    for (; closing; closing &= closing - 1) {
        uint64_t bit = closing & -closing, before = t->first & (bit - 1);
        size_t end = base + (size_t)__builtin_ctzll(bit);
        size_t start = before ? base + 63 - (size_t)__builtin_clzll(before) : w->quote;
        size_t n = end - start - 1;
        const char *key = w->p + start + 1;
        if (n >= 64 || !(w->names->lengths >> n & 1)) {
            /* Another spelling of a wanted key is longer than the key. */
            if ((backslash || !before) && memchr(key, '\\', n)) w->bad = 1;
            continue;
        }
        for (size_t i = 0; i < w->names->n; i++)
            if (w->names->v[i].n == n && memcmp(w->names->v[i].p, key, n) == 0) w->out->at[i] = end + 2;
        if ((backslash || !before) && memchr(key, '\\', n)) w->bad = 1;
    }
}

/* Neighbours: see the head of this file. */
JBLOCK_INLINE void jline_grammar(struct jline_walk *w, size_t base, const struct jline_tokens *t,
                                 uint64_t backslash) {
    struct jline_carry *c = &w->carry;
    uint64_t before_key = t->brace | (t->comma & t->in_object);
    uint64_t before_value = (t->open & ~t->brace) | (t->comma & ~t->in_object) | t->colon;
    uint64_t behind_key_mark = jline_behind(before_key, c->before_key);
    uint64_t behind_open = jline_behind(t->open, c->after_open);
    uint64_t value = t->first | t->open | t->scalar;
    uint64_t wrong = (behind_key_mark & ~t->first) | (jline_behind(before_value, c->before_value) & ~value);
    w->bad |= wrong & ~(behind_open & t->close) & t->live;

    unsigned long long carried;
    uint64_t keys = (t->first & behind_key_mark) | c->in_key;
    c->in_key = __builtin_uaddll_overflow(t->in, keys, &carried);
    uint64_t key_end = carried & t->last;
    w->bad |= (jline_behind(key_end, c->after_key) ^ t->colon) & t->live;

    uint64_t value_end = (t->last & ~key_end) | t->close;
    uint64_t behind_scalar = jline_behind(t->scalar, c->after_scalar);
    uint64_t end = t->comma | t->close;
    w->bad |=
        ((jline_behind(value_end, c->after_value) & ~end) | (behind_scalar & ~(end | t->scalar))) & t->live;
    if (t->scalar)
        jline_check_scalars(w, base, t->scalar, behind_scalar);
    else
        c->after_zero = c->checked = 0;

    if (key_end & t->at_depth_1) jline_keys(w, base, t, key_end & t->at_depth_1, backslash);
    if (t->first) w->quote = base + 63 - (size_t)__builtin_clzll(t->first);
    c->before_key = before_key >> 63;
    c->before_value = before_value >> 63;
    c->after_open = t->open >> 63;
    c->after_key = key_end >> 63;
    c->after_value = value_end >> 63;
    c->after_scalar = t->scalar >> 63;
}

/* One block. false: the line ends in it, or it was given up. */
JBLOCK_INLINE bool jline_block(struct jline_walk *w, size_t base) {
    const char *block = w->p + base;
    if (w->block.string && !w->block.escaped && jline_is_plain(block)) return true;
    struct jline_text m = jline_text(block);
    struct jline_tokens t = {.live = ~UINT64_C(0)};
    if (UNLIKELY(m.control)) {
        unsigned first = (unsigned)__builtin_ctzll(m.control);
        if (block[first] != '\n') {
            w->bad = 1;
            return false;
        }
        w->end = base + first;
        t.live = (UINT64_C(1) << first) - 1;
        m.quote &= t.live;
        m.backslash &= t.live;
    }
    if (m.backslash | w->block.escaped) {
        struct jblock_masks of = {.backslash = m.backslash, .quote = m.quote};
        uint64_t escaped = jblock_unescape(&w->block, &of);
        m.quote = of.quote;
        jline_check_escapes(w, block, escaped);
    }
    t.in = jline_prefix_xor(m.quote) ^ w->block.string;
    w->block.string = 0 - (t.in >> 63);
    if (t.in == ~UINT64_C(0) && !m.quote && t.live == ~UINT64_C(0)) return true;

    struct jline_marks marks = jline_marks(block);
    uint64_t outside = ~t.in & t.live;
    t.first = m.quote & t.in;
    t.last = m.quote & ~t.in;
    t.open = marks.open & outside;
    t.close = marks.close & outside;
    t.colon = marks.colon & outside;
    t.comma = marks.comma & outside;
    t.scalar = outside & ~(t.last | t.open | t.close | t.colon | t.comma);
    jline_brackets(w, block, &t);
    jline_grammar(w, base, &t, m.backslash);
    return t.live == ~UINT64_C(0);
}

JBLOCK_INLINE bool jline_walk(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    if (p[0] != '{') return false;
    *ret = (struct jline){0};
    struct jline_walk w = {.p = p, .end = n, .names = names, .out = ret};
    for (size_t base = 0; jline_block(&w, base) && !w.bad; base += JBLOCK_BYTES) {}
    if (w.bad | w.depth | w.block.string) return false;
    ret->n = w.end;
    return true;
}
