/*
 * Any bytes as lines: the three fast engines must say the same; where they are sure, the exact reader must agree on every
 * value's place; and the exact reader, however its bytes arrive, must agree with the validator.
 */
#include "base/cleanup.h"
#include "base/jpush.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static const struct span wanted[] = {{"uuid", 4}, {"parentUuid", 10}, {"type", 4}, {"a", 1}, {"b", 1}};

static void cleanup_jpush(struct jpush *p) {
    jpush_fini(p);
}

/* Fed all at once, and in pieces: the same outcome. */
static int push(struct jpush *p, struct span line, size_t piece) {
    jpush_begin(p);
    for (int r = 0; line.n && r == 0; line = span_skip(line, piece))
        if (jpush_feed(p, span_take(line, piece)) < 0) return -1;
    return jpush_end(p);
}

static void check_values(const struct jpush *a, const struct jpush *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        require(a->values[i].at == b->values[i].at && a->values[i].n == b->values[i].n);
        require(a->values[i].n == 0 || span_eq(buf_span(&a->values[i].text), buf_span(&b->values[i].text)));
    }
}

static bool has_escape(struct span s) {
    return s.n && memmem(s.p, s.n, "\\u", 2);
}

/* Returns whether the exact reader takes the line. */
static bool check_exact(const struct jline_names *names, struct span line, struct jpush *p) {
    AUTO(jpush) struct jpush pieces;
    jpush_init(&pieces, names);
    int r = push(p, line, line.n ? line.n : 1);
    for (size_t piece = 1; piece < 8; piece += 3) {
        require(push(&pieces, line, piece) == r);
        if (r == 0) check_values(p, &pieces, names->n);
    }
    struct span text = line;
    while (text.n && (text.p[0] == ' ' || text.p[0] == '\t' || text.p[0] == '\r'))
        text = span_skip(text, 1);
    bool object = text.n && text.p[0] == '{', valid = object && jvalid(line, JVALID_DEPTH_MAX) == 0;
    if (valid) require(r == 0);
    /* What only the validator refuses: malformed UTF-8, lone surrogates, depth. */
    if (r == 0 && !valid) require(!utf8_valid(line) || has_escape(line) || line.n > JVALID_DEPTH_MAX);
    return r == 0;
}

static void check_line(const struct jline_names *names, const char *p, size_t n, struct span line) {
    struct jline found[3];
    bool sure[3];
    for (enum jscan_engine e = JSCAN_SCALAR; e <= JSCAN_AVX2; e++) {
        found[e] = (struct jline){0};
        sure[e] = jscan_use(e) ? jline_scan(names, p, n, &found[e]) : sure[JSCAN_SCALAR];
        if (!jscan_use(e)) found[e] = found[JSCAN_SCALAR];
        require(found[e].n == line.n && sure[e] == sure[0]);
        require(memcmp(found[e].at, found[0].at, sizeof found[0].at) == 0);
    }
    AUTO(jpush) struct jpush exact;
    jpush_init(&exact, names);
    bool valid = check_exact(names, line, &exact);
    if (!sure[0]) return;
    require(valid);
    for (size_t i = 0; i < names->n; i++) {
        require((found[0].at[i] != 0) == (exact.values[i].n != 0));
        if (!found[0].at[i]) continue;
        require(found[0].at[i] == exact.values[i].at);
        require(jscan_value(span_skip(line, found[0].at[i])) == exact.values[i].n);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct jline_names names = jline_names_of(wanted, ARRAY_LEN(wanted));
    /* Bytes behind the end may be anything. */
    for (int fill = 0; fill <= '"'; fill += '"') {
        AUTO(free) char *text = xmalloc(size + 1 + JLINE_PADDING);
        memset(text, fill, size + 1 + JLINE_PADDING);
        if (size) memcpy(text, data, size);
        text[size] = '\n';
        for (size_t at = 0; at <= size;) {
            const char *end = memchr(text + at, '\n', size + 1 - at);
            size_t n = (size_t)(end - text) - at;
            check_line(&names, text + at, size + 1 - at, span_of(text + at, n));
            at += n + 1;
        }
    }
    return 0;
}
