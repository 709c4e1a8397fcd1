#include "cli/cells.h"

#include "base/shown.h"
#include "base/utf8.h"
#include "term/vt_width.h"

/* Appends characters while they fit; `*cells` is what they take. False when some did not. */
static bool append_while(struct span text, size_t width, size_t *cells, struct buf *out) {
    struct shown s = SHOWN_INIT(text);
    while (shown_next(&s)) {
        struct span one = shown_as(&s, SHOWN_PLAIN);
        size_t wide = vt_width(s.is_shown ? s.code : utf8_decode(one));
        if (*cells + wide > width) return false;
        *cells += wide;
        (void)buf_append_span(out, one);
    }
    return true;
}

size_t cells_append(struct span text, size_t width, struct buf *out) {
    size_t before = out->n, cells = 0;
    if (append_while(text, width, &cells, out) || width == 0) return cells;
    out->n = before;
    cells = 0;
    (void)append_while(text, width - 1, &cells, out);
    (void)buf_append_span(out, SPAN("…"));
    return cells + 1;
}

enum { TAB_CELLS = 4 };

/* The character that shown_next() has found, as it is drawn at cell `at` of its line; returns how many cells that takes. */
static size_t drawn(struct shown *s, size_t at, struct span *ret) {
    static const char blanks[TAB_CELLS + 1] = "    ";
    if (s->code == '\t') {
        *ret = span_of(blanks, TAB_CELLS - at % TAB_CELLS);
        return ret->n;
    }
    *ret = shown_as(s, SHOWN_PLAIN);
    return vt_width(s->is_shown ? s->code : utf8_decode(*ret));
}

/* Where the row ends that begins at `s`: behind the last blank that fits, or between two characters when there is no blank. */
static struct shown row_end(const struct shown *s, size_t room) {
    struct shown at = *s, blank = *s;
    size_t cells = 0;
    for (;;) {
        struct shown before = at;
        struct span one;
        if (!shown_next(&at)) return at;
        size_t wide = drawn(&at, cells, &one);
        if (cells && cells + wide > room) return blank.rest.p != s->rest.p ? blank : before;
        cells += wide;
        if (at.code == ' ' || at.code == '\t') blank = at;
    }
}

static void append_row(struct shown *s, const struct shown *end, struct buf *out) {
    size_t cells = 0;
    while (s->rest.p != end->rest.p && shown_next(s)) {
        struct span one;
        cells += drawn(s, cells, &one);
        (void)buf_append_span(out, one);
    }
}

void cells_wrap(struct span text, const struct cells_margin *margin, struct buf *out) {
    size_t room = margin->width > margin->indent ? margin->width - margin->indent : 1;
    do {
        struct shown s = SHOWN_INIT(span_split(&text, '\n'));
        bool first = true;
        do {
            struct shown end = row_end(&s, room);
            (void)buf_append_span(out, first ? margin->first : margin->more);
            append_row(&s, &end, out);
            (void)buf_append_span(out, margin->end);
            (void)buf_append_char(out, '\n');
            first = false;
        } while (s.rest.n);
    } while (text.n);
}
