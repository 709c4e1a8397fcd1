#include "base/heap.h"
#include "test.h"

TEST(earliest_comes_first) {
    struct heap h = HEAP_INIT;
    struct heap_node n[50] = {0};
    for (int i = 0; i < 50; i++)
        heap_set(&h, &n[i], (i * 37) % 50);
    for (int due = 0; due < 50; due++) {
        struct heap_node *first = heap_first(&h);
        CHECK(first && first->due == due);
        heap_remove(&h, first);
    }
    CHECK(heap_first(&h) == NULL);
    heap_fini(&h);
}

TEST(nodes_can_be_moved_and_removed_twice) {
    struct heap h = HEAP_INIT;
    struct heap_node a = {0}, b = {0};
    heap_set(&h, &a, 10);
    heap_set(&h, &b, 20);
    heap_set(&h, &a, 30);
    CHECK(heap_first(&h) == &b);
    heap_remove(&h, &b);
    heap_remove(&h, &b);
    CHECK(heap_first(&h) == &a);
    heap_fini(&h);
}

TESTS(RUN(earliest_comes_first), RUN(nodes_can_be_moved_and_removed_twice))
