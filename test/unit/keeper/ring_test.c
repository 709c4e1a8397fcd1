#include "keeper/ring.h"
#include "test.h"

enum { SIZE = 16 };

static void put(struct ring *r, struct span text) {
    struct iovec to[2];
    int pieces = ring_space(r, text.n, to);
    for (int i = 0; i < pieces; i++) {
        memcpy(to[i].iov_base, text.p, to[i].iov_len);
        text = span_skip(text, to[i].iov_len);
    }
    CHECK_INT(text.n, 0);
    size_t n = to[0].iov_len + (pieces == 2 ? to[1].iov_len : 0);
    ring_grow(r, n);
}

static struct span get(const struct ring *r, uint64_t offset, size_t n, char out[SIZE]) {
    struct iovec from[2];
    int pieces = ring_slice(r, offset, n, from);
    char *end = out;
    for (int i = 0; i < pieces; i++)
        end = mempcpy(end, from[i].iov_base, from[i].iov_len);
    return span_of(out, (size_t)(end - out));
}

TEST(has_what_was_put) {
    char bytes[SIZE], out[SIZE];
    struct ring r;
    ring_init(&r, bytes, SIZE);
    put(&r, SPAN("hello"));
    CHECK_INT(r.oldest, 0);
    CHECK_INT(r.newest, 5);
    CHECK_SPAN(get(&r, 0, 5, out), "hello");
    CHECK_SPAN(get(&r, 1, 3, out), "ell");
    CHECK_SPAN(get(&r, 5, 0, out), "");
}

TEST(wraps_and_forgets_the_oldest) {
    char bytes[SIZE], out[SIZE];
    struct ring r;
    ring_init(&r, bytes, SIZE);
    put(&r, SPAN("0123456789"));
    CHECK_INT(ring_oldest_after(&r, 6), 0);
    CHECK_INT(ring_oldest_after(&r, 7), 1);
    put(&r, SPAN("abcdefghij"));
    CHECK_INT(r.oldest, 4);
    CHECK_INT(r.newest, 20);
    CHECK_SPAN(get(&r, 4, 16, out), "456789abcdefghij");
    CHECK_SPAN(get(&r, 14, 4, out), "efgh");
}

TEST(takes_as_much_as_it_has_at_once) {
    char bytes[SIZE], out[SIZE];
    struct ring r;
    ring_init(&r, bytes, SIZE);
    put(&r, SPAN("x"));
    put(&r, SPAN("0123456789abcdef"));
    CHECK_INT(r.oldest, 1);
    CHECK_SPAN(get(&r, 1, 16, out), "0123456789abcdef");
}

/* Against a model that forgets nothing. */
TEST(keeps_the_newest_of_many_pieces) {
    static char all[20000];
    char bytes[SIZE], out[SIZE];
    struct ring r;
    ring_init(&r, bytes, SIZE);
    uint32_t seed = 7;
    for (size_t n = 0; n + SIZE < sizeof all;) {
        seed = seed * 1664525 + 1013904223;
        size_t piece = (seed >> 16) % (SIZE + 1);
        for (size_t i = 0; i < piece; i++)
            all[n + i] = (char)('a' + (n + i) % 23);
        put(&r, span_of(all + n, piece));
        n += piece;
        CHECK_INT(r.newest, n);
        CHECK_INT(r.oldest, n > SIZE ? n - SIZE : 0);
        struct span kept = get(&r, r.oldest, (size_t)(r.newest - r.oldest), out);
        CHECK(span_eq(kept, span_of(all + r.oldest, kept.n)));
    }
}

TESTS(RUN(has_what_was_put), RUN(wraps_and_forgets_the_oldest), RUN(takes_as_much_as_it_has_at_once),
      RUN(keeps_the_newest_of_many_pieces))
