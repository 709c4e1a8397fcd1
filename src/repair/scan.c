#include "repair/scan.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

#define SIDE_HEAD "{\"parentUuid\":"
/* Characters of an id that stands before the mark of a subagent's message, and blanks behind it. */
enum { SIDE_ID_MAX = 48 };

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

/* Whether the message is one of a subagent's that older versions wrote among the others: it says so right behind its parent. */
static bool is_side(struct span record) {
    struct span rest = record;
    if (!span_starts(rest, SPAN(SIDE_HEAD))) return false;
    rest = span_skip(rest, strlen(SIDE_HEAD));
    if (span_starts(rest, SPAN("null"))) {
        rest = span_skip(rest, strlen("null"));
    } else {
        const char *quote = rest.n && rest.p[0] == '"'
                                ? memchr(rest.p + 1, '"', MIN(rest.n - 1, (size_t)SIDE_ID_MAX + 1))
                                : NULL;
        if (!quote || quote[-1] == '\\') return false;
        rest = span_skip(rest, (size_t)(quote + 1 - rest.p));
    }
    for (size_t i = 0; i < SIDE_ID_MAX && rest.n && rest.p[0] == ' '; i++)
        rest = span_skip(rest, 1);
    return span_starts(rest, SPAN(",\"isSidechain\":true"));
}

/* Where a UUID comes first, one byte says it for nearly all. */
static bool says_no_side(const struct jline *found, const char *p, size_t parent_n) {
    static const size_t uuid_n = 38, parent_at = sizeof SIDE_HEAD - 1,
                        mark_at = parent_at + uuid_n + sizeof ",\"isSidechain\":" - 1;
    return found->at[LINE_PARENT] == parent_at && parent_n == uuid_n && found->n > mark_at &&
           p[mark_at] == 'f';
}

static int take_fast(struct scan *s, const char *p, uint64_t offset, const struct jline *found) {
    if (!found->at[LINE_UUID]) return 0;
    struct line line = {.text = span_of(p, found->n)};
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
    line.is_side = !says_no_side(found, p, line.raw[LINE_PARENT].n) && is_side(line.text);
    return transcript_add(s->transcript, &line);
}

/* The record that was found. `text` is what of its line is at hand, from the offset `from` on. */
static int take_record(struct scan *s, struct span text, uint64_t from) {
    const struct split *split = &s->split;
    struct line line = {.is_side = is_side(span_of(split->head, split->head_n))};
    if (split->begins >= from)
        line.text = span_take(span_skip(text, (size_t)(split->begins - from)), (size_t)s->exact.end);
    for (size_t i = 0; i < LINE_MEMBER_N_; i++) {
        const struct jpush_value *v = &s->exact.values[i];
        line.raw[i] = v->n ? buf_span(&v->text) : SPAN_NONE;
        line.cut[i] = v->n > v->text.n;
    }
    line.parent_at = split->begins + s->exact.values[LINE_PARENT].at;
    line.parent_len = s->exact.values[LINE_PARENT].n;
    bool is_first = split->begins == s->line.at;
    if (!is_first && transcript_is_boundary(&line)) {
        transcript_drop_cut(s->transcript, split->begins);
        split_stop(&s->split);
        return 0;
    }
    if (!is_first && transcript_cut(s->transcript, split->begins) < 0) return -ENOMEM;
    int r = transcript_add(s->transcript, &line);
    if (r == 0 && split_goes_on(split)) r = transcript_cut(s->transcript, split->at);
    return r;
}

static void begin_line(struct scan *s, uint64_t at) {
    s->line = transcript_begin_line(s->transcript, at);
    split_begin(&s->split, &s->exact, at);
}

/* Bytes of the line, from the offset `from` on, and whether they are its last ones. 1: that was all of it; 0: the split says which
 * bytes it wants. */
static int split_line(struct scan *s, struct span bytes, uint64_t from, bool is_last) {
    for (;;) {
        struct span rest = span_skip(bytes, (size_t)(s->split.at - from));
        switch (split_feed(&s->split, rest, is_last)) {
        case SPLIT_MORE: {
            bool is_here = s->split.at >= from && (is_last || s->split.at < from + bytes.n);
            if (!is_here) return 0;
            break;
        }
        case SPLIT_RECORD: {
            int r = take_record(s, bytes, from);
            if (r < 0) return r;
            break;
        }
        case SPLIT_END: transcript_end_line(s->transcript, &s->line); return 1;
        }
    }
}

/* Empties the window up to there. */
static void drop(struct scan *s, size_t n) {
    memmove(s->window, s->window + n, s->used - n);
    s->used -= n;
    s->offset += n;
}

/* Lines up to `end`, behind the last '\n'; they are dropped. */
static int take_lines(struct scan *s, size_t end) {
    int r = 0;
    for (size_t at = 0; at < end && r >= 0;) {
        const char *p = s->window + at;
        struct jline line;
        if (LIKELY(jline_scan(&s->names, p, end - at, &line))) {
            r = take_fast(s, p, s->offset + at, &line);
        } else {
            begin_line(s, s->offset + at);
            r = split_line(s, span_of(p, line.n), s->offset + at, true);
        }
        at += line.n + 1;
    }
    drop(s, end);
    return MIN(r, 0);
}

/* More of a long line: what is in the window, up to its end if that is there. */
static int go_on_long(struct scan *s, bool is_end) {
    const char *newline = memchr(s->window, '\n', s->used);
    size_t n = newline ? (size_t)(newline - s->window) : s->used;
    bool is_last = newline || is_end;
    int r = s->split.state == SPLIT_FINISHED ? 1 : split_line(s, span_of(s->window, n), s->offset, is_last);
    if (r < 0) return r;
    if (r == 0 && s->split.at < s->offset) {
        s->offset = s->split.at;
        s->used = 0;
        return 0;
    }
    s->in_long = !is_last;
    drop(s, newline ? n + 1 : n);
    return 0;
}

char *scan_room(struct scan *s, size_t *ret_room) {
    *ret_room = SCAN_CHUNK;
    return s->window + s->used;
}

int scan_grew(struct scan *s, size_t n) {
    size_t before = s->used;
    s->used += n;
    if (s->in_long) {
        int r = go_on_long(s, false);
        if (r < 0 || s->in_long) return r;
        before = 0;
    }
    const char *last = s->used > before ? memrchr(s->window + before, '\n', s->used - before) : NULL;
    if (last) return take_lines(s, (size_t)(last - s->window) + 1);
    if (s->used <= SCAN_WINDOW - SCAN_CHUNK) return 0;
    s->in_long = true;
    begin_line(s, s->offset);
    return go_on_long(s, false);
}

int scan_end(struct scan *s) {
    if (s->in_long) {
        int r = go_on_long(s, true);
        return r < 0 ? r : s->in_long;
    }
    if (s->used == 0) return 0;
    s->window[s->used++] = '\n';
    return take_lines(s, s->used);
}
