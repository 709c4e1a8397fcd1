/* Which handler a request goes to, pure. Literal segments win over `:parameters`. */
#pragma once

#include "net/http.h"

enum { ROUTE_PARAMS_MAX = 4 };

struct route_params {
    struct span value[ROUTE_PARAMS_MAX]; /* in the order of the pattern */
    size_t count;
};

struct route {
    enum http_method method;
    const char *pattern; /* "/api/sessions/:id" */
    void (*handle)(void *user, struct http_exchange *x, const struct route_params *params);
};

enum route_result { ROUTE_FOUND, ROUTE_UNKNOWN_PATH, ROUTE_WRONG_METHOD };

/* `ret_allow` gets the methods that the path has, as for an Allow header, when only the method was wrong. */
enum route_result route_match(const struct route *table, size_t count, enum http_method method,
                              struct span path, const struct route **ret, struct route_params *ret_params,
                              char ret_allow[64]);
