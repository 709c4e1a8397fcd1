/* Raw values, as jscan_object() and jscan_array_next() return them, read as what they mean. */
#include "base/jscan.h"

#include "base/jtext.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum jkind jscan_kind(struct span value) {
    if (value.n == 0) return JKIND_NONE;
    switch (value.p[0]) {
    case 'n': return JKIND_NULL;
    case 't':
    case 'f': return JKIND_BOOL;
    case '"': return JKIND_STRING;
    case '[': return JKIND_ARRAY;
    case '{': return JKIND_OBJECT;
    case '-': return JKIND_NUMBER;
    default: return value.p[0] >= '0' && value.p[0] <= '9' ? JKIND_NUMBER : JKIND_NONE;
    }
}

int jscan_string(struct span value, struct arena *arena, struct span *ret) {
    if (value.n < 2 || value.p[0] != '"' || value.p[value.n - 1] != '"') return -EINVAL;
    struct span raw = span_of(value.p + 1, value.n - 2);
    if (raw.n == 0 || !memchr(raw.p, '\\', raw.n)) {
        if (raw.n && memchr(raw.p, '"', raw.n)) return -EINVAL;
        *ret = raw;
        return 0;
    }
    char *out = arena_alloc(arena, raw.n);
    if (!out) return -ENOBUFS;
    size_t n;
    int r = jtext_decode(raw, out, raw.n, &n);
    if (r < 0) return r;
    *ret = span_of(out, n);
    return 0;
}

struct span jscan_text(struct span value, struct arena *arena) {
    struct span s;
    if (jscan_kind(value) != JKIND_STRING || jscan_string(value, arena, &s) < 0) return SPAN_NONE;
    if (!s.n || !memchr(s.p, '\0', s.n)) return s;
    char *copy = arena_strndup(arena, s.p, s.n);
    if (!copy) return SPAN_NONE;
    for (size_t i = 0; i < s.n; i++)
        if (!copy[i]) copy[i] = '?';
    return span_of(copy, s.n);
}

bool jscan_bool(struct span value, bool *ret) {
    bool yes = span_eq(value, SPAN("true"));
    if (!yes && !span_eq(value, SPAN("false"))) return false;
    *ret = yes;
    return true;
}

bool jscan_i64(struct span value, int64_t *ret) {
    bool integer;
    if (value.n == 0 || jtext_number(value, &integer) != value.n || !integer) return false;
    bool negative = value.p[0] == '-';
    /* Counted downwards: the smallest number has no positive twin. */
    int64_t v = 0;
    for (size_t i = negative; i < value.n; i++) {
        int64_t digit = value.p[i] - '0';
        if (__builtin_mul_overflow(v, (int64_t)10, &v) || __builtin_sub_overflow(v, digit, &v)) return false;
    }
    if (!negative && __builtin_sub_overflow((int64_t)0, v, &v)) return false;
    *ret = v;
    return true;
}

bool jscan_double(struct span value, double *ret) {
    bool integer;
    char text[JSCAN_NUMBER_MAX + 1];
    if (value.n == 0 || value.n > JSCAN_NUMBER_MAX || jtext_number(value, &integer) != value.n) return false;
    memcpy(text, value.p, value.n);
    text[value.n] = '\0';
    double v = strtod(text, NULL); /* no setlocale() anywhere: the decimal point is a point */
    if (!isfinite(v)) return false;
    *ret = v;
    return true;
}
