/*
 * Memory that dies together: one HTTP request, one applied event, one batch. Nothing in it is freed alone.
 * A cap bounds what a peer can make it hold; past it allocations return NULL.
 */
#pragma once

#include "base/span.h"

struct arena_block;

struct arena {
    struct arena_block *head; /* block in use, older ones behind it */
    size_t used;              /* bytes handed out */
    size_t cap;
};

#define ARENA_INIT(max) ((struct arena){.cap = (max)})

void arena_fini(struct arena *a);
/* Forgets everything but keeps one block of the usual size, so that a hot path allocates nothing. */
void arena_reset(struct arena *a);

void *arena_alloc(struct arena *a, size_t n); /* aligned to 16, not zeroed; NULL past the cap */
void *arena_zalloc(struct arena *a, size_t n);
/* A NUL-terminated copy; NULL past the cap. */
char *arena_strndup(struct arena *a, const char *p, size_t n);
/* A copy as a span; an empty span past the cap. */
struct span arena_dup(struct arena *a, struct span s);
/* Formatted text, NUL-terminated behind the span; an empty span past the cap. */
struct span arena_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);

static inline void cleanup_arena(struct arena *a) {
    arena_fini(a);
}
