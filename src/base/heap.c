#include "base/heap.h"

#include "base/mem.h"

#include <stdlib.h>

void heap_fini(struct heap *h) {
    free(h->nodes);
    *h = HEAP_INIT;
}

static void place(struct heap *h, size_t i, struct heap_node *node) {
    h->nodes[i] = node;
    node->at = i + 1;
}

static void sift_up(struct heap *h, size_t i) {
    struct heap_node *node = h->nodes[i];
    while (i > 0 && h->nodes[(i - 1) / 2]->due > node->due) {
        place(h, i, h->nodes[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    place(h, i, node);
}

static void sift_down(struct heap *h, size_t i) {
    struct heap_node *node = h->nodes[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->count) break;
        if (child + 1 < h->count && h->nodes[child + 1]->due < h->nodes[child]->due) child++;
        if (h->nodes[child]->due >= node->due) break;
        place(h, i, h->nodes[child]);
        i = child;
    }
    place(h, i, node);
}

void heap_set(struct heap *h, struct heap_node *node, usec_t due) {
    node->due = due;
    if (node->at == 0) {
        if (h->count == h->room) {
            h->room = h->room ? h->room * 2 : 16;
            h->nodes = xreallocarray(h->nodes, h->room, sizeof(struct heap_node *));
        }
        place(h, h->count++, node);
    }
    sift_up(h, node->at - 1);
    sift_down(h, node->at - 1);
}

void heap_remove(struct heap *h, struct heap_node *node) {
    if (node->at == 0) return;
    size_t i = node->at - 1;
    node->at = 0;
    struct heap_node *last = h->nodes[--h->count];
    if (last == node) return;
    place(h, i, last);
    sift_up(h, i);
    sift_down(h, last->at - 1);
}
