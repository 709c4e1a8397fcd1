/* Intrusive binary heap of deadlines: the earliest is always at hand, any one can be moved or removed. */
#pragma once

#include "base/clock.h"
#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>

struct heap_node {
    usec_t due;
    size_t at; /* place in the heap + 1; 0 = not in one */
};

struct heap {
    struct heap_node **nodes;
    size_t count;
    size_t room;
};

#define HEAP_INIT ((struct heap){0})

void heap_fini(struct heap *h);
/* Puts the node in, or moves it when it is in already. */
void heap_set(struct heap *h, struct heap_node *node, usec_t due);
void heap_remove(struct heap *h, struct heap_node *node); /* no harm when it is not in */

static inline struct heap_node *heap_first(const struct heap *h) {
    return h->count ? h->nodes[0] : NULL;
}
