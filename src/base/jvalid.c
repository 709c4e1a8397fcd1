/*
 * The strict check: one pass over the grammar with a stack of bits (object or array) instead of recursion, so that
 * nesting costs a bit each and can never exhaust the stack of the thread.
 */
#include "base/jscan.h"

#include "base/jtext.h"

#include <errno.h>

struct check {
    const char *p, *end;
    unsigned depth, max_depth;
    uint64_t objects[JVALID_DEPTH_MAX / 64]; /* bit set: that level is an object */
};

static void skip_space(struct check *c) {
    while (c->p < c->end && jtext_is_space(*c->p))
        c->p++;
}

static bool take(struct check *c, char wanted) {
    if (c->p == c->end || *c->p != wanted) return false;
    c->p++;
    return true;
}

static bool take_word(struct check *c, struct span word) {
    if (!span_starts(span_of(c->p, (size_t)(c->end - c->p)), word)) return false;
    c->p += word.n;
    return true;
}

static bool take_number(struct check *c) {
    bool integer;
    size_t n = jtext_number(span_of(c->p, (size_t)(c->end - c->p)), &integer);
    c->p += n;
    return n > 0;
}

static bool take_string(struct check *c) {
    if (!take(c, '"')) return false;
    for (;;) {
        c->p += jtext_run(span_of(c->p, (size_t)(c->end - c->p)));
        if (take(c, '"')) return true;
        uint32_t code;
        size_t n = jtext_escape(span_of(c->p, (size_t)(c->end - c->p)), &code);
        if (n == 0) return false;
        c->p += n;
    }
}

static bool take_key(struct check *c) {
    skip_space(c);
    if (!take_string(c)) return false;
    skip_space(c);
    return take(c, ':');
}

static bool in_object(const struct check *c) {
    return c->objects[(c->depth - 1) / 64] >> ((c->depth - 1) % 64) & 1;
}

static bool enter(struct check *c, bool object) {
    if (c->depth == c->max_depth) return false;
    uint64_t *word = &c->objects[c->depth / 64], bit = UINT64_C(1) << (c->depth % 64);
    if (c->depth % 64 == 0) *word = 0;
    *word = object ? *word | bit : *word & ~bit;
    c->depth++;
    return true;
}

/* Steps into brackets up to the first value that can be taken whole, and takes it. An empty object or array is such
 * a value. */
static bool take_value(struct check *c) {
    for (;;) {
        skip_space(c);
        if (c->p == c->end) return false;
        char first = *c->p;
        switch (first) {
        case '"': return take_string(c);
        case 't': return take_word(c, SPAN("true"));
        case 'f': return take_word(c, SPAN("false"));
        case 'n': return take_word(c, SPAN("null"));
        case '{':
        case '[': break;
        default: return take_number(c);
        }
        c->p++;
        if (!enter(c, first == '{')) return false;
        skip_space(c);
        if (take(c, first == '{' ? '}' : ']')) {
            c->depth--;
            return true;
        }
        if (first == '{' && !take_key(c)) return false;
    }
}

/* Behind a value: closes what ends here. Afterwards either another value follows or the depth is 0. */
static bool take_ends(struct check *c) {
    while (c->depth > 0) {
        bool object = in_object(c);
        skip_space(c);
        if (take(c, ',')) return !object || take_key(c);
        if (!take(c, object ? '}' : ']')) return false;
        c->depth--;
    }
    return true;
}

int jvalid(struct span doc, unsigned max_depth) {
    struct check c;
    c.p = doc.p;
    c.end = doc.n ? doc.p + doc.n : doc.p;
    c.depth = 0;
    c.max_depth = MIN(max_depth, (unsigned)JVALID_DEPTH_MAX);
    do {
        if (!take_value(&c) || !take_ends(&c)) return -EINVAL;
    } while (c.depth > 0);
    skip_space(&c);
    return c.p == c.end ? 0 : -EINVAL;
}
