#include "net/guard.h"
#include "test.h"

static const struct guard guard = {.port = 3333};
static const char *address = "192.168.1.5"; /* that the connection was made to */

static int check(const struct guard *g, enum http_method method, bool upgrade, const char *host,
                 const char *origin, const char *site) {
    struct guard_request r = {.method = method,
                              .upgrade = upgrade,
                              .host = span_str(host),
                              .header = span_str(host),
                              .local = span_str(address),
                              .has_origin = origin[0],
                              .has_site = site[0],
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
    struct guard g = {.port = 80};
    CHECK_INT(check(&g, HTTP_GET, false, "localhost", "", ""), 0);
    CHECK_INT(check(&g, HTTP_GET, false, "[::1]", "", ""), 0);
    CHECK_INT(check(&g, HTTP_GET, false, "localhost:80", "", ""), 0);
    CHECK_INT(check(&g, HTTP_POST, false, "localhost", "http://localhost", ""), 0);
    CHECK_INT(check(&g, HTTP_POST, false, "localhost", "http://evil.example", ""), 403);
}

TEST(a_v6_address_is_in_brackets) {
    struct guard g = {.port = 3333};
    address = "fd00::5";
    CHECK_INT(check(&g, HTTP_GET, false, "[fd00::5]:3333", "", ""), 0);
    CHECK_INT(check(&g, HTTP_GET, false, "fd00::5:3333", "", ""), 421);
    CHECK_INT(check(&g, HTTP_GET, false, "[fd00::6]:3333", "", ""), 421);
    address = "192.168.1.5";
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

/* No browser says nothing, or two things. */
TEST(what_a_browser_would_not_say_is_nobodys) {
    static const struct {
        bool has_origin, has_site;
        const char *origin, *site;
    } cases[] = {
        {true, false, "", ""},
        {false, true, "", ""},
        {true, true, "http://localhost:3333", ""},
        {true, false, "http://localhost:3333,http://localhost:3333", ""},
        {true, false, "http://localhost:3333,http://evil.example", ""},
        {false, true, "", "same-origin,cross-site"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct guard_request r = {.method = HTTP_POST,
                                  .host = SPAN("localhost:3333"),
                                  .header = SPAN("localhost:3333"),
                                  .has_origin = cases[i].has_origin,
                                  .has_site = cases[i].has_site,
                                  .origin = span_str(cases[i].origin),
                                  .site = span_str(cases[i].site)};
        const char *why = NULL;
        if (guard_check(&guard, &r, &why) != 403)
            fail_msg("\"%s\" and \"%s\" are taken", cases[i].origin, cases[i].site);
    }
}

TEST(a_method_that_is_not_known_may_change_something) {
    CHECK_INT(check(&guard, HTTP_OTHER, false, "localhost:3333", "http://evil.example", ""), 403);
    CHECK_INT(check(&guard, HTTP_OTHER, false, "localhost:3333", "", "cross-site"), 403);
    CHECK_INT(check(&guard, HTTP_OPTIONS, false, "localhost:3333", "http://evil.example", "cross-site"), 0);
}

static const char *const own[] = {"barn", NULL};
static const char *const named[] = {"ostler.example", "odd.example:8443", "secure.example:443", NULL};

/* Without a proxy that says otherwise. */
static int ask(const struct guard *g, struct guard_request *r) {
    const char *why = NULL;
    r->header = r->host;
    r->has_origin = r->origin.n;
    return guard_check(g, r, &why);
}

TEST(https_is_another_scheme) {
    struct guard g = {.port = 443, .tls = true, .own_names = own};
    struct guard_request r = {
        .method = HTTP_POST, .secure = true, .host = SPAN("localhost"), .local = SPAN("10.0.0.2")};
    static const char *const good[] = {"https://localhost", "https://localhost:443", "https://barn",
                                       "https://10.0.0.2", "https://[::1]"};
    static const char *const bad[] = {"http://localhost", "http://localhost:443", "https://localhost:8443",
                                      "https://10.0.0.3", "https://barn.example"};
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        r.origin = span_str(good[i]);
        if (ask(&g, &r) != 0) fail_msg("%s is refused", good[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        r.origin = span_str(bad[i]);
        if (ask(&g, &r) != 403) fail_msg("%s is taken", bad[i]);
    }
    r.origin = SPAN_NONE;
    r.host = SPAN("BARN:443");
    CHECK_INT(ask(&g, &r), 0);
    r.host = SPAN("barn:80");
    CHECK_INT(ask(&g, &r), 421);
}

TEST(configured_names_have_the_ports_of_their_proxies) {
    struct guard g = {.port = 3333, .server_names = named};
    static const struct {
        const char *host;
        int status;
    } hosts[] = {{"ostler.example", 0},      {"Ostler.Example:8080", 0}, {"odd.example:8443", 0},
                 {"odd.example:8444", 421},  {"odd.example", 421},       {"secure.example", 0},
                 {"secure.example:80", 421}, {"x.ostler.example", 421},  {"ostler.example.", 421},
                 {"ostler.example:", 421},   {"ostler.example:0", 421}};
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        struct guard_request r = {.method = HTTP_GET, .host = span_str(hosts[i].host)};
        if (ask(&g, &r) != hosts[i].status) fail_msg("%s is not %d", hosts[i].host, hosts[i].status);
    }
}

/* The proxy may say that it spoke TLS, or not; may pass the name on, or not. */
TEST(pages_behind_a_proxy) {
    struct guard g = {.port = 3333, .server_names = named};
    static const struct {
        const char *host, *origin;
        bool secure;
        int status;
    } cases[] = {
        {"ostler.example", "https://ostler.example", true, 0},
        {"ostler.example", "https://ostler.example", false, 0},
        {"ostler.example", "http://ostler.example", false, 0},
        {"ostler.example", "http://ostler.example", true, 403},
        {"ostler.example:8080", "http://ostler.example:8080", false, 0},
        {"ostler.example:8080", "http://ostler.example:9090", false, 403},
        {"ostler.example", "http://ostler.example:9090", false, 403},
        {"localhost:3333", "https://ostler.example", false, 0},
        {"localhost:3333", "https://ostler.example:8443", false, 403},
        {"localhost:3333", "https://odd.example:8443", false, 0},
        {"localhost:3333", "https://odd.example", false, 403},
        {"localhost:3333", "https://localhost:3333", false, 403},
        {"ostler.example", "https://evil.example", true, 403},
        {"ostler.example", "https://", true, 403},
        {"ostler.example", "https://ostler.example@evil.example", true, 403},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct guard_request r = {.method = HTTP_POST,
                                  .secure = cases[i].secure,
                                  .host = span_str(cases[i].host),
                                  .origin = span_str(cases[i].origin)};
        if (ask(&g, &r) != cases[i].status)
            fail_msg("%s to %s is not %d", cases[i].origin, cases[i].host, cases[i].status);
    }
}

/* A proxy's word does not make up for a name that the request itself was made to. */
TEST(both_names_are_looked_at) {
    struct guard g = {.port = 3333, .server_names = named};
    static const struct {
        const char *header, *host;
        int status;
    } cases[] = {
        {"127.0.0.1:3333", "ostler.example", 0},      {"ostler.example", "ostler.example", 0},
        {"evil.example", "ostler.example", 421},      {"127.0.0.1:3333", "evil.example", 421},
        {"evil.example:3333", "localhost:3333", 421}, {"", "ostler.example", 400},
        {"127.0.0.1:3333", "odd.example:8443", 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct guard_request r = {
            .method = HTTP_GET, .header = span_str(cases[i].header), .host = span_str(cases[i].host)};
        const char *why = NULL;
        if (guard_check(&g, &r, &why) != cases[i].status)
            fail_msg("%s for %s is not %d", cases[i].header, cases[i].host, cases[i].status);
    }
}

/* It has no port; somebody may forward one to it, and then browsers are as dangerous there as elsewhere. */
TEST(the_owners_socket) {
    struct guard g = {.port = 3333, .own_names = own};
    struct guard_request r = {.method = HTTP_POST, .owner = true, .host = SPAN("localhost")};
    CHECK_INT(ask(&g, &r), 0);
    r.host = SPAN("localhost:9999");
    CHECK_INT(ask(&g, &r), 0);
    r.origin = SPAN("http://localhost:9999");
    CHECK_INT(ask(&g, &r), 0);
    r.origin = SPAN("http://localhost:3333");
    CHECK_INT(ask(&g, &r), 403);
    r.host = SPAN("evil.example");
    CHECK_INT(ask(&g, &r), 421);
    r.host = SPAN("barn");
    CHECK_INT(ask(&g, &r), 421);
}

TESTS(RUN(serves_its_own_names), RUN(refuses_other_names), RUN(port_80_may_be_left_out),
      RUN(a_v6_address_is_in_brackets), RUN(changes_come_from_our_own_pages),
      RUN(what_a_browser_would_not_say_is_nobodys), RUN(a_method_that_is_not_known_may_change_something),
      RUN(https_is_another_scheme), RUN(configured_names_have_the_ports_of_their_proxies),
      RUN(pages_behind_a_proxy), RUN(both_names_are_looked_at), RUN(the_owners_socket))
