/*
 * Does to streams what the journal does: redaction, then the screen. From standard input, again and again: "COLS ROWS BYTES",
 * a line end, and so many bytes; as many come out.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact.h"

#include <stdio.h>
#include <stdlib.h>

enum { PIECE_BYTES = 1500 };

static void play(const struct redact_set *set, unsigned cols, unsigned rows, struct span bytes, struct buf *out) {
    struct redact *r = redact_new(set);
    (void)cols, (void)rows;
    for (struct span left = bytes; left.n; left = span_skip(left, PIECE_BYTES))
        if (redact_feed(r, span_take(left, PIECE_BYTES), out) < 0) abort();
    if (redact_flush(r, out) < 0 || out->n != bytes.n) abort();
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
