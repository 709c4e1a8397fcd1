#include "net/target.h"

#include "test.h"

static const struct addr_range here = {.base = {.bytes = {[10] = 0xff, [11] = 0xff, [12] = 127}},
                                       .bits = 104};

TEST(a_plain_address_is_taken_apart) {
    struct target t;
    CHECK(target_parse(SPAN("https://push.example/send/a?b=c"), &t));
    CHECK(t.secure);
    CHECK_SPAN(t.host, "push.example");
    CHECK_SPAN(t.origin, "https://push.example");
    CHECK_SPAN(t.path, "/send/a?b=c");
    CHECK_INT(t.port, 443);
    CHECK(target_parse(SPAN("HTTP://[::1]:8080"), &t));
    CHECK(!t.secure);
    CHECK_SPAN(t.host, "::1");
    CHECK_SPAN(t.origin, "HTTP://[::1]:8080");
    CHECK_SPAN(t.path, "/");
    CHECK_INT(t.port, 8080);
}

TEST(what_is_none_is_refused) {
    static const char *const wrong[] = {"",
                                        "https",
                                        "https://",
                                        "https:///x",
                                        "ftp://a/",
                                        "//a/",
                                        "https://a b/",
                                        "https://a/ b",
                                        "https://a/\r\nX: y",
                                        "https://u@a/",
                                        "https://u:p@a/",
                                        "https://a/#f",
                                        "https://a?b",
                                        "https://a:/",
                                        "https://a:0/",
                                        "https://a:65536/",
                                        "https://a:1x/",
                                        "https://[::1/",
                                        "https://[a]/",
                                        "https://[1.2.3.4]/",
                                        "https://[::1]x/",
                                        "https://.a/",
                                        "https://-a/",
                                        "https://a/\x7f",
                                        "https://a/\xc3\xa4",
                                        "https://\xc3\xa4/",
                                        "https://a%2f/"};
    struct target t;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (target_parse(span_str(wrong[i]), &t)) fail_msg("%s is taken", wrong[i]);
    CHECK(!target_parse(span_of("https://a\0b/", 12), &t));
}

TEST(only_addresses_of_the_whole_world_are_public) {
    static const char *const public[] = {"1.1.1.1",          "172.15.0.1",  "172.32.0.1",   "100.63.0.1",
                                         "100.128.0.1",      "192.167.1.1", "2606:4700::1", "2a00::1",
                                         "64:ff9b::1.1.1.1", "2001:4860::1"};
    static const char *const not [] = {"0.0.0.0",
                                       "10.1.2.3",
                                       "100.64.0.1",
                                       "100.127.255.255",
                                       "127.0.0.1",
                                       "127.255.255.255",
                                       "169.254.169.254",
                                       "172.16.0.1",
                                       "172.31.255.255",
                                       "192.0.0.1",
                                       "192.0.2.1",
                                       "192.168.0.1",
                                       "198.18.0.1",
                                       "198.51.100.1",
                                       "203.0.113.1",
                                       "224.0.0.1",
                                       "255.255.255.255",
                                       "::",
                                       "::1",
                                       "::ffff:127.0.0.1",
                                       "::ffff:10.0.0.1",
                                       "::10.0.0.1",
                                       "fe80::1",
                                       "fc00::1",
                                       "fd12::1",
                                       "ff02::1",
                                       "2001:db8::1",
                                       "2001::1",
                                       "2002:a00:1::1",
                                       "64:ff9b::10.0.0.1",
                                       "64:ff9b:1::1",
                                       "fec0::1",
                                       "100::1"};
    struct addr a;
    for (size_t i = 0; i < ARRAY_LEN(public); i++)
        if (!addr_parse(span_str(public[i]), &a) || !addr_is_public(&a))
            fail_msg("%s is not public", public[i]);
    for (size_t i = 0; i < ARRAY_LEN(not ); i++)
        if (!addr_parse(span_str(not [i]), &a) || addr_is_public(&a)) fail_msg("%s is public", not [i]);
}

TEST(this_machine_only_where_a_person_said_so) {
    struct target plain, sealed;
    struct addr loopback, other;
    CHECK(target_parse(SPAN("http://a/"), &plain) && target_parse(SPAN("https://a/"), &sealed));
    CHECK(addr_parse(SPAN("127.0.0.1"), &loopback) && addr_parse(SPAN("1.1.1.1"), &other));
    CHECK(!target_may(&plain, &loopback, NULL, 0));
    CHECK(!target_may(&sealed, &loopback, NULL, 0));
    CHECK(!target_may(&plain, &other, NULL, 0));
    CHECK(target_may(&sealed, &other, NULL, 0));
    CHECK(target_may(&plain, &loopback, &here, 1));
    CHECK(target_may(&sealed, &loopback, &here, 1));
    CHECK(!target_may(&plain, &other, &here, 1));
}

TESTS(RUN(a_plain_address_is_taken_apart), RUN(what_is_none_is_refused),
      RUN(only_addresses_of_the_whole_world_are_public), RUN(this_machine_only_where_a_person_said_so))
