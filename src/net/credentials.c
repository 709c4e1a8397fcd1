#include "net/credentials.h"

#include "crypto/secret.h"

/* The first of that name that can be a token: browsers send the nearest first. */
static struct span cookie_token(struct span header) {
    while (header.n) {
        struct span pair = span_trim(span_split(&header, ';'));
        struct span name = span_split(&pair, '=');
        if (span_eq(name, SPAN(CREDENTIALS_COOKIE)) && secret_is_one(pair)) return pair;
    }
    return SPAN_NONE;
}

static struct span bearer_token(struct span header) {
    if (!span_istarts(header, SPAN("Bearer "))) return SPAN_NONE;
    return span_trim(span_skip(header, sizeof "Bearer " - 1));
}

static void add(struct credentials *c, struct span token) {
    if (secret_is_one(token)) c->token[c->count++] = token;
}

struct credentials credentials_of(struct span cookie, struct span authorization, struct span query_token) {
    struct credentials c = {.count = 0};
    add(&c, cookie_token(cookie));
    add(&c, bearer_token(authorization));
    add(&c, query_token);
    return c;
}
