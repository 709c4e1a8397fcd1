#include "repair/lines.h"

#include <errno.h>
#include <unistd.h>

/* Small at first, because what is looked for is mostly at the beginning. */
enum { CHUNK_BYTES = 64 << 10, CHUNK_BYTES_MAX = 1 << 20 };

void lines_init(struct lines *l, int fd, uint64_t at, uint64_t limit) {
    *l = (struct lines){.fd = fd, .at = at, .read_to = at, .limit = limit};
    l->buf = BUF_INIT(LINES_LINE_MAX + CHUNK_BYTES_MAX);
}

void lines_fini(struct lines *l) {
    buf_fini(&l->buf);
}

/* Bytes read, 0 at the end or the limit. */
static int read_chunk(struct lines *l) {
    buf_consume(&l->buf, l->used);
    l->used = 0;
    if (l->buf.n > LINES_LINE_MAX) {
        l->passing_over = true;
        l->at += l->buf.n;
        buf_clear(&l->buf);
    }
    size_t want = MIN(MAX(l->buf.n, (size_t)CHUNK_BYTES), (size_t)CHUNK_BYTES_MAX);
    want = (size_t)MIN((uint64_t)want, l->limit - MIN(l->read_to, l->limit));
    if (want == 0) return 0;
    char *to = buf_reserve(&l->buf, want);
    if (!to) return -ENOMEM;
    ssize_t n;
    do
        n = pread(l->fd, to, want, (off_t)l->read_to);
    while (n < 0 && errno == EINTR);
    if (n < 0) return -errno;
    buf_grew(&l->buf, (size_t)n);
    l->read_to += (uint64_t)n;
    return (int)n;
}

int lines_next(struct lines *l, struct span *ret, bool *ret_whole) {
    size_t searched = 0; /* of what is left, so that a long line is not searched again and again */
    for (;;) {
        struct span rest = span_skip(buf_span(&l->buf), l->used);
        const char *end = rest.n > searched ? memchr(rest.p + searched, '\n', rest.n - searched) : NULL;
        if (end) {
            size_t n = (size_t)(end - rest.p);
            bool passed_over = l->passing_over;
            l->used += n + 1;
            l->at += n + 1;
            l->passing_over = false;
            searched = 0;
            if (passed_over) continue;
            *ret = span_take(rest, n);
            *ret_whole = true;
            return 1;
        }
        searched = rest.n;
        int r = read_chunk(l);
        if (r < 0) return r;
        if (l->buf.n < searched) searched = 0;
        if (r > 0) continue;
        if (l->buf.n == 0 || l->passing_over || l->read_to >= l->limit) return 0;
        *ret = buf_span(&l->buf);
        *ret_whole = false;
        l->used = l->buf.n;
        return 1;
    }
}
