/* Intrusive doubly linked list. A node that is in no list points to itself, so removing it twice does no harm. */
#pragma once

#include "base/compiler.h"

#include <stdbool.h>

struct list {
    struct list *prev, *next;
};

static inline void list_init(struct list *l) {
    l->prev = l->next = l;
}

static inline bool list_empty(const struct list *l) {
    return l->next == l;
}

/* Inserts `node` before `at`: at the end when `at` is the head. */
static inline void list_insert_before(struct list *at, struct list *node) {
    node->prev = at->prev;
    node->next = at;
    at->prev->next = node;
    at->prev = node;
}

static inline void list_append(struct list *head, struct list *node) {
    list_insert_before(head, node);
}

static inline void list_remove(struct list *node) {
    node->prev->next = node->next;
    node->next->prev = node->prev;
    list_init(node);
}

#define list_entry(node, type, member) CONTAINER_OF(node, type, member)
#define list_first(head, type, member) (list_empty(head) ? NULL : list_entry((head)->next, type, member))

#define list_for_each(pos, head) for (struct list *pos = (head)->next; pos != (head); pos = pos->next)
/* The body may remove `pos`. */
#define list_for_each_safe(pos, head)                                              \
    for (struct list *pos = (head)->next, *pos##_next_ = pos->next; pos != (head); \
         pos = pos##_next_, pos##_next_ = pos->next)
