/* The newest output of the terminal, by absolute offset. Bytes are read into it and sent from it where they lie. */
#pragma once

#include "base/span.h"

#include <sys/uio.h>

struct ring {
    char *bytes;
    size_t size;             /* a power of two */
    uint64_t oldest, newest; /* it has [oldest, newest) */
};

/* `bytes` has `size` bytes and belongs to the caller. */
void ring_init(struct ring *r, char *bytes, size_t size);

/* Where the next `n` bytes go, at most `size`: one or two pieces, whose number is returned. They overwrite what is `size`
 * older. */
int ring_space(const struct ring *r, size_t n, struct iovec ret[2]);

/* `n` bytes have been put there. */
void ring_grow(struct ring *r, size_t n);

/* Where [offset, offset + n) lies, which it must have: one or two pieces, whose number is returned. */
int ring_slice(const struct ring *r, uint64_t offset, size_t n, struct iovec ret[2]);

/* The offset that will be the oldest once `n` more bytes have come. */
uint64_t ring_oldest_after(const struct ring *r, size_t n);
