#include "base/span.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span span_split(struct span *s, char sep) {
    const char *at = s->n ? memchr(s->p, sep, s->n) : NULL;
    if (!at) {
        struct span all = *s;
        *s = span_skip(*s, s->n);
        return all;
    }
    struct span head = span_of(s->p, (size_t)(at - s->p));
    *s = span_skip(*s, head.n + 1);
    return head;
}

struct span span_word(struct span *s) {
    struct span word;
    do {
        word = span_split(s, ' ');
    } while (word.n == 0 && s->n > 0);
    return word;
}

struct span span_trim(struct span s) {
    while (s.n && is_space(s.p[0]))
        s = span_skip(s, 1);
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool span_ieq(struct span a, struct span b) {
    return a.n == b.n && span_istarts(a, b);
}

bool span_istarts(struct span s, struct span prefix) {
    if (s.n < prefix.n) return false;
    for (size_t i = 0; i < prefix.n; i++)
        if (lower(s.p[i]) != lower(prefix.p[i])) return false;
    return true;
}

bool span_icontains(struct span s, struct span needle) {
    for (; s.n >= needle.n; s = span_skip(s, 1)) {
        if (span_istarts(s, needle)) return true;
        if (s.n == 0) break;
    }
    return false;
}

bool span_u64(struct span s, uint64_t *ret) {
    uint64_t v = 0;
    if (s.n == 0) return false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        if (__builtin_mul_overflow(v, 10U, &v) || __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
            return false;
    }
    *ret = v;
    return true;
}

struct span span_digits(char out[SPAN_DIGITS], uint64_t v) {
    size_t at = SPAN_DIGITS;
    do
        out[--at] = (char)('0' + v % 10);
    while (v /= 10);
    return span_of(out + at, SPAN_DIGITS - at);
}
