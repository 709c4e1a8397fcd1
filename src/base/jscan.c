/*
 * Members and elements by the masks of jblock. The grammar of depth 1 is checked byte by byte, which costs little:
 * keys, colons and commas of one level are few. Strings and nested values are crossed by looking for one bit: the
 * closing quote, or the bracket that brings the depth back.
 */
#include "base/jscan.h"

#include "base/jblock.h"
#include "base/jtext.h"

#include <errno.h>

#define NOWHERE SIZE_MAX

/* Short values are common in arrays: the first look is a small one. */
enum { FIRST_BATCH = 4 };

/* Moves forward only: each position asked for is at or behind the one before. */
struct cursor {
    struct span text;
    size_t classified; /* bytes of the text that were read into masks */
    size_t base;       /* where the current block starts */
    size_t block, blocks;
    struct jblock_carry carry;
    struct jblock batch[JBLOCK_BATCH]; /* the first `blocks` of them are filled */
};

static void cursor_init(struct cursor *c, struct span text) {
    c->text = text;
    c->classified = c->base = c->block = c->blocks = 0;
    c->carry = (struct jblock_carry){0};
}

static bool next_block(struct cursor *c) {
    if (LIKELY(c->block + 1 < c->blocks)) {
        c->block++;
        c->base += JBLOCK_BYTES;
        return true;
    }
    if (c->classified == c->text.n) return false;
    struct span rest = span_skip(c->text, c->classified);
    c->base = c->classified;
    c->block = 0;
    c->blocks = jblock_classify(&c->carry, rest, c->base ? JBLOCK_BATCH : FIRST_BATCH, c->batch);
    c->classified += MIN(c->blocks * JBLOCK_BYTES, rest.n);
    return true;
}

/* Goes to the block of `at` and returns the mask of its bits from there on; 0 past the end. */
static uint64_t seek(struct cursor *c, size_t at) {
    while (c->blocks == 0 || at >= c->base + JBLOCK_BYTES)
        if (!next_block(c)) return 0;
    return ~UINT64_C(0) << (at - c->base);
}

/* The first real quote at or behind `from`. */
static size_t find_quote(struct cursor *c, size_t from) {
    uint64_t live = seek(c, from);
    if (!live) return NOWHERE;
    do {
        uint64_t bits = c->batch[c->block].quote & live;
        if (bits) return c->base + (size_t)__builtin_ctzll(bits);
        live = ~UINT64_C(0);
    } while (next_block(c));
    return NOWHERE;
}

/* The bracket that closes the one just before `from`. */
static size_t find_close(struct cursor *c, size_t from) {
    uint64_t live = seek(c, from);
    if (!live) return NOWHERE;
    size_t depth = 1;
    do {
        const struct jblock *b = &c->batch[c->block];
        if (live == ~UINT64_C(0) && depth > b->closes) {
            depth += b->opens;
            depth -= b->closes;
            continue;
        }
        for (uint64_t bits = (b->open | b->close) & live; bits; bits &= bits - 1) {
            if (b->open & bits & -bits)
                depth++;
            else if (--depth == 0)
                return c->base + (size_t)__builtin_ctzll(bits);
        }
        live = ~UINT64_C(0);
    } while (next_block(c));
    return NOWHERE;
}

static size_t skip_space(struct span s, size_t at) {
    while (at < s.n && jtext_is_space(s.p[at]))
        at++;
    return at;
}

/* The byte at `at`, NUL past the end: no place in the grammar allows a NUL. */
static char byte_at(struct span s, size_t at) {
    return at < s.n ? s.p[at] : '\0';
}

/* Letters, digits and signs; which of them make a number is for jscan_i64() and the like to say. */
static size_t scalar_end(struct span s, size_t at) {
    for (; at < s.n; at++) {
        char c = s.p[at], lower = (char)(c | 0x20);
        if (!(c >= '0' && c <= '9') && !(lower >= 'a' && lower <= 'z') && c != '-' && c != '+' && c != '.')
            break;
    }
    return at;
}

/* Where the value that starts at `at` ends, NOWHERE when there is none. */
static size_t value_end(struct cursor *c, size_t at) {
    char first = byte_at(c->text, at);
    size_t last;
    switch (first) {
    case '"': last = find_quote(c, at + 1); return last == NOWHERE ? NOWHERE : last + 1;
    case '{':
    case '[':
        last = find_close(c, at + 1);
        if (last == NOWHERE || c->text.p[last] != (first == '{' ? '}' : ']')) return NOWHERE;
        return last + 1;
    default: last = scalar_end(c->text, at); return last == at ? NOWHERE : last;
    }
}

