#include "net/guard.h"
#include "test.h"

static const struct guard guard = {.port = 3333, .host = "192.168.1.5"};

static int check(const struct guard *g, enum http_method method, bool upgrade, const char *host,
                 const char *origin, const char *site) {
    struct guard_request r = {.method = method,
                              .upgrade = upgrade,
                              .host = span_str(host),
                              .origin = span_str(origin),
                              .site = span_str(site)};
    const char *why = NULL;
    int status = guard_check(g, &r, &why);
    CHECK(!why == !status);
    return status;
}

static int host(const char *name) {
    return check(&guard, HTTP_GET, false, name, "", "");
}

static int post(const char *origin, const char *site) {
    int status = check(&guard, HTTP_POST, false, "localhost:3333", origin, site);
    CHECK_INT(check(&guard, HTTP_GET, true, "localhost:3333", origin, site), status);
    CHECK_INT(check(&guard, HTTP_DELETE, false, "localhost:3333", origin, site), status);
    CHECK_INT(check(&guard, HTTP_GET, false, "localhost:3333", origin, site),
              0); /* reading is the browser's business */
    return status;
}

TEST(serves_its_own_names) {
    CHECK_INT(host("localhost:3333"), 0);
    CHECK_INT(host("LocalHost:3333"), 0);
    CHECK_INT(host("127.0.0.1:3333"), 0);
    CHECK_INT(host("[::1]:3333"), 0);
    CHECK_INT(host("192.168.1.5:3333"), 0);
}

TEST(refuses_other_names) {
    static const char *const bad[] = {"evil.example:3333",
                                      "localhost",
                                      "localhost:3334",
                                      "localhost:",
                                      "localhost:3333x",
                                      "a.localhost:3333",
                                      "localhost.:3333",
                                      "127.0.0.2:3333",
                                      "[::1]",
                                      "[::1:3333",
                                      "::1:3333",
                                      "[::2]:3333",
                                      "127.0.0.1:3333:1",
                                      "user@localhost:3333",
                                      ":3333",
                                      "localhost:03333333333333333333333",
                                      "[192.168.1.5]:3333",
                                      "localhost:-3333",
                                      "[localhost]:3333",
                                      "127.1:3333"};
    CHECK_INT(host(""), 400);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (host(bad[i]) != 421) fail_msg("%s is served", bad[i]);
}

TEST(port_80_may_be_left_out) {
    struct guard g = {.port = 80, .host = "::"};
    CHECK_INT(check(&g, HTTP_GET, false, "localhost", "", ""), 0);
    CHECK_INT(check(&g, HTTP_GET, false, "[::1]", "", ""), 0);
    CHECK_INT(check(&g, HTTP_GET, false, "localhost:80", "", ""), 0);
    CHECK_INT(check(&g, HTTP_POST, false, "localhost", "http://localhost", ""), 0);
    CHECK_INT(check(&g, HTTP_POST, false, "localhost", "http://evil.example", ""), 403);
}

TEST(a_v6_address_is_in_brackets) {
    struct guard g = {.port = 3333, .host = "fd00::5"};
    CHECK_INT(check(&g, HTTP_GET, false, "[fd00::5]:3333", "", ""), 0);
    CHECK_INT(check(&g, HTTP_GET, false, "fd00::5:3333", "", ""), 421);
}

TEST(changes_come_from_our_own_pages) {
    CHECK_INT(post("", ""), 0); /* not a browser */
    CHECK_INT(post("http://localhost:3333", "same-origin"), 0);
    CHECK_INT(post("http://127.0.0.1:3333", ""), 0); /* another of our names */
    CHECK_INT(post("http://[::1]:3333", "none"), 0);
    CHECK_INT(post("http://evil.example", ""), 403);
    CHECK_INT(post("http://localhost:8080", ""), 403);
    CHECK_INT(post("http://localhost", ""), 403);
    CHECK_INT(post("https://localhost:3333", ""), 403);
    CHECK_INT(post("http://localhost:3333.evil.example", ""), 403);
    CHECK_INT(post("http://localhost:3333/", ""), 403);
    CHECK_INT(post("null", ""), 403);
    CHECK_INT(post("", "cross-site"), 403);
    CHECK_INT(post("", "same-site"), 403);
    CHECK_INT(post("http://localhost:3333", "cross-site"), 403);
}

TESTS(RUN(serves_its_own_names), RUN(refuses_other_names), RUN(port_80_may_be_left_out),
      RUN(a_v6_address_is_in_brackets), RUN(changes_come_from_our_own_pages))
