#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ALIGN = 16,
    BLOCK_BYTES = 8192,
    /* What grows past this goes on in large blocks. The system gets those back whole, while thousands of small ones
     * would leave as many holes between things that stay. */
    LARGE_USE_BYTES = 64 << 10,
    LARGE_BLOCK_BYTES = 256 << 10,
};

struct arena_block {
    struct arena_block *next;
    size_t size;
    size_t used;
    _Alignas(ALIGN) char data[];
};

void arena_fini(struct arena *a) {
    while (a->head) {
        struct arena_block *b = a->head;
        a->head = b->next;
        free(b);
    }
    a->used = 0;
}

void arena_reset(struct arena *a) {
    struct arena_block *keep = NULL;
    for (struct arena_block *b = a->head, *next; b; b = next) {
        next = b->next;
        if (!keep && b->size == BLOCK_BYTES)
            keep = b;
        else
            free(b);
    }
    if (keep) {
        keep->next = NULL;
        keep->used = 0;
    }
    a->head = keep;
    a->used = 0;
}

void *arena_alloc(struct arena *a, size_t n) {
    if (n > a->cap || a->cap - a->used < n) return NULL;
    size_t want = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!a->head || a->head->size - a->head->used < want) {
        size_t usual = a->used < LARGE_USE_BYTES ? BLOCK_BYTES : LARGE_BLOCK_BYTES;
        size_t size = MAX(want, usual);
        struct arena_block *b = malloc(sizeof *b + size);
        if (!b) return NULL;
        *b = (struct arena_block){.next = a->head, .size = size};
        a->head = b;
    }
    void *p = a->head->data + a->head->used;
    a->head->used += want;
    a->used += n;
    return p;
}

void *arena_zalloc(struct arena *a, size_t n) {
    void *p = arena_alloc(a, n);
    if (p) memset(p, 0, n);
    return p;
}

char *arena_strndup(struct arena *a, const char *p, size_t n) {
    char *copy = arena_alloc(a, n + 1);
    if (!copy) return NULL;
    if (n) memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

struct span arena_dup(struct arena *a, struct span s) {
    char *copy = arena_strndup(a, s.p, s.n);
    return copy ? span_of(copy, s.n) : SPAN_NONE;
}

struct span arena_printf(struct arena *a, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *out = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (!out) return SPAN_NONE;
    va_start(ap, fmt);
    (void)vsnprintf(out, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return span_of(out, (size_t)n);
}
