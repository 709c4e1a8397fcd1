#include "net/assets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_BYTES = 64 };

static int by_path(const void *key, const void *element) {
    const struct span *path = key;
    struct span have = span_str(((const struct asset *)element)->path);
    int order = memcmp(path->p, have.p, MIN(path->n, have.n));
    return order ? order : (path->n > have.n) - (path->n < have.n);
}

const struct asset *asset_find(struct span path) {
    if (path.n == 0) return NULL;
    return bsearch(&path, assets_table, assets_count, sizeof *assets_table, by_path);
}

/* "q=0", "q=0.0" and so on: the only weight that matters, because we choose by size. */
static bool is_forbidden(struct span parameters) {
    while (parameters.n) {
        struct span p = span_trim(span_split(&parameters, ';'));
        if (!span_istarts(p, SPAN("q="))) continue;
        for (p = span_skip(p, 2); p.n; p = span_skip(p, 1))
            if (p.p[0] != '0' && p.p[0] != '.') return false;
        return true;
    }
    return false;
}

static bool accepts(struct span header, struct span coding) {
    bool any = false;
    while (header.n) {
        struct span parameters = span_split(&header, ',');
        struct span name = span_trim(span_split(&parameters, ';'));
        if (span_ieq(name, coding)) return !is_forbidden(parameters);
        if (span_eq(name, SPAN("*"))) any = !is_forbidden(parameters);
    }
    return any;
}

enum asset_encoding asset_choose(const struct asset *a, struct span accept_encoding) {
    if (a->brotli.n && accepts(accept_encoding, SPAN("br"))) return ASSET_BROTLI;
    if (a->gzip.n && accepts(accept_encoding, SPAN("gzip"))) return ASSET_GZIP;
    return ASSET_RAW;
}

bool asset_tag_matches(struct span if_none_match, struct span tag) {
    while (if_none_match.n) {
        struct span t = span_trim(span_split(&if_none_match, ','));
        if (span_eq(t, SPAN("*"))) return true;
        if (span_starts(t, SPAN("W/"))) t = span_skip(t, 2);
        if (t.n == tag.n + 2 && t.p[0] == '"' && t.p[t.n - 1] == '"' && span_eq(span_of(t.p + 1, tag.n), tag))
            return true;
    }
    return false;
}

/* As a source in a policy, which cannot be an IPv6 address. */
static bool is_source(struct span host) {
    for (size_t i = 0; i < host.n; i++)
        if (!isalnum((unsigned char)host.p[i]) && !strchr("-.:", host.p[i])) return false;
    return host.n > 0;
}

/* Nothing on the page may come from, or go to, anywhere else. Not every browser takes 'self' for WebSockets, too. */
static void protect_page(struct http_exchange *x) {
    struct arena *arena = http_request(x)->arena;
    struct span host = http_host(x), sockets = SPAN_NONE;
    if (is_source(host))
        sockets = arena_printf(arena, " %s://%.*s", http_is_secure(x) ? "wss" : "ws", SPAN_ARG(host));
    struct span policy = arena_printf(
        arena,
        "default-src 'self'; connect-src 'self'%.*s; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
        SPAN_ARG(sockets));
    http_add_header(x, SPAN("Content-Security-Policy"), policy);
}

static void serve(struct http_exchange *x, const struct asset *a) {
    static const struct {
        const char *suffix, *name;
    } encodings[] = {[ASSET_RAW] = {"", ""}, [ASSET_GZIP] = {"-gz", "gzip"}, [ASSET_BROTLI] = {"-br", "br"}};
    enum asset_encoding e = asset_choose(a, http_header(x, SPAN("accept-encoding")));
    struct span body = e == ASSET_BROTLI ? a->brotli : e == ASSET_GZIP ? a->gzip : a->raw;
    char quoted[TAG_BYTES];
    int n = snprintf(quoted, sizeof quoted, "\"%s%s\"", a->etag, encodings[e].suffix);
    assert(n > 2 && n < TAG_BYTES);
    http_add_header(x, SPAN("ETag"), span_str(quoted));
    http_add_header(x, SPAN("Vary"), SPAN("Accept-Encoding"));
    http_add_header(x, SPAN("Cache-Control"),
                    a->immutable ? SPAN("public, max-age=31536000, immutable") : SPAN("no-cache"));
    if (span_starts(span_str(a->mime), SPAN("text/html"))) protect_page(x);
    if (strcmp(a->path, "/sw.js") == 0) /* the service worker asks the daemon, and nobody else */
        http_add_header(x, SPAN("Content-Security-Policy"), SPAN("default-src 'none'; connect-src 'self'"));
    if (asset_tag_matches(http_header(x, SPAN("if-none-match")), span_of(quoted + 1, (size_t)n - 2))) {
        http_reply_static(x, 304, SPAN_NONE, SPAN_NONE);
        return;
    }
    if (e != ASSET_RAW) http_add_header(x, SPAN("Content-Encoding"), span_str(encodings[e].name));
    http_reply_static(x, 200, span_str(a->mime), body);
}

static bool is_under(struct span path, struct span dir) {
    return span_starts(path, dir) && (path.n == dir.n || path.p[dir.n] == '/');
}

void assets_serve(struct http_exchange *x) {
    const struct http_request *q = http_request(x);
    if (q->method != HTTP_GET) {
        http_add_header(x, SPAN("Allow"), SPAN("GET, HEAD"));
        http_reply_error(x, 405, "only GET and HEAD are possible here");
        return;
    }
    const struct asset *a = asset_find(q->path);
    if (!a && !is_under(q->path, SPAN("/assets")) && !is_under(q->path, SPAN("/api")))
        a = asset_find(SPAN("/index.html"));
    if (a) {
        serve(x, a);
    } else {
        http_reply_error(x, 404, "there is no %.*s here", SPAN_ARG(q->path));
    }
}
