#include "net/router.h"

#include <stdio.h>

/* Walks pattern and path side by side; the leading '/' makes both begin with an empty segment. */
static bool matches(const char *pattern, struct span path, struct route_params *ret) {
    struct span want = span_str(pattern);
    ret->count = 0;
    for (;;) {
        bool last_want = !memchr(want.p, '/', want.n), last_path = !path.n || !memchr(path.p, '/', path.n);
        struct span w = span_split(&want, '/'), p = span_split(&path, '/');
        if (w.n && w.p[0] == ':') {
            if (p.n == 0) return false;
            assert(ret->count < ROUTE_PARAMS_MAX);
            ret->value[ret->count++] = p;
        } else if (!span_eq(w, p)) {
            return false;
        }
        if (last_want || last_path) return last_want && last_path;
    }
}

/* Both match the same path: the one whose first different segment is literal wins. */
static bool beats(const char *a, const char *b) {
    struct span x = span_str(a), y = span_str(b);
    while (x.n && y.n) {
        struct span s = span_split(&x, '/'), t = span_split(&y, '/');
        bool s_param = s.n && s.p[0] == ':', t_param = t.n && t.p[0] == ':';
        if (s_param != t_param) return t_param;
    }
    return false;
}

static const char *method_name(enum http_method m) {
    switch (m) {
    case HTTP_GET: return "GET, HEAD";
    case HTTP_HEAD: return "HEAD";
    case HTTP_POST: return "POST";
    case HTTP_PUT: return "PUT";
    case HTTP_PATCH: return "PATCH";
    case HTTP_DELETE: return "DELETE";
    case HTTP_OPTIONS: return "OPTIONS";
    case HTTP_OTHER: break;
    }
    return "";
}

enum { ALLOW_BYTES = 64 };

static void list_methods(unsigned methods, char out[ALLOW_BYTES]) {
    size_t n = 0;
    out[0] = '\0';
    for (unsigned m = 0; m < HTTP_OTHER; m++) {
        if (!(methods & 1U << m)) continue;
        n += (size_t)snprintf(out + n, ALLOW_BYTES - n, "%s%s", n ? ", " : "",
                              method_name((enum http_method)m));
        assert(n < ALLOW_BYTES);
    }
}

enum route_result route_match(const struct route *table, size_t count, enum http_method method,
                              struct span path, const struct route **ret, struct route_params *ret_params,
                              char ret_allow[64]) {
    const struct route *best = NULL;
    struct route_params best_params = {0}, params;
    unsigned methods = 0;
    if (method == HTTP_HEAD) method = HTTP_GET;
    for (size_t i = 0; i < count; i++) {
        const struct route *r = &table[i];
        if (!matches(r->pattern, path, &params)) continue;
        methods |= 1U << r->method;
        if (r->method != method || (best && !beats(r->pattern, best->pattern))) continue;
        best = r;
        best_params = params;
    }
    if (best) {
        *ret = best;
        *ret_params = best_params;
        return ROUTE_FOUND;
    }
    if (!methods) return ROUTE_UNKNOWN_PATH;
    list_methods(methods, ret_allow);
    return ROUTE_WRONG_METHOD;
}