/* Whether the key, raw text between its quotes, spells one of the wanted names. */
static struct jmember *match(struct span key, struct jmember *wanted, size_t count) {
    char decoded[JSCAN_NAME_MAX];
    if (key.n && memchr(key.p, '\\', key.n)) {
        /* A key that does not fit is none of ours, nor is one with bad escapes. */
        size_t n;
        if (jtext_decode(key, decoded, sizeof decoded, &n) < 0) return NULL;
        key = span_of(decoded, n);
    }
    for (size_t i = 0; i < count; i++)
        if (span_eq(wanted[i].name, key)) return &wanted[i];
    return NULL;
}

/* One member at `at`: key, colon, value. Returns where it ends, NOWHERE when malformed. */
static size_t scan_member(struct cursor *c, size_t at, struct jmember *wanted, size_t count, int *found) {
    if (byte_at(c->text, at) != '"') return NOWHERE;
    size_t quote = find_quote(c, at + 1);
    if (quote == NOWHERE) return NOWHERE;
    struct span key = span_of(c->text.p + at + 1, quote - at - 1);

    size_t colon = skip_space(c->text, quote + 1);
    if (byte_at(c->text, colon) != ':') return NOWHERE;
    size_t start = skip_space(c->text, colon + 1);
    size_t end = value_end(c, start);
    if (end == NOWHERE) return NOWHERE;

    struct jmember *m = match(key, wanted, count);
    if (m) {
        *found += m->value.n == 0;
        m->value = span_of(c->text.p + start, end - start);
    }
    return end;
}

static int scan_members(struct span doc, struct jmember *wanted, size_t count) {
    struct cursor c;
    cursor_init(&c, doc);
    int found = 0;
    size_t at = skip_space(doc, 0);
    if (byte_at(doc, at) != '{') return -EINVAL;
    at = skip_space(doc, at + 1);
    if (byte_at(doc, at) != '}') {
        for (;; at = skip_space(doc, at + 1)) {
            at = scan_member(&c, at, wanted, count, &found);
            if (at == NOWHERE) return -EINVAL;
            at = skip_space(doc, at);
            if (byte_at(doc, at) != ',') break;
        }
        if (byte_at(doc, at) != '}') return -EINVAL;
    }
    return skip_space(doc, at + 1) == doc.n ? found : -EINVAL;
}

static void forget(struct jmember *wanted, size_t count) {
    for (size_t i = 0; i < count; i++)
        wanted[i].value = SPAN_NONE;
}

int jscan_object(struct span doc, struct jmember *wanted, size_t count) {
    forget(wanted, count);
    int r = scan_members(doc, wanted, count);
    if (r < 0) forget(wanted, count);
    return r;
}

/* What is left of an array or object starts with its opening bracket, or with what followed the last element. Returns
 * 1 with where the next element starts, 0 at the end. */
static int before_element(struct span s, char open, char close, size_t *ret_start) {
    size_t at = skip_space(s, 0);
    char mark = byte_at(s, at);
    size_t start = skip_space(s, at + 1);
    if (mark == open && byte_at(s, start) == close) {
        mark = close;
        start = skip_space(s, start + 1);
    }
    if (mark == close) return start == s.n ? 0 : -EINVAL;
    if ((mark != open && mark != ',') || start >= s.n) return -EINVAL;
    *ret_start = start;
    return 1;
}

/* Cuts the value at the start of `*s` off, with the white space behind it. */
static int cut_value(struct span *s, struct span *ret_value) {
    struct cursor c;
    cursor_init(&c, *s);
    size_t n = value_end(&c, 0);
    if (n == NOWHERE) return -EINVAL;
    *ret_value = span_take(*s, n);
    *s = span_skip(*s, skip_space(*s, n));
    return 0;
}

size_t jscan_value(struct span text) {
    struct cursor c;
    cursor_init(&c, text);
    size_t n = value_end(&c, 0);
    return n == NOWHERE ? 0 : n;
}

int jscan_array_next(struct span *rest, struct span *ret_element) {
    size_t start;
    int r = before_element(*rest, '[', ']', &start);
    if (r <= 0) return r;
    struct span s = span_skip(*rest, start), element;
    if (cut_value(&s, &element) < 0) return -EINVAL;
    if (byte_at(s, 0) != ',' && byte_at(s, 0) != ']') return -EINVAL;
    *ret_element = element;
    *rest = s;
    return 1;
}

int jscan_member_next(struct span *rest, struct span *ret_key, struct span *ret_value) {
    size_t start;
    int r = before_element(*rest, '{', '}', &start);
    if (r <= 0) return r;
    struct span s = span_skip(*rest, start), key, value;
    if (cut_value(&s, &key) < 0 || jscan_kind(key) != JKIND_STRING || byte_at(s, 0) != ':') return -EINVAL;
    s = span_skip(s, skip_space(s, 1));
    if (cut_value(&s, &value) < 0) return -EINVAL;
    if (byte_at(s, 0) != ',' && byte_at(s, 0) != '}') return -EINVAL;
    *ret_key = key;
    *ret_value = value;
    *rest = s;
    return 1;
}
