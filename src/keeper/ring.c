#include "keeper/ring.h"

void ring_init(struct ring *r, char *bytes, size_t size) {
    assert(size && (size & (size - 1)) == 0);
    *r = (struct ring){.bytes = bytes, .size = size};
}

static int pieces(const struct ring *r, uint64_t offset, size_t n, struct iovec ret[2]) {
    size_t at = (size_t)(offset & (r->size - 1)), first = MIN(n, r->size - at);
    ret[0] = (struct iovec){r->bytes + at, first};
    ret[1] = (struct iovec){r->bytes, n - first};
    return n > first ? 2 : 1;
}

int ring_space(const struct ring *r, size_t n, struct iovec ret[2]) {
    assert(n <= r->size);
    return pieces(r, r->newest, n, ret);
}

uint64_t ring_oldest_after(const struct ring *r, size_t n) {
    uint64_t newest = r->newest + n;
    return MAX(r->oldest, newest > r->size ? newest - r->size : 0);
}

void ring_grow(struct ring *r, size_t n) {
    assert(n <= r->size);
    r->oldest = ring_oldest_after(r, n);
    r->newest += n;
}

int ring_slice(const struct ring *r, uint64_t offset, size_t n, struct iovec ret[2]) {
    assert(offset >= r->oldest && offset <= r->newest && n <= r->newest - offset);
    return pieces(r, offset, n, ret);
}
