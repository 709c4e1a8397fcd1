#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void buf_fini(struct buf *b) {
    free(b->p);
    *b = (struct buf){.cap = b->cap};
}

void buf_clear(struct buf *b) {
    b->n = 0;
    b->failed = false;
    if (b->p) b->p[0] = '\0';
}

char *buf_reserve(struct buf *b, size_t n) {
    if (n <= b->room - b->n && b->p) return b->p + b->n;
    if (b->failed || n > b->cap - b->n) {
        b->failed = true;
        return NULL;
    }
    size_t want = b->n + n;
    size_t room = b->room < 64 ? 64 : b->room;
    while (room < want)
        room = room > b->cap / 2 ? b->cap : room * 2;
    if (room > b->cap) room = b->cap;
    char *p = realloc(b->p, room + 1);
    if (!p) {
        b->failed = true;
        return NULL;
    }
    b->p = p;
    b->room = room;
    return b->p + b->n;
}

void buf_grew(struct buf *b, size_t n) {
    assert(n <= b->room - b->n);
    b->n += n;
    b->p[b->n] = '\0';
}

int buf_append(struct buf *b, const void *p, size_t n) {
    char *to = buf_reserve(b, n);
    if (!to) return -ENOBUFS;
    if (n) memcpy(to, p, n);
    buf_grew(b, n);
    return 0;
}

int buf_append_span(struct buf *b, struct span s) {
    return buf_append(b, s.p, s.n);
}

int buf_append_char(struct buf *b, char c) {
    return buf_append(b, &c, 1);
}

int buf_printf(struct buf *b, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0) return -EINVAL;
    char *to = buf_reserve(b, (size_t)n);
    if (!to) return -ENOBUFS;
    va_start(ap, fmt);
    (void)vsnprintf(to, (size_t)n + 1, fmt, ap);
    va_end(ap);
    buf_grew(b, (size_t)n);
    return 0;
}

void buf_consume(struct buf *b, size_t n) {
    assert(n <= b->n);
    if (n == 0) return;
    memmove(b->p, b->p + n, b->n - n);
    b->n -= n;
    b->p[b->n] = '\0';
}
