#include "net/credentials.h"

#include "test.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* First letters of the tokens, in their order. */
static void check(const char *cookie, const char *authorization, const char *query, const char *expected) {
    struct credentials c = credentials_of(span_str(cookie), span_str(authorization), span_str(query));
    char got[CREDENTIALS_MAX + 1] = "";
    for (size_t i = 0; i < c.count; i++) {
        CHECK_INT(c.token[i].n, 64);
        got[i] = c.token[i].p[0];
    }
    CHECK_STR(got, expected);
}

TEST(cookie_then_bearer_then_query) {
    check("", "", "", "");
    check("auth_token=" A, "Bearer " B, C, "ab0");
    check("", "Bearer " B, C, "b0");
    check("", "", C, "0");
    check("auth_token=" A, "", "", "a");
}

TEST(cookies) {
    check("theme=dark; auth_token=" A "; x=y", "", "", "a");
    check("theme=dark;auth_token=" A, "", "", "a");
    check("auth_token=; auth_token=" B, "", "", "b");
    check("auth_token=short; auth_token=" B "; auth_token=" A, "", "", "b");
    check("xauth_token=" A, "", "", "");
    check("x=auth_token=" A, "", "", "");
    check("AUTH_TOKEN=" A, "", "", "");
    check("auth_token=\"" A "\"", "", "", "");
    check("auth_token=" A "a", "", "", "");
    check(";;=;auth_token", "", "", "");
}

TEST(bearers) {
    check("", "bearer   " B " ", "", "b");
    check("", "Basic " B, "", "");
    check("", "Bearer" B, "", "");
    check("", "Bearer " B "," A, "", "");
    check("", "Bearer BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", "", "");
}

TESTS(RUN(cookie_then_bearer_then_query), RUN(cookies), RUN(bearers))
