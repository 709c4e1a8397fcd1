/*
 * Short byte strings that are many times the same, kept once under a small number: styles, clusters of combined characters,
 * links. Numbers begin at 1; 0 is nothing. Nobody counts who uses a number: when the table is crowded its owner marks
 * everything that is in use and sweeps the rest away.
 */
#pragma once

#include "base/span.h"

struct vt_intern_entry {
    char *p; /* NULL: free, and `hash` is the next free number */
    uint32_t hash;
    uint32_t n;
    bool marked;
};

struct vt_intern {
    struct vt_intern_entry *entries; /* number - 1 */
    uint32_t used, room;             /* entries, free ones included */
    uint32_t live;
    uint32_t free;  /* first free number, 0 = none */
    uint32_t sweep; /* crowded when so many are live */
    uint32_t max;
    uint32_t misses; /* that were refused since the last sweep */
    uint32_t *index; /* open addressing; numbers */
    uint32_t index_size;
    size_t bytes, sweep_bytes, max_bytes;
};

/* At most so many strings, and bytes of them. */
void vt_intern_init(struct vt_intern *t, uint32_t max, size_t max_bytes);
void vt_intern_fini(struct vt_intern *t);

uint32_t vt_intern_find(const struct vt_intern *t, const void *p, size_t n); /* 0 when absent */
/* Adds what is absent; 0 when the table is full. */
uint32_t vt_intern_add(struct vt_intern *t, const void *p, size_t n);
/* Is it time to mark and sweep before the next one is added? While everything is in use, only now and then: marking looks
 * at every cell. */
static inline bool vt_intern_crowded(const struct vt_intern *t) {
    return (t->live >= t->sweep || t->bytes >= t->sweep_bytes) && t->misses % 1024 == 0;
}

static inline struct span vt_intern_get(const struct vt_intern *t, uint32_t number) {
    const struct vt_intern_entry *e = &t->entries[number - 1];
    return span_of(e->p, e->n);
}
static inline bool vt_intern_has(const struct vt_intern *t, uint32_t number) {
    return number > 0 && number <= t->used && t->entries[number - 1].p;
}
static inline void vt_intern_mark(struct vt_intern *t, uint32_t number) {
    if (number) t->entries[number - 1].marked = true;
}
/* Forgets what was not marked since the last sweep. */
void vt_intern_sweep(struct vt_intern *t);
/* Puts a string under a number that it had, in a table that has not been added to; false when that is taken. Then
 * vt_intern_placed() makes it ready. */
bool vt_intern_place(struct vt_intern *t, uint32_t number, const void *p, size_t n);
void vt_intern_placed(struct vt_intern *t);
size_t vt_intern_memory(const struct vt_intern *t);
