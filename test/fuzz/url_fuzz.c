/* Request targets: what is accepted, what a router makes of it, and headers that are cut into lists. */
#include "net/assets.h"
#include "net/guard.h"
#include "net/router.h"
#include "net/url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void check_route(struct span path) {
    static const struct route table[] = {
        {HTTP_GET, "/", NULL},      {HTTP_GET, "/a/b", NULL},        {HTTP_GET, "/a/:x", NULL},
        {HTTP_POST, "/a/:x", NULL}, {HTTP_PUT, "/:x/b/:y/:z", NULL},
    };
    const struct route *route = NULL;
    struct route_params params = {0};
    char allow[64] = "";
    enum route_result r = route_match(table, ARRAY_LEN(table), HTTP_GET, path, &route, &params, allow);
    require((r == ROUTE_FOUND) == (route != NULL) && (r == ROUTE_WRONG_METHOD) == (allow[0] != '\0'));
    for (size_t i = 0; i < params.count; i++)
        require(params.value[i].n > 0 && !memchr(params.value[i].p, '/', params.value[i].n));
}

static void check_target(struct span target) {
    struct arena arena = ARENA_INIT(1 << 16);
    struct span path, query, value;
    if (url_split(target, &arena, &path, &query) == 0) {
        require(path.n > 0 && path.n <= target.n && path.p[0] == '/' && !memchr(path.p, '\0', path.n));
        require(!span_ends(path, SPAN("/..")) && !memmem(path.p, path.n, "/../", 4));
        check_route(path);
        if (url_query(query, SPAN("a"), &arena, &value) == 1) require(value.n <= query.n);
    }
    arena_fini(&arena);
}

static void check_headers(struct span text) {
    static const char *const own[] = {"barn", NULL}, *const names[] = {"a.example", "b.example:8443", NULL};
    static const struct guard guard = {.port = 3333, .own_names = own, .server_names = names};
    static const struct asset asset = {.gzip = {"g", 1}, .brotli = {"b", 1}};
    const char *why = NULL;
    struct guard_request q = {.method = HTTP_POST,
                              .host = text,
                              .header = text,
                              .local = text,
                              .has_origin = true,
                              .origin = text,
                              .has_site = true,
                              .site = text};
    require(guard_check(&guard, &q, &why) != 0 && why); /* nothing is both a Host and an Origin of ours */
    (void)asset_choose(&asset, text);
    (void)asset_tag_matches(text, SPAN("tag"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size);
    check_target(text);
    check_headers(text);
    return 0;
}
