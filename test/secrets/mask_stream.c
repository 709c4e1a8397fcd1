/*
 * Does to streams what the journal does: redaction, then the screen. From standard input, again and again: "COLS ROWS BYTES",
 * a line end, and so many bytes; as many come out.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact.h"
#include "term/redact_screen.h"

#include <stdio.h>
#include <stdlib.h>

enum { PIECE_BYTES = 300 };

static void apply_late(struct buf *out, const struct buf *late) {
    for (size_t i = 0; i < late->n; i += sizeof(struct redact_late)) {
        struct redact_late l;
        memcpy(&l, late->p + i, sizeof l);
        if (l.offset + l.n <= out->n && memcmp(out->p + l.offset, l.before, l.n) == 0)
            memcpy(out->p + l.offset, l.after, l.n);
    }
}

static void take(struct redact *r, struct redact_screen *screen, struct buf *clear, struct buf *out) {
    AUTO(buf) struct buf late = BUF_INIT(1 << 24);
    redact_screen_feed(screen, out->n, clear, redact_moved(r), &late);
    apply_late(out, &late);
    (void)buf_append_span(out, buf_span(clear));
    buf_clear(clear);
}

static void play(const struct redact_set *set, unsigned cols, unsigned rows, struct span bytes,
                 struct buf *out) {
    struct redact *r = redact_new(set);
    struct redact_screen *screen = redact_screen_new(set, cols, rows);
    AUTO(buf) struct buf clear = BUF_INIT(1 << 24);
    for (struct span left = bytes; left.n; left = span_skip(left, PIECE_BYTES)) {
        if (redact_feed(r, span_take(left, PIECE_BYTES), &clear) < 0) abort();
        take(r, screen, &clear, out);
    }
    if (redact_flush(r, &clear) < 0) abort();
    take(r, screen, &clear, out);
    if (out->n != bytes.n) abort();
    redact_screen_free(screen);
    redact_free(r);
}

int main(void) {
    struct redact_set *set;
    if (redact_compile(SPAN_NONE, &set, NULL) < 0) return 1;
    unsigned cols, rows;
    size_t n;
    while (scanf("%u %u %zu", &cols, &rows, &n) == 3 && getchar() == '\n') {
        AUTO(free) char *bytes = xcalloc(1, n + 1);
        AUTO(buf) struct buf out = BUF_INIT(SIZE_MAX / 2);
        if (fread(bytes, 1, n, stdin) != n) return 1;
        play(set, cols, rows, span_of(bytes, n), &out);
        (void)fwrite(out.p, 1, out.n, stdout);
    }
    redact_set_free(set);
    return 0;
}
