/* Framing: however the bytes arrive, the same records come out, and they are exactly the lines that are
 * not blank. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "spool/record.h"

#include <stdlib.h>

enum { CHUNK_SEEDS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

/* The oracle: lines by hand, the last one only if it is ended. Records are written as length and bytes. */
static void split_lines(struct span bytes, struct buf *out) {
    size_t start = 0;
    for (size_t i = 0; i < bytes.n; i++) {
        if (bytes.p[i] != '\n') continue;
        size_t n = i - start;
        if (n) {
            require(buf_append(out, &n, sizeof n) == 0);
            require(buf_append(out, bytes.p + start, n) == 0);
        }
        start = i + 1;
    }
}

/* As a reader does: bytes arrive in pieces, records leave as soon as they are whole. */
static void read_in_pieces(struct span bytes, uint32_t seed, struct buf *out) {
    AUTO(buf) struct buf waiting = BUF_INIT(bytes.n + 1);
    while (bytes.n) {
        seed = seed * 1664525 + 1013904223;
        size_t piece = seed ? 1 + (seed >> 16) % 23 : bytes.n;
        struct span part = span_take(bytes, piece);
        bytes = span_skip(bytes, part.n);
        require(buf_append_span(&waiting, part) == 0);
        struct span record;
        size_t used;
        while (record_next(buf_span(&waiting), &record, &used) == 1) {
            require(used > record.n && used <= waiting.n && record.n > 0);
            require(memchr(record.p, '\n', record.n) == NULL);
            require(buf_append(out, &record.n, sizeof record.n) == 0);
            require(buf_append_span(out, record) == 0);
            buf_consume(&waiting, used);
        }
        require(used <= waiting.n);
        buf_consume(&waiting, used);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span bytes = span_of((const char *)data, size);
    size_t cap = size * (sizeof(size_t) + 1) + 1;
    AUTO(buf) struct buf expected = BUF_INIT(cap);
    split_lines(bytes, &expected);
    for (uint32_t seed = 0; seed < CHUNK_SEEDS; seed++) {
        AUTO(buf) struct buf got = BUF_INIT(cap);
        read_in_pieces(bytes, seed, &got);
        require(span_eq(buf_span(&expected), buf_span(&got)));
    }

    /* A flattened payload is always one record, whatever was in it. */
    AUTO(buf) struct buf line = BUF_INIT(size + 4);
    require(buf_append_char(&line, '\n') == 0 && buf_append_char(&line, '{') == 0);
    require(buf_append_span(&line, bytes) == 0);
    record_flatten(line.p + 1, line.n - 1);
    require(buf_append_char(&line, '\n') == 0);
    struct span record;
    size_t used;
    require(record_next(buf_span(&line), &record, &used) == 1 && used == line.n && record.n == size + 1);

    (void)record_fingerprint(bytes);
    return 0;
}
