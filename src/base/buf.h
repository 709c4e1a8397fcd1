/*
 * Growable bytes with a hard cap. Appending past the cap fails with -ENOBUFS and marks the buffer as failed, so
 * that a writer may append many pieces and look once at the end. The content is always followed by a NUL.
 */
#pragma once

#include "base/span.h"

struct buf {
    char *p;
    size_t n;    /* bytes used */
    size_t room; /* bytes allocated, less one for the NUL */
    size_t cap;  /* most that n may become */
    bool failed; /* an append was refused */
};

/* Empty, nothing allocated yet. `cap` is the most it will ever hold. */
#define BUF_INIT(max) ((struct buf){.cap = (max)})

void buf_fini(struct buf *b);
void buf_clear(struct buf *b); /* keeps the memory, forgets `failed` */

int buf_append(struct buf *b, const void *p, size_t n);
int buf_append_span(struct buf *b, struct span s);
int buf_append_char(struct buf *b, char c);
int buf_printf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);

/* Makes room for `n` more bytes and returns where they go, NULL past the cap; buf_grew() then counts them. */
char *buf_reserve(struct buf *b, size_t n);
void buf_grew(struct buf *b, size_t n);

/* Drops the first `n` bytes. */
void buf_consume(struct buf *b, size_t n);

static inline struct span buf_span(const struct buf *b) {
    return span_of(b->p, b->n);
}

static inline void cleanup_buf(struct buf *b) {
    buf_fini(b);
}
