#include "base/arena.h"
#include "base/cleanup.h"
#include "test.h"

TEST(hands_out_aligned_memory) {
    AUTO(arena) struct arena a = ARENA_INIT(1 << 20);
    for (size_t n = 1; n < 20000; n += 997) {
        char *p = arena_alloc(&a, n);
        CHECK(p && (uintptr_t)p % 16 == 0);
        memset(p, 1, n);
    }
}

TEST(stops_at_its_cap) {
    AUTO(arena) struct arena a = ARENA_INIT(100);
    CHECK(arena_alloc(&a, 60) != NULL);
    CHECK(arena_alloc(&a, 60) == NULL);
    CHECK(arena_alloc(&a, 40) != NULL);
    arena_reset(&a);
    CHECK(arena_alloc(&a, 100) != NULL);
}

TEST(copies_text) {
    AUTO(arena) struct arena a = ARENA_INIT(1000);
    CHECK_STR(arena_strndup(&a, "hello world", 5), "hello");
    CHECK_SPAN(arena_dup(&a, SPAN("x")), "x");
}

TEST(gives_a_large_block_back) {
    AUTO(arena) struct arena a = ARENA_INIT(1 << 20);
    CHECK(arena_alloc(&a, 10) != NULL);
    CHECK(arena_alloc(&a, 500000) != NULL);
    arena_reset(&a);
    CHECK_INT(a.used, 0);
    CHECK(arena_alloc(&a, 8000) != NULL);
}

TESTS(RUN(hands_out_aligned_memory), RUN(stops_at_its_cap), RUN(copies_text), RUN(gives_a_large_block_back))
