/* Hash map from bytes to a pointer. Keys are copied; values are the caller's. Iteration order is insertion order
 * as long as nothing was removed, and stable between two changes. */
#pragma once

#include "base/span.h"

struct map_slot {
    char *key; /* NULL: removed */
    size_t key_len;
    uint64_t hash;
    void *value;
};

struct map {
    struct map_slot *slots; /* dense, in order of insertion, holes where something was removed */
    size_t used;            /* slots in use, holes included */
    size_t room;
    uint32_t *index; /* open addressing: slot number + 1, 0 = free */
    size_t index_size;
    size_t count; /* live entries */
};

#define MAP_INIT ((struct map){0})

void map_fini(struct map *m);

void *map_get(const struct map *m, struct span key); /* NULL when absent */
/* Adds or replaces; returns the value that was there before. `value` must not be NULL. */
void *map_put(struct map *m, struct span key, void *value);
void *map_remove(struct map *m, struct span key); /* returns what was there */

uint64_t map_hash(struct span key);

#define MAP_FOR_EACH(slot, map)                                                                 \
    for (struct map_slot *slot = (map)->slots, *slot##_end_ = slot ? slot + (map)->used : slot; \
         slot != slot##_end_; slot++)                                                           \
        if (slot->key)
