#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>

void map_fini(struct map *m) {
    MAP_FOR_EACH(slot, m)
        free(slot->key);
    free(m->slots);
    free(m->index);
    *m = MAP_INIT;
}

/* FNV-1a with a final mix; keys are short and not chosen to collide by anyone who could not do worse. */
uint64_t map_hash(struct span key) {
    uint64_t h = 14695981039346656037U;
    for (size_t i = 0; i < key.n; i++)
        h = (h ^ (unsigned char)key.p[i]) * 1099511628211U;
    h ^= h >> 32;
    return h;
}

/* The index cell that leads to `key`, or the free cell where it would go. */
static size_t find_cell(const struct map *m, struct span key, uint64_t hash) {
    size_t mask = m->index_size - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t cell = m->index[i];
        if (cell == 0) return i;
        const struct map_slot *s = &m->slots[cell - 1];
        if (s->key && s->hash == hash && span_eq(span_of(s->key, s->key_len), key)) return i;
    }
}

/* Drops the holes and rebuilds the index with room to spare. */
static void rebuild(struct map *m) {
    size_t live = 0;
    for (size_t i = 0; i < m->used; i++)
        if (m->slots[i].key) m->slots[live++] = m->slots[i];
    m->used = live;

    size_t size = 16;
    while (size < (live + 1) * 3)
        size *= 2;
    free(m->index);
    m->index = xcalloc(size, sizeof *m->index);
    m->index_size = size;
    m->room = size / 2;
    m->slots = xreallocarray(m->slots, m->room, sizeof *m->slots);
    for (size_t i = 0; i < live; i++) {
        const struct map_slot *s = &m->slots[i];
        m->index[find_cell(m, span_of(s->key, s->key_len), s->hash)] = (uint32_t)i + 1;
    }
}

void *map_get(const struct map *m, struct span key) {
    if (m->count == 0) return NULL;
    uint32_t cell = m->index[find_cell(m, key, map_hash(key))];
    return cell ? m->slots[cell - 1].value : NULL;
}

void *map_put(struct map *m, struct span key, void *value) {
    assert(value);
    if (m->used == m->room) rebuild(m);
    uint64_t hash = map_hash(key);
    size_t at = find_cell(m, key, hash);
    if (m->index[at]) {
        struct map_slot *s = &m->slots[m->index[at] - 1];
        void *old = s->value;
        s->value = value;
        return old;
    }
    m->slots[m->used] = (struct map_slot){xstrndup(key.p ? key.p : "", key.n), key.n, hash, value};
    m->index[at] = (uint32_t)++m->used;
    m->count++;
    return NULL;
}

void *map_remove(struct map *m, struct span key) {
    if (m->count == 0) return NULL;
    uint32_t cell = m->index[find_cell(m, key, map_hash(key))];
    if (!cell) return NULL;
    /* The cell keeps pointing at the hole, so that probe chains through it stay whole. */
    struct map_slot *s = &m->slots[cell - 1];
    void *old = s->value;
    free(s->key);
    *s = (struct map_slot){0};
    m->count--;
    return old;
}
