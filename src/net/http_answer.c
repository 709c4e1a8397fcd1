#include "net/http_answer.h"

#include <errno.h>

static bool read_status(struct span line, int *ret) {
    uint64_t status;
    if (!span_starts(line, SPAN("HTTP/1.1 ")) && !span_starts(line, SPAN("HTTP/1.0 "))) return false;
    struct span code = span_skip(line, 9);
    if (!span_u64(span_take(code, 3), &status) || status < 100 || status > 599) return false;
    if (code.n > 3 && code.p[3] != ' ' && code.p[3] != '\r') return false;
    *ret = (int)status;
    return true;
}

static int read_head(struct span head, struct http_answer *ret) {
    struct http_answer a = {0};
    if (!read_status(span_split(&head, '\n'), &a.status)) return -EPROTO;
    while (head.n) {
        struct span line = span_split(&head, '\n'), name = span_split(&line, ':');
        uint64_t seconds;
        if (span_ieq(name, SPAN("retry-after")) && span_u64(span_trim(line), &seconds))
            a.retry_after_s = (unsigned)MIN(seconds, (uint64_t)HTTP_ANSWER_RETRY_MAX_S);
    }
    *ret = a;
    return 1;
}

int http_answer_read(struct span bytes, struct http_answer *ret) {
    for (;;) {
        const char *end = bytes.n ? memmem(bytes.p, bytes.n, "\r\n\r\n", 4) : NULL;
        if (!end) return bytes.n > HTTP_ANSWER_HEAD_MAX ? -EPROTO : 0;
        size_t n = (size_t)(end - bytes.p) + 2;
        struct http_answer a;
        int r = read_head(span_of(bytes.p, n), &a);
        if (r < 0) return r;
        if (a.status >= 200) {
            *ret = a;
            return 1;
        }
        bytes = span_skip(bytes, n + 2);
    }
}
