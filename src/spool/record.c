#include "spool/record.h"

int record_next(struct span bytes, struct span *ret_record, size_t *ret_used) {
    size_t blank = 0;
    while (blank < bytes.n && bytes.p[blank] == '\n')
        blank++;
    struct span rest = span_skip(bytes, blank);
    const char *end = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
    if (!end) {
        *ret_used = blank;
        return 0;
    }
    *ret_record = span_of(rest.p, (size_t)(end - rest.p));
    *ret_used = blank + ret_record->n + 1;
    return 1;
}

void record_flatten(char *payload, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (payload[i] == '\n' || payload[i] == '\r') payload[i] = ' ';
}

uint64_t record_fingerprint(struct span head) {
    /* FNV-1a: heads differ by a time in microseconds and a process id, nobody gains by making two alike. */
    uint64_t hash = 0xcbf29ce484222325u;
    head = span_take(head, SPOOL_FINGERPRINT_BYTES);
    for (size_t i = 0; i < head.n; i++)
        hash = (hash ^ (unsigned char)head.p[i]) * 0x100000001b3u;
    return hash;
}
