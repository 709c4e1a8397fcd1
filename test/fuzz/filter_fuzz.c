/*
 * A program's output on its way to somebody's terminal. However it is cut, the same passes; all of that passes again; it is made
 * of nothing but what this file lists once more, in its own words; and a screen that gets it is asked nothing and told nothing.
 */
#include "cli/filter.h"
#include "term/vt.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLS = 40, ROWS = 10, OUT_MAX = 1 << 22 };

static void pass(struct span bytes, size_t piece, struct buf *out) {
    struct filter f = {.cols = COLS};
    for (; bytes.n; bytes = span_skip(bytes, piece))
        filter_feed(&f, span_take(bytes, piece), out);
}

/* A control sequence in full: digits, ; and : within a short one, then a known end. */
static size_t csi_length(struct span s) {
    static const char *const ends[] = {"A", "B", "C",  "D",  "E",  "F",  "G",   "`",  "a", "d",
                                       "e", "H", "f",  "I",  "Z",  "g",  "s",   "u",  "r", "S",
                                       "T", "J", "K",  "X",  "@",  "L",  "M",   "P",  "b", "m",
                                       "h", "l", " @", " A", " q", "!p", "\"q", "'}", "'~"};
    size_t n = 2;
    bool is_private = n < s.n && s.p[n] == '?';
    n += is_private;
    while (n < s.n && n < 512 && ((s.p[n] >= '0' && s.p[n] <= '9') || s.p[n] == ';' || s.p[n] == ':'))
        n++;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        if (!span_starts(span_skip(s, n), span_str(ends[i]))) continue;
        if (is_private && !strchr("hlJK", ends[i][0])) return 0;
        if (span_eq(span_take(s, n + 1), SPAN("\x1b[3J"))) return 0;
        return n + strlen(ends[i]);
    }
    return 0;
}

static size_t link_length(struct span s) {
    size_t n = 4;
    while (n < s.n && s.p[n] > ' ' && s.p[n] < 0x7f)
        n++;
    return span_starts(span_skip(s, n), SPAN("\x1b\\")) ? n + 2 : 0;
}

static size_t escape_length(struct span s) {
    if (span_starts(s, SPAN("\x1b["))) return csi_length(s);
    if (span_starts(s, SPAN("\x1b]8;"))) return link_length(s);
    if (span_starts(s, SPAN("\x1b#8"))) return 3;
    if (s.n >= 3 && strchr("()*+", s.p[1])) return s.p[2] && strchr("B0A4C5RQKYE6ZH7=", s.p[2]) ? 3 : 0;
    return s.n >= 2 && s.p[1] && strchr("78DEHM=>no", s.p[1]) ? 2 : 0;
}

/* 0: it is none of what may pass. */
static size_t piece_length(struct span s) {
    unsigned char c = (unsigned char)s.p[0];
    if (c == 0x1b) return escape_length(s);
    if (c < ' ') return (c >= '\a' && c <= 0x0f) ? 1 : 0;
    if (c < 0x7f) return 1;
    if (c == 0xc2 && s.n > 1) return (unsigned char)s.p[1] >= 0xa0 ? 2 : 0;
    size_t n = c >= 0xf0 && c <= 0xf4 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c > 0xc2 && c < 0xe0 ? 2 : 0;
    for (size_t i = 1; i < n; i++)
        if (i >= s.n || ((unsigned char)s.p[i] & 0xc0) != 0x80) return 0;
    return n;
}

static void told(void *user, struct span bytes) {
    (void)user;
    (void)bytes;
    abort();
}

static void marked(void *user, enum vt_mark mark, int exit) {
    (void)user;
    (void)mark;
    (void)exit;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct vt_ops ops = {
        .reply = told, .title = told, .directory = told, .mark = marked, .command = told, .clipboard = told};
    if (size < 2) return 0;
    struct span bytes = span_of((const char *)data + 1, size - 1);
    struct buf whole = BUF_INIT(OUT_MAX), cut = BUF_INIT(OUT_MAX), again = BUF_INIT(OUT_MAX);
    pass(bytes, bytes.n, &whole);
    pass(bytes, 1 + data[0] % 16, &cut);
    if (whole.failed || !span_eq(buf_span(&whole), buf_span(&cut))) abort();
    if (whole.n) pass(buf_span(&whole), whole.n, &again);
    if (!span_eq(buf_span(&whole), buf_span(&again))) abort();
    for (struct span rest = buf_span(&whole); rest.n;) {
        size_t n = piece_length(rest);
        if (n == 0 || n > rest.n) abort();
        rest = span_skip(rest, n);
    }
    struct vt *vt = vt_new(COLS, ROWS, 100, &ops, NULL);
    vt_feed(vt, whole.p ? whole.p : "", whole.n);
    vt_free(vt);
    buf_fini(&whole);
    buf_fini(&cut);
    buf_fini(&again);
    return 0;
}
