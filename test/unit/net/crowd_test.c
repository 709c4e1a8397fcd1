#include "net/crowd.h"
#include "test.h"

static bool enter(struct crowd *c, enum crowd_kind kind, const char *from) {
    struct addr a = {0};
    CHECK(addr_parse(span_str(from), &a));
    return crowd_enter(c, kind, &a);
}

static void leave(struct crowd *c, enum crowd_kind kind, const char *from) {
    struct addr a = {0};
    CHECK(addr_parse(span_str(from), &a));
    crowd_leave(c, kind, &a);
}

TEST(one_address_gets_only_so_many) {
    struct crowd c;
    crowd_init(&c, 100, 2);
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.2"));
    leave(&c, CROWD_OTHER, "10.0.0.1");
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.1"));
    for (int i = 0; i < 50; i++)
        CHECK(enter(&c, CROWD_LOCAL, "127.0.0.1"));
    CHECK_INT(c.addresses.count, 2);
    leave(&c, CROWD_OTHER, "10.0.0.2");
    CHECK_INT(c.addresses.count, 1);
    crowd_fini(&c);
}

TEST(one_network_of_ipv6_is_one) {
    struct crowd c;
    crowd_init(&c, 100, 1);
    CHECK(enter(&c, CROWD_OTHER, "2001:db8:0:1::1"));
    CHECK(!enter(&c, CROWD_OTHER, "2001:db8:0:1:ffff::2"));
    CHECK(enter(&c, CROWD_OTHER, "2001:db8:0:2::1"));
    crowd_fini(&c);
}

TEST(others_leave_room_for_this_machine_and_the_owner) {
    struct crowd c;
    crowd_init(&c, 4, 100);
    for (int i = 0; i < 3; i++)
        CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.2"));
    CHECK(enter(&c, CROWD_LOCAL, "127.0.0.1"));
    CHECK(!enter(&c, CROWD_LOCAL, "127.0.0.1"));
    for (int i = 0; i < 4; i++)
        CHECK(enter(&c, CROWD_OWNER, "::"));
    CHECK(!enter(&c, CROWD_OWNER, "::"));
    leave(&c, CROWD_LOCAL, "127.0.0.1");
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.1"));
    leave(&c, CROWD_OTHER, "10.0.0.1");
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.2"));
    crowd_fini(&c);
}

TESTS(RUN(one_address_gets_only_so_many), RUN(one_network_of_ipv6_is_one),
      RUN(others_leave_room_for_this_machine_and_the_owner))
