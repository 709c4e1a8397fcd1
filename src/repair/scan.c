#include "repair/scan.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

void scan_init(struct scan *s, struct transcript *t) {
    *s = (struct scan){.transcript = t, .names = jline_names_of(line_member_names, LINE_MEMBER_N_)};
    /* What lies behind the bytes is looked at, though it does not matter. */
    s->window = xcalloc(1, SCAN_WINDOW + 1 + JLINE_PADDING);
    jpush_init(&s->exact, &s->names);
}

void scan_fini(struct scan *s) {
    jpush_fini(&s->exact);
    free(s->window);
}

/* The raw value that begins there. The line is valid, so that a string ends with its first quote that has no backslash
 * before it; whether one with a backslash is escaped, jscan_value() knows. */
static struct span value_at(const char *line, const struct jline *found, enum line_member which) {
    size_t at = found->at[which];
    if (!at) return SPAN_NONE;
    struct span rest = span_of(line + at, found->n - at);
    if (LIKELY(rest.p[0] == '"')) {
        const char *quote = memchr(rest.p + 1, '"', rest.n - 1);
        if (LIKELY(quote && quote[-1] != '\\')) return span_take(rest, (size_t)(quote - rest.p) + 1);
    }
    return span_take(rest, jscan_value(rest));
}

static int take_fast(struct scan *s, const char *p, uint64_t offset, const struct jline *found) {
    if (!found->at[LINE_UUID]) return 0;
    struct line line = {0};
    line.raw[LINE_TYPE] = value_at(p, found, LINE_TYPE);
    struct span type = line.raw[LINE_TYPE];
    bool ordinary = span_eq(type, SPAN("\"assistant\"")) || span_eq(type, SPAN("\"user\""));
    /* Of ordinary messages the rest does not matter. */
    for (enum line_member i = 0; i < (ordinary ? LINE_TYPE : LINE_MEMBER_N_); i++)
        line.raw[i] = value_at(p, found, i);
    /* As if it had come the other way. */
    line.cut[LINE_DATA] = line.raw[LINE_DATA].n > JPUSH_VALUE_MAX;
    line.parent_at = offset + found->at[LINE_PARENT];
    line.parent_len = line.raw[LINE_PARENT].n;
    return transcript_add(s->transcript, &line);
}

/* What jpush() has found in the line that began at `offset`. */
static int take_exact(struct scan *s, uint64_t offset) {
    if (jpush_end(&s->exact) < 0) return 0;
    struct line line = {0};
    for (size_t i = 0; i < LINE_MEMBER_N_; i++) {
        const struct jpush_value *v = &s->exact.values[i];
        line.raw[i] = v->n ? buf_span(&v->text) : SPAN_NONE;
        line.cut[i] = v->n > v->text.n;
    }
    line.parent_at = offset + s->exact.values[LINE_PARENT].at;
    line.parent_len = s->exact.values[LINE_PARENT].n;
    return transcript_add(s->transcript, &line);
}

/* Lines up to `end`, behind the last '\n'. Empties the window up to there. */
static int take_lines(struct scan *s, size_t end) {
    int r = 0;
    for (size_t at = 0; at < end && r == 0;) {
        const char *p = s->window + at;
        struct jline line;
        if (LIKELY(jline_scan(&s->names, p, end - at, &line))) {
            r = take_fast(s, p, s->offset + at, &line);
        } else {
            jpush_begin(&s->exact);
            if (jpush_feed(&s->exact, span_of(p, line.n)) == 0) r = take_exact(s, s->offset + at);
        }
        at += line.n + 1;
    }
    memmove(s->window, s->window + end, s->used - end);
    s->used -= end;
    s->offset += end;
    return r;
}

static void begin_long(struct scan *s) {
    s->in_long = true;
    s->long_at = s->offset;
    jpush_begin(&s->exact);
    s->long_bad = jpush_feed(&s->exact, span_of(s->window, s->used)) < 0;
    s->offset += s->used;
    s->used = 0;
}

static int end_long(struct scan *s) {
    s->in_long = false;
    return s->long_bad ? 0 : take_exact(s, s->long_at);
}

/* More of a long line: what is in the window, up to its end if that is there. */
static int go_on_long(struct scan *s) {
    const char *newline = memchr(s->window, '\n', s->used);
    size_t n = newline ? (size_t)(newline - s->window) : s->used;
    if (!s->long_bad) s->long_bad = jpush_feed(&s->exact, span_of(s->window, n)) < 0;
    size_t gone = newline ? n + 1 : n;
    memmove(s->window, s->window + gone, s->used - gone);
    s->used -= gone;
    s->offset += gone;
    return newline ? end_long(s) : 0;
}

char *scan_room(struct scan *s, size_t *ret_room) {
    *ret_room = SCAN_CHUNK;
    return s->window + s->used;
}

int scan_grew(struct scan *s, size_t n) {
    size_t before = s->used;
    s->used += n;
    if (s->in_long) {
        int r = go_on_long(s);
        if (r < 0 || s->in_long) return r;
        before = 0;
    }
    const char *last = s->used > before ? memrchr(s->window + before, '\n', s->used - before) : NULL;
    if (last) return take_lines(s, (size_t)(last - s->window) + 1);
    if (s->used > SCAN_WINDOW - SCAN_CHUNK) begin_long(s);
    return 0;
}

int scan_end(struct scan *s) {
    if (s->in_long) return end_long(s);
    if (s->used == 0) return 0;
    s->window[s->used++] = '\n';
    return take_lines(s, s->used);
}
