#include "net/guard.h"

enum { HTTP_PORT = 80 };

/* Splits "name:port" (or "[v6]:port"); a missing port is the default of http. */
static bool split_authority(struct span s, struct span *ret_name, uint64_t *ret_port) {
    const char *close = s.n && s.p[0] == '[' ? memchr(s.p, ']', s.n) : NULL;
    size_t name_n;
    if (s.n && s.p[0] == '[') {
        if (!close) return false;
        name_n = (size_t)(close - s.p) + 1;
    } else {
        const char *colon = s.n ? memchr(s.p, ':', s.n) : NULL;
        name_n = colon ? (size_t)(colon - s.p) : s.n;
    }
    struct span rest = span_skip(s, name_n);
    uint64_t port = HTTP_PORT;
    if (rest.n && (rest.p[0] != ':' || !span_u64(span_skip(rest, 1), &port))) return false;
    *ret_name = span_take(s, name_n);
    *ret_port = port;
    return true;
}

static bool is_our_name(const struct guard *g, struct span name) {
    if (span_ieq(name, SPAN("localhost")) || span_eq(name, SPAN("127.0.0.1")) || span_eq(name, SPAN("[::1]")))
        return true;
    if (!g->host) return false;
    struct span host = span_str(g->host);
    if (memchr(host.p, ':', host.n) && name.n == host.n + 2 && name.p[0] == '[')
        name = span_take(span_skip(name, 1), host.n);
    return host.n && span_ieq(name, host);
}

static bool is_ours(const struct guard *g, struct span authority) {
    struct span name;
    uint64_t port;
    return split_authority(authority, &name, &port) && port == g->port && is_our_name(g, name);
}

static bool changes(enum http_method m) {
    return m == HTTP_POST || m == HTTP_PUT || m == HTTP_PATCH || m == HTTP_DELETE;
}

static int refuse(int status, const char *why, const char **ret_why) {
    *ret_why = why;
    return status;
}

int guard_check(const struct guard *g, const struct guard_request *r, const char **ret_why) {
    if (r->host.n == 0) return refuse(400, "the Host header is missing", ret_why);
    if (!is_ours(g, r->host)) return refuse(421, "this server does not serve that Host", ret_why);
    if (!r->upgrade && !changes(r->method)) return 0;
    if (r->origin.n) {
        struct span origin = r->origin;
        if (!span_istarts(origin, SPAN("http://")) || !is_ours(g, span_skip(origin, sizeof "http://" - 1)))
            return refuse(403, "the request comes from another site's page (Origin)", ret_why);
    }
    if (span_ieq(r->site, SPAN("cross-site")) || span_ieq(r->site, SPAN("same-site")))
        return refuse(403, "the request comes from another site's page (Sec-Fetch-Site)", ret_why);
    return 0;
}
