#include "net/addr.h"
#include "test.h"

#include <netinet/in.h>

static bool in(const char *address, const char *range) {
    struct addr a;
    struct addr_range r;
    CHECK(addr_parse(span_str(address), &a));
    CHECK(addr_range_parse(span_str(range), &r));
    return addr_in(&a, &r, 1);
}

TEST(addresses_are_read_and_printed) {
    static const char *const good[][2] = {{"127.0.0.1", "127.0.0.1"},
                                          {"::1", "::1"},
                                          {"::ffff:10.0.0.1", "10.0.0.1"},
                                          {"FD00:0:0::5", "fd00::5"}};
    static const char *const bad[] = {"",
                                      "localhost",
                                      "1.2.3",
                                      "1.2.3.4.5",
                                      "256.1.1.1",
                                      "1.2.3.4 ",
                                      "::g",
                                      "[::1]",
                                      "1.2.3.4/8",
                                      "fe80::1%eth0",
                                      "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"};
    struct addr a;
    char text[ADDR_TEXT_BYTES];
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        CHECK(addr_parse(span_str(good[i][0]), &a));
        addr_print(&a, text);
        CHECK_STR(text, good[i][1]);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (addr_parse(span_str(bad[i]), &a)) fail_msg("\"%s\" is taken", bad[i]);
    CHECK(!addr_parse(span_of("1.2.3.4\0", 8), &a));
}

TEST(one_address_of_both_families) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr = {htonl(0x0a000001)}};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    struct sockaddr other = {.sa_family = AF_UNIX};
    struct addr a, b;
    CHECK(addr_of_socket((struct sockaddr *)&v4, &a));
    CHECK(addr_parse(SPAN("::ffff:10.0.0.1"), &b));
    memcpy(&v6.sin6_addr, b.bytes, sizeof b.bytes);
    CHECK(addr_of_socket((struct sockaddr *)&v6, &b));
    CHECK(addr_eq(&a, &b));
    CHECK(addr_is_v4(&b));
    CHECK(!addr_of_socket(&other, &a));
}

TEST(loopback) {
    struct addr a;
    static const char *const yes[] = {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"};
    static const char *const no[] = {"128.0.0.1", "::2", "10.0.0.1", "::"};
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        CHECK(addr_parse(span_str(yes[i]), &a) && addr_is_loopback(&a));
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        CHECK(addr_parse(span_str(no[i]), &a) && !addr_is_loopback(&a));
}

TEST(ranges) {
    CHECK(in("10.0.0.1", "10.0.0.1"));
    CHECK(!in("10.0.0.2", "10.0.0.1"));
    CHECK(in("10.255.0.1", "10.0.0.0/8"));
    CHECK(in("10.255.0.1", "10.3.3.3/8"));
    CHECK(!in("11.0.0.1", "10.0.0.0/8"));
    CHECK(in("192.168.7.1", "192.168.4.0/22"));
    CHECK(!in("192.168.8.1", "192.168.4.0/22"));
    CHECK(in("1.2.3.4", "0.0.0.0/0"));
    CHECK(!in("::1", "0.0.0.0/0"));
    CHECK(in("::1", "::/0"));
    CHECK(in("1.2.3.4", "::/0"));
    CHECK(in("fd00::5", "fd00::/8"));
    CHECK(!in("fe00::5", "fd00::/8"));
    CHECK(in("::ffff:10.1.1.1", "10.0.0.0/8"));
    CHECK(in("10.1.1.1", "::ffff:10.0.0.0/104"));
}

TEST(ranges_that_are_none) {
    static const char *const bad[] = {"",       "/8",          "10.0.0.0/",    "10.0.0.0/33",
                                      "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/x",
                                      "proxy",  "10.0.0.0 /8"};
    struct addr_range r;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (addr_range_parse(span_str(bad[i]), &r)) fail_msg("\"%s\" is taken", bad[i]);
}

TESTS(RUN(addresses_are_read_and_printed), RUN(one_address_of_both_families), RUN(loopback), RUN(ranges),
      RUN(ranges_that_are_none))
