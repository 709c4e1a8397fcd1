#include "term/vt_intern.h"

#include "base/mem.h"

enum { FIRST_SWEEP = 1024, FIRST_SWEEP_BYTES = 64 << 10 };

void vt_intern_init(struct vt_intern *t, uint32_t max, size_t max_bytes) {
    *t = (struct vt_intern){.max = max,
                            .sweep = MIN(max, FIRST_SWEEP),
                            .max_bytes = max_bytes,
                            .sweep_bytes = MIN(max_bytes, FIRST_SWEEP_BYTES)};
}

void vt_intern_fini(struct vt_intern *t) {
    for (uint32_t i = 0; i < t->used; i++)
        free(t->entries[i].p);
    free(t->entries);
    free(t->index);
    *t = (struct vt_intern){0};
}

static uint32_t hash_of(const void *p, size_t n) {
    const char *at = p;
    uint64_t h = n, word;
    for (; n >= 8; at += 8, n -= 8) {
        memcpy(&word, at, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15U;
        h ^= h >> 29;
    }
    word = 0;
    if (n) memcpy(&word, at, n);
    h = (h ^ word) * 0x9e3779b97f4a7c15U;
    return (uint32_t)(h >> 32);
}

/* The cell of the index that leads to the string, or the free one where it would go. */
static uint32_t cell_of(const struct vt_intern *t, const void *p, size_t n, uint32_t hash) {
    uint32_t mask = t->index_size - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t number = t->index[i];
        if (!number) return i;
        const struct vt_intern_entry *e = &t->entries[number - 1];
        if (e->hash == hash && e->n == n && memcmp(e->p, p, n) == 0) return i;
    }
}

uint32_t vt_intern_find(const struct vt_intern *t, const void *p, size_t n) {
    return t->index_size ? t->index[cell_of(t, p, n, hash_of(p, n))] : 0;
}

static void rebuild_index(struct vt_intern *t, uint32_t size) {
    t->index = xreallocarray(t->index, size, sizeof *t->index);
    t->index_size = size;
    memset(t->index, 0, size * sizeof *t->index);
    for (uint32_t i = 0; i < t->used; i++) {
        const struct vt_intern_entry *e = &t->entries[i];
        if (e->p) t->index[cell_of(t, e->p, e->n, e->hash)] = i + 1;
    }
}

static uint32_t take_number(struct vt_intern *t) {
    if (t->free) {
        uint32_t number = t->free;
        t->free = t->entries[number - 1].hash;
        return number;
    }
    if (t->used == t->room) {
        t->room = t->room ? t->room * 2 : 8;
        t->entries = xreallocarray(t->entries, t->room, sizeof *t->entries);
    }
    return ++t->used;
}

uint32_t vt_intern_add(struct vt_intern *t, const void *p, size_t n) {
    uint32_t hash = hash_of(p, n);
    if (t->index_size) {
        uint32_t found = t->index[cell_of(t, p, n, hash)];
        if (found) return found;
    }
    if (t->live >= t->max || t->bytes + n > t->max_bytes) {
        t->misses++;
        return 0;
    }
    if ((t->live + 1) * 2 > t->index_size) rebuild_index(t, t->index_size ? t->index_size * 2 : 16);
    uint32_t number = take_number(t);
    char *copy = xmalloc(n ? n : 1);
    if (n) memcpy(copy, p, n);
    t->entries[number - 1] = (struct vt_intern_entry){.p = copy, .hash = hash, .n = (uint32_t)n};
    t->index[cell_of(t, p, n, hash)] = number;
    t->live++;
    t->bytes += n;
    return number;
}

/* The free entries chained, the index anew. */
static void tidy(struct vt_intern *t, uint32_t index_size) {
    t->free = 0;
    for (uint32_t i = t->used; i-- > 0;) {
        if (t->entries[i].p) continue;
        t->entries[i] = (struct vt_intern_entry){.hash = t->free};
        t->free = i + 1;
    }
    if (index_size) rebuild_index(t, index_size);
}

void vt_intern_sweep(struct vt_intern *t) {
    for (uint32_t i = 0; i < t->used; i++) {
        struct vt_intern_entry *e = &t->entries[i];
        if (e->p && !e->marked) {
            t->live--;
            t->bytes -= e->n;
            free(e->p);
            e->p = NULL;
        }
        e->marked = false;
    }
    tidy(t, t->index_size);
    /* What is in use may double before the next sweep, so that sweeping costs little for each string added. */
    t->sweep = MIN(MAX(t->live * 2, FIRST_SWEEP), t->max);
    t->sweep_bytes = MIN(MAX(t->bytes * 2, FIRST_SWEEP_BYTES), t->max_bytes);
}

bool vt_intern_place(struct vt_intern *t, uint32_t number, const void *p, size_t n) {
    if (number < 1 || number > t->max || vt_intern_has(t, number) || t->bytes + n > t->max_bytes)
        return false;
    if (number > t->room) {
        t->entries = xreallocarray(t->entries, number, sizeof *t->entries);
        t->room = number;
    }
    while (t->used < number)
        t->entries[t->used++] = (struct vt_intern_entry){0};
    char *copy = xmalloc(n ? n : 1);
    if (n) memcpy(copy, p, n);
    t->entries[number - 1] = (struct vt_intern_entry){.p = copy, .hash = hash_of(p, n), .n = (uint32_t)n};
    t->live++;
    t->bytes += n;
    return true;
}

void vt_intern_placed(struct vt_intern *t) {
    uint32_t size = 16;
    while (size < t->live * 2)
        size *= 2;
    tidy(t, size);
}

size_t vt_intern_memory(const struct vt_intern *t) {
    return t->room * sizeof *t->entries + t->index_size * sizeof *t->index + t->bytes + t->live * 16;
}
