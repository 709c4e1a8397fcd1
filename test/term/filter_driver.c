/* The filter of ostler attach at the end of a pipe: a length (4 bytes, little endian) and so many bytes in, the same out. */
#include "cli/filter.h"

#include "base/cleanup.h"

#include <stdio.h>

enum { BYTES_MAX = 64 << 20, COLS = 80 };

static void put_length(size_t n) {
    for (int shift = 0; shift < 32; shift += 8)
        (void)putchar((int)(n >> shift & 255));
}

int main(void) {
    unsigned char length[4];
    while (fread(length, 1, sizeof length, stdin) == sizeof length) {
        size_t n = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
        AUTO(buf) struct buf in = BUF_INIT(BYTES_MAX), out = BUF_INIT(BYTES_MAX);
        char *room = buf_reserve(&in, n);
        if (!room || fread(room, 1, n, stdin) != n) return 1;
        buf_grew(&in, n);
        struct filter f = {.cols = COLS};
        filter_feed(&f, buf_span(&in), &out);
        put_length(out.n);
        (void)fwrite(out.p ? out.p : "", 1, out.n, stdout);
        (void)fflush(stdout);
    }
    return 0;
}
