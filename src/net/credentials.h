/* The tokens that a request brings along. Pure. */
#pragma once

#include "base/span.h"

#define CREDENTIALS_COOKIE "auth_token"

enum { CREDENTIALS_MAX = 3 };

struct credentials {
    struct span token[CREDENTIALS_MAX]; /* in the order in which they count */
    size_t count;
};

/* From the headers Cookie and Authorization and the query's `token`, each empty when absent: first the cookie, then the bearer
 * token, then the query's. Anything that has not the form of a token is none. */
struct credentials credentials_of(struct span cookie, struct span authorization, struct span query_token);
