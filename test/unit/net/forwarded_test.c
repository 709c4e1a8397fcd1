#include "net/forwarded.h"
#include "test.h"

static struct addr_range trusted[2];

static struct forwarded read_it(const char *from, const char *proto, const char *host) {
    struct forwarded_headers h = {.from = span_str(from), .proto = span_str(proto), .host = span_str(host)};
    struct addr peer;
    CHECK(addr_range_parse(SPAN("127.0.0.1"), &trusted[0]));
    CHECK(addr_range_parse(SPAN("10.0.0.0/8"), &trusted[1]));
    CHECK(addr_parse(SPAN("127.0.0.1"), &peer));
    return forwarded_read(&h, &peer, trusted, ARRAY_LEN(trusted));
}

TEST(the_client_is_the_last_who_is_no_proxy) {
    static const char *const cases[][2] = {
        {"1.2.3.4", "1.2.3.4"},
        {" 1.2.3.4 ", "1.2.3.4"},
        {"6.6.6.6, 1.2.3.4", "1.2.3.4"}, /* what the client made up stands before */
        {"127.0.0.1, 1.2.3.4", "1.2.3.4"},
        {"6.6.6.6, 1.2.3.4, 10.1.1.1, 10.2.2.2", "1.2.3.4"},
        {"1.2.3.4:5678", "1.2.3.4"},
        {"2001:db8::1", "2001:db8::1"},
        {"[2001:db8::1]", "2001:db8::1"},
        {"[2001:db8::1]:443", "2001:db8::1"},
        {"10.1.1.1", "10.1.1.1"}, /* proxies only */
        {"", "127.0.0.1"},
        {",", "127.0.0.1"},
        {"unknown", "127.0.0.1"},
        {"1.2.3.4, unknown", "127.0.0.1"}, /* nobody knows what that proxy saw */
        {"1.2.3.4, junk, 10.1.1.1", "10.1.1.1"},
        {"1.2.3.4,", "127.0.0.1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[ADDR_TEXT_BYTES];
        struct forwarded f = read_it(cases[i][0], "", "");
        addr_print(&f.client, text);
        if (strcmp(text, cases[i][1]) != 0) fail_msg("\"%s\" is %s, not %s", cases[i][0], text, cases[i][1]);
    }
}

TEST(the_last_proxy_says_how_and_for_what) {
    CHECK(read_it("", "https", "").secure);
    CHECK(read_it("", "HTTPS", "").secure);
    CHECK(read_it("", "http, https", "").secure);
    CHECK(!read_it("", "https, http", "").secure);
    CHECK(!read_it("", "", "").secure);
    CHECK_SPAN(read_it("", "", "ostler.example").host, "ostler.example");
    CHECK_SPAN(read_it("", "", "evil.example, ostler.example:8443").host, "ostler.example:8443");
    CHECK_INT(read_it("", "", "").host.n, 0);
}

TESTS(RUN(the_client_is_the_last_who_is_no_proxy), RUN(the_last_proxy_says_how_and_for_what))
