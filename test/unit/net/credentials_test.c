#include "net/credentials.h"

#include "test.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define NAME "ostler_login_3333"

static struct credentials read_all(const char *cookie, const char *page_key, const char *protocols,
                                   const char *authorization, const char *query) {
    return credentials_of(&(struct credentials_request){.cookie_name = NAME,
                                                        .cookie = span_str(cookie),
                                                        .key = span_str(page_key),
                                                        .protocols = span_str(protocols),
                                                        .authorization = span_str(authorization),
                                                        .query_token = span_str(query)});
}

static char letter(struct span secret) {
    CHECK_INT(secret.n, 64);
    return secret.p[0];
}

/* First letters of the whole tokens, in their order. */
static void check_tokens(const char *authorization, const char *query, const char *expected) {
    struct credentials c = read_all("", "", "", authorization, query);
    char got[CREDENTIALS_MAX + 1] = "";
    for (size_t i = 0; i < c.count; i++)
        got[i] = letter(c.token[i]);
    CHECK_STR(got, expected);
    CHECK_INT(c.cookie_count, 0);
    CHECK_INT(c.key.n, 0);
}

static void check_cookies(const char *header, const char *expected) {
    struct credentials c = read_all(header, "", "", "", "");
    char got[CREDENTIALS_COOKIES_MAX + 1] = "";
    for (size_t i = 0; i < c.cookie_count; i++)
        got[i] = letter(c.cookie[i]);
    CHECK_STR(got, expected);
    CHECK_INT(c.count, 0); /* a cookie is no whole token */
}

static void check_key(const char *header, const char *protocols, const char *expected) {
    CHECK_INT(read_all("", header, protocols, "", "").key.n, strlen(expected));
    if (expected[0]) CHECK(span_eq_str(read_all("", header, protocols, "", "").key, expected));
}

TEST(bearer_then_query) {
    check_tokens("", "", "");
    check_tokens("Bearer " B, C, "b0");
    check_tokens("", C, "0");
    check_tokens("bearer   " B " ", "", "b");
    check_tokens("Basic " B, "", "");
    check_tokens("Bearer" B, "", "");
    check_tokens("Bearer " B "," A, "", "");
    check_tokens("Bearer BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", "", "");
}

TEST(cookies) {
    check_cookies(NAME "=" A, "a");
    check_cookies("theme=dark; " NAME "=" A "; x=y", "a");
    check_cookies("theme=dark;" NAME "=" A, "a");
    check_cookies(NAME "=; " NAME "=" B, "b");
    check_cookies(NAME "=short; " NAME "=" B "; " NAME "=" A,
                  "ba"); /* one that another server of the host has put there */
    check_cookies("x" NAME "=" A, "");
    check_cookies("x=" NAME "=" A, "");
    check_cookies("OSTLER_LOGIN_3333=" A, "");
    check_cookies("ostler_login_3334=" A "; auth_token=" A, "");
    check_cookies("__Host-" NAME "=" A, "");
    check_cookies(NAME "=\"" A "\"", "");
    check_cookies(NAME "=" A "a", "");
    check_cookies(";;=;" NAME, "");
    char many[4096];
    size_t n = 0;
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(many + n, sizeof many - n, NAME "=" A ";");
    check_cookies(many, "aaaaaaaa");
}

TEST(keys) {
    check_key(C, "", C);
    check_key(" " C " ", "", C);
    check_key("", "ostler.v1, ostler.key." C, C);
    check_key("", "ostler.key." C ",ostler.v1", C);
    check_key(A, "ostler.key." C, A);
    check_key("nonsense", "ostler.key." C, "");
    check_key("", "ostler.key.", "");
    check_key("", "ostler.key." C "0", "");
    check_key("", "OSTLER.KEY." C, "");
    check_key("", C, "");
}

static void check_name(const char *host, bool secure, const char *expected) {
    char name[CREDENTIALS_NAME_BYTES];
    credentials_cookie_name(span_str(host), secure, name);
    CHECK_STR(name, expected);
}

TEST(each_port_has_a_name_of_its_own) {
    check_name("localhost:3333", false, "ostler_login_3333");
    check_name("localhost:3334", false, "ostler_login_3334");
    check_name("[::1]:3333", false, "ostler_login_3333");
    check_name("ostler.example.org", false, "ostler_login_80");
    check_name("ostler.example.org", true, "__Host-ostler_login_443");
    check_name("[::1]", true, "__Host-ostler_login_443");
    check_name("box:8443", true, "__Host-ostler_login_8443");
    check_name("box:99999999999999999999", false, "ostler_login_80");
    check_name("box:65536", false, "ostler_login_80");
    check_name("", false, "ostler_login_80");
}

TESTS(RUN(bearer_then_query), RUN(cookies), RUN(keys), RUN(each_port_has_a_name_of_its_own))
