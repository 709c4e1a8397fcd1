/* A program's output on its way to somebody's terminal. However it is cut, the same passes, and all of that passes again. */
#include "cli/filter.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void pass(struct span bytes, size_t piece, struct buf *out) {
    struct filter f = FILTER_INIT;
    for (; bytes.n; bytes = span_skip(bytes, piece))
        filter_feed(&f, span_take(bytes, piece), out);
    if (f.n > FILTER_HOLD_BYTES) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    struct span bytes = span_of((const char *)data + 1, size - 1);
    struct buf whole = BUF_INIT(1 << 22), cut = BUF_INIT(1 << 22), again = BUF_INIT(1 << 22);
    pass(bytes, bytes.n, &whole);
    pass(bytes, 1 + data[0] % 16, &cut);
    if (whole.failed || !span_eq(buf_span(&whole), buf_span(&cut))) abort();
    if (whole.n) pass(buf_span(&whole), whole.n, &again);
    /* A long string's end may be held back, nothing else. */
    if (!span_starts(buf_span(&whole), buf_span(&again))) abort();
    buf_fini(&whole);
    buf_fini(&cut);
    buf_fini(&again);
    return 0;
}
