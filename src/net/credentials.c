#include "net/credentials.h"

#include "crypto/secret.h"

#include <inttypes.h>
#include <stdio.h>

enum { HTTP_PORT = 80, HTTPS_PORT = 443 };

void credentials_cookie_name(struct span host, bool secure, char ret[CREDENTIALS_NAME_BYTES]) {
    const char *colon = host.n ? memrchr(host.p, ':', host.n) : NULL;
    uint64_t port = 0;
    if (!colon || !span_u64(span_skip(host, (size_t)(colon - host.p) + 1), &port) || port > UINT16_MAX)
        port = secure ? HTTPS_PORT : HTTP_PORT;
    (void)snprintf(ret, CREDENTIALS_NAME_BYTES, "%sostler_login_%" PRIu64, secure ? "__Host-" : "", port);
}

static void add_cookies(struct credentials *c, struct span header, const char *wanted) {
    while (header.n && c->cookie_count < CREDENTIALS_COOKIES_MAX) {
        struct span pair = span_trim(span_split(&header, ';'));
        struct span name = span_split(&pair, '=');
        if (span_eq_str(name, wanted) && secret_is_one(pair)) c->cookie[c->cookie_count++] = pair;
    }
}

static struct span offered_key(struct span protocols) {
    while (protocols.n) {
        struct span one = span_trim(span_split(&protocols, ','));
        if (span_starts(one, SPAN(CREDENTIALS_KEY_PROTOCOL)))
            return span_skip(one, sizeof CREDENTIALS_KEY_PROTOCOL - 1);
    }
    return SPAN_NONE;
}

static struct span bearer_token(struct span header) {
    if (!span_istarts(header, SPAN("Bearer "))) return SPAN_NONE;
    return span_trim(span_skip(header, sizeof "Bearer " - 1));
}

static void add_token(struct credentials *c, struct span token) {
    if (secret_is_one(token)) c->token[c->count++] = token;
}

struct credentials credentials_of(const struct credentials_request *r) {
    struct credentials c = {.count = 0};
    struct span key = r->key.n ? span_trim(r->key) : offered_key(r->protocols);
    if (secret_is_one(key)) c.key = key;
    add_cookies(&c, r->cookie, r->cookie_name);
    add_token(&c, bearer_token(r->authorization));
    add_token(&c, r->query_token);
    return c;
}
