/*
 * Most texts are valid, which one pass tells. The others are gone through twice, once to count what comes out and once to write
 * it, so that no more memory is taken than that. Levels are a stack of bits, as in jvalid.c.
 */
#include "base/jmend.h"

#include "base/jscan.h"
#include "base/jtext.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define REPLACEMENT "\xEF\xBF\xBD"

struct mend {
    struct span rest;
    char *out; /* NULL while it is counted */
    size_t n;
    unsigned depth, max_depth;
    uint64_t objects[JVALID_DEPTH_MAX / 64]; /* bit set: that level is an object */
};

static void put(struct mend *m, struct span s) {
    if (m->out && s.n) memcpy(m->out + m->n, s.p, s.n);
    m->n += s.n;
}

static void put_char(struct mend *m, char c) {
    put(m, span_of(&c, 1));
}

static void skip_space(struct mend *m) {
    while (m->rest.n && jtext_is_space(m->rest.p[0]))
        m->rest = span_skip(m->rest, 1);
}

/* What was expected is not there. */
static int wrong(const struct mend *m) {
    return m->rest.n ? -EBADMSG : -ENODATA;
}

static bool next_is(const struct mend *m, char c) {
    return m->rest.n && m->rest.p[0] == c;
}

static int take(struct mend *m, char wanted) {
    if (!next_is(m, wanted)) return wrong(m);
    m->rest = span_skip(m->rest, 1);
    put_char(m, wanted);
    return 0;
}

/* Half of a pair: it is written well enough, and means nothing. */
static bool is_lone_surrogate(struct span s) {
    if (s.n < 6 || s.p[1] != 'u') return false;
    for (size_t i = 2; i < 6; i++)
        if (!isxdigit((unsigned char)s.p[i])) return false;
    return true;
}

static void take_escape(struct mend *m) {
    uint32_t code;
    size_t n = jtext_escape(m->rest, &code);
    if (n) {
        put(m, span_take(m->rest, n));
    } else if (is_lone_surrogate(m->rest)) {
        n = 6;
        put(m, SPAN(REPLACEMENT));
    } else {
        n = 1;
        put(m, SPAN("\\\\"));
    }
    m->rest = span_skip(m->rest, n);
}

static void take_control(struct mend *m) {
    static const char hex[] = "0123456789abcdef";
    unsigned char c = (unsigned char)m->rest.p[0];
    m->rest = span_skip(m->rest, 1);
    if (c == '\t')
        put(m, SPAN("\\t"));
    else
        put(m, span_of((const char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]}, 6));
}

static int take_string(struct mend *m) {
    int r = take(m, '"');
    if (r < 0) return r;
    for (;;) {
        size_t run = jtext_run(m->rest);
        put(m, span_take(m->rest, run));
        m->rest = span_skip(m->rest, run);
        if (!m->rest.n) return -ENODATA;
        unsigned char c = (unsigned char)m->rest.p[0];
        if (c == '"') return take(m, '"');
        if (c == '\\') {
            take_escape(m);
        } else if (c < 0x20) {
            take_control(m);
        } else {
            put(m, SPAN(REPLACEMENT));
            m->rest = span_skip(m->rest, utf8_bad_part(m->rest));
        }
    }
}

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '-' || c == '+' || c == '.' || c == '_';
}

static int take_word(struct mend *m) {
    size_t n = 0;
    bool integer;
    while (n < m->rest.n && is_word_byte(m->rest.p[n]))
        n++;
    if (n == 0) return wrong(m);
    struct span word = span_take(m->rest, n);
    bool known =
        span_eq(word, SPAN("true")) || span_eq(word, SPAN("false")) || jtext_number(word, &integer) == word.n;
    put(m, known ? word : SPAN("null"));
    m->rest = span_skip(m->rest, n);
    return 0;
}

static int take_key(struct mend *m) {
    skip_space(m);
    int r = take_string(m);
    if (r < 0) return r;
    skip_space(m);
    return take(m, ':');
}

static int take_too_deep(struct mend *m) {
    size_t n = jscan_value(m->rest);
    if (n == 0) return -ENODATA;
    m->rest = span_skip(m->rest, n);
    put(m, SPAN("null"));
    return 0;
}

static void enter(struct mend *m, bool object) {
    uint64_t *word = &m->objects[m->depth / 64], bit = UINT64_C(1) << (m->depth % 64);
    *word = object ? *word | bit : *word & ~bit;
    m->depth++;
}

static bool in_object(const struct mend *m) {
    return m->objects[(m->depth - 1) / 64] >> ((m->depth - 1) % 64) & 1;
}

/* Steps into brackets up to the first value that can be taken whole, and takes it. */
static int take_value(struct mend *m) {
    for (;;) {
        skip_space(m);
        if (next_is(m, '"')) return take_string(m);
        bool object = next_is(m, '{');
        if (!object && !next_is(m, '[')) return take_word(m);
        if (m->depth == m->max_depth) return take_too_deep(m);
        (void)take(m, object ? '{' : '[');
        enter(m, object);
        skip_space(m);
        if (next_is(m, object ? '}' : ']')) {
            m->depth--;
            return take(m, object ? '}' : ']');
        }
        int r = object ? take_key(m) : 0;
        if (r < 0) return r;
    }
}

/* Behind a value: closes what ends here. Afterwards either another value follows or the depth is 0. */
static int take_ends(struct mend *m) {
    while (m->depth > 0) {
        bool object = in_object(m);
        skip_space(m);
        if (next_is(m, ',')) {
            (void)take(m, ',');
            return object ? take_key(m) : 0;
        }
        int r = take(m, object ? '}' : ']');
        if (r < 0) return r;
        m->depth--;
    }
    return 0;
}

/* Goes through the text once. How many bytes come out, or -errno. */
static ssize_t pass(struct span text, unsigned max_depth, char *out) {
    struct mend m = {.rest = text, .out = out, .max_depth = MIN(max_depth, (unsigned)JVALID_DEPTH_MAX)};
    do {
        int r = take_value(&m);
        if (r == 0) r = take_ends(&m);
        if (r < 0) return r;
    } while (m.depth > 0);
    return (ssize_t)m.n;
}

int jmend(struct span text, unsigned max_depth, struct arena *arena, struct span *ret) {
    if (span_starts(text, SPAN(BYTE_ORDER_MARK))) text = span_skip(text, sizeof BYTE_ORDER_MARK - 1);
    text = span_trim(text);
    if (jvalid(text, max_depth) == 0) {
        *ret = text;
        return 0;
    }
    ssize_t n = pass(text, max_depth, NULL);
    if (n < 0) return (int)n;
    char *out = arena_alloc(arena, (size_t)n);
    if (!out) return -ENOBUFS;
    (void)pass(text, max_depth, out);
    *ret = span_of(out, (size_t)n);
    return 0;
}
