/* What a request brings along to be let in. Pure. */
#pragma once

#include "base/span.h"

/* The page's half: a header of its requests, and one of the subprotocols that its sockets offer. */
#define CREDENTIALS_KEY_HEADER "x-ostler-key"
#define CREDENTIALS_KEY_PROTOCOL "ostler.key."

enum {
    CREDENTIALS_MAX = 2,
    CREDENTIALS_COOKIES_MAX = 8, /* of the same name: other servers of this host can set some, too */
    CREDENTIALS_NAME_BYTES = 40,
};

/* Where they are looked for; each empty when absent. */
struct credentials_request {
    const char *cookie_name;
    struct span cookie, key, protocols, authorization, query_token;
};

/* Anything that has not the form of a token, or of a half, is none. */
struct credentials {
    struct span cookie[CREDENTIALS_COOKIES_MAX]; /* they count only with a key */
    size_t cookie_count;
    struct span key;
    struct span token[CREDENTIALS_MAX]; /* whole ones: the bearer's, then the query's */
    size_t count;
};

struct credentials credentials_of(const struct credentials_request *r);

/* The cookie's name at the address that the client asked for, "name:port": all ports of a host share their cookies, and another
 * ostler on another port must not end our logins. Over TLS browsers take it from that very host only. */
void credentials_cookie_name(struct span host, bool secure, char ret[CREDENTIALS_NAME_BYTES]);
