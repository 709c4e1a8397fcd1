#include "net/url.h"

#include <errno.h>

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool is_plain(struct span s, bool plus) {
    return s.n == 0 || (!memchr(s.p, '%', s.n) && !(plus && memchr(s.p, '+', s.n)));
}

static int decode(struct span s, bool plus, struct arena *arena, struct span *ret) {
    if (is_plain(s, plus)) {
        *ret = s;
        return 0;
    }
    char *out = arena_alloc(arena, s.n);
    if (!out) return -ENOBUFS;
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '+' && plus) c = ' ';
        if (c == '%') {
            if (s.n - i < 3) return -EINVAL;
            int high = hex(s.p[i + 1]), low = hex(s.p[i + 2]);
            if (high < 0 || low < 0) return -EINVAL;
            c = (char)(high * 16 + low);
            i += 2;
        }
        out[n++] = c;
    }
    *ret = span_of(out, n);
    return 0;
}

static bool climbs(struct span path) {
    while (path.n)
        if (span_eq(span_split(&path, '/'), SPAN(".."))) return true;
    return false;
}

int url_split(struct span target, struct arena *arena, struct span *ret_path, struct span *ret_query) {
    if (target.n == 0 || target.p[0] != '/' || memchr(target.p, '#', target.n)) return -EINVAL;
    struct span query = target;
    struct span path;
    int r = decode(span_split(&query, '?'), false, arena, &path);
    if (r < 0) return r;
    if (memchr(path.p, '\0', path.n) || climbs(path)) return -EINVAL;
    *ret_path = path;
    *ret_query = query;
    return 0;
}

int url_query(struct span query, struct span name, struct arena *arena, struct span *ret) {
    while (query.n) {
        struct span value = span_split(&query, '&');
        struct span key;
        int r = decode(span_split(&value, '='), true, arena, &key);
        if (r < 0) return r;
        if (!span_eq(key, name)) continue;
        r = decode(value, true, arena, ret);
        return r < 0 ? r : 1;
    }
    return 0;
}
