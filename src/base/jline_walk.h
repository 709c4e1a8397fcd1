/*
 * The walk along one line, included by each engine behind its own way to find bytes. It must all be in one piece for the compiler to keep the masks in registers.
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

#include "base/jline_pieces.h"

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
    /* A key with escapes may be a wanted one in another spelling. */
    w->bad |= t->in & ~carried & backslash & t->at_depth_1;
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

    if (key_end & t->at_depth_1) jline_keys(w, base, t->first, key_end & t->at_depth_1);
    if (t->first) w->quote = base + 63 - (size_t)__builtin_clzll(t->first);
    c->before_key = before_key >> 63;
    c->before_value = before_value >> 63;
    c->after_open = t->open >> 63;
    c->after_key = key_end >> 63;
    c->after_value = value_end >> 63;
    c->after_scalar = t->scalar >> 63;
}

/* What a block says about strings. */
struct jline_quotes {
    uint64_t quote, backslash, control; /* real quotes only */
    uint64_t escaped;                   /* carry into the next block */
};

JBLOCK_INLINE struct jline_quotes jline_quotes(struct jline_walk *w, const char *block, uint64_t escaped) {
    struct jline_text m = jline_text(block);
    struct jline_quotes q = {m.quote, m.backslash, m.control, 0};
    if (m.backslash | escaped) {
        struct jblock_carry carry = {.escaped = escaped};
        struct jblock_masks of = {.backslash = m.backslash, .quote = m.quote};
        uint64_t behind = jblock_unescape(&carry, &of);
        q.quote = of.quote;
        q.escaped = carry.escaped;
        uint64_t odd = behind & ~(m.quote | m.backslash | jline_escapable(block));
        if (UNLIKELY(odd)) jline_check_escapes(w, block, odd);
    }
    return q;
}

/* The block at `base`, which has structure in it. False: the line ends there. */
JBLOCK_INLINE bool jline_block(struct jline_walk *w, size_t base, struct jline_quotes q) {
    const char *block = w->p + base;
    struct jline_tokens t = {.live = ~UINT64_C(0)};
    if (UNLIKELY(q.control)) {
        unsigned first = (unsigned)__builtin_ctzll(q.control);
        if (block[first] != '\n') w->bad = 1;
        w->end = base + first;
        t.live = (UINT64_C(1) << first) - 1;
        q.quote &= t.live;
    }
    t.in = jline_prefix_xor(q.quote) ^ w->string;
    w->string = 0 - (t.in >> 63);

    struct jline_marks marks = jline_marks(block);
    uint64_t outside = ~t.in & t.live;
    t.first = q.quote & t.in;
    t.last = q.quote & ~t.in;
    t.open = marks.open & outside;
    t.close = marks.close & outside;
    t.colon = marks.colon & outside;
    t.comma = marks.comma & outside;
    t.scalar = outside & ~(t.last | t.open | t.close | t.colon | t.comma);
    jline_brackets(w, block, &t);
    jline_grammar(w, base, &t, q.backslash);
    return !q.control;
}

JBLOCK_INLINE bool jline_walk(const struct jline_names *names, const char *p, size_t n, struct jline *ret) {
    if (p[0] != '{') return false;
    *ret = (struct jline){0};
    struct jline_walk w = {.p = p, .end = n, .names = names, .out = ret};
    struct jline_quotes q = {0};
    for (size_t base = 0;; base += JBLOCK_BYTES) {
        q = jline_quotes(&w, p + base, q.escaped);
        /* Most of a line is text. */
        while (w.string && !(q.quote | q.control)) {
            base += JBLOCK_BYTES;
            q = jline_quotes(&w, p + base, q.escaped);
        }
        if (!jline_block(&w, base, q) || w.bad) break;
        /* The object has ended with the block: so must the line. */
        if (UNLIKELY(!w.depth)) w.bad = p[base + JBLOCK_BYTES] != '\n';
    }
    if (w.bad | w.depth | w.string) return false;
    ret->n = w.end;
    return true;
}
