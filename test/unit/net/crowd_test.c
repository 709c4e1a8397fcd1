#include "net/crowd.h"
#include "test.h"

static struct crowd_guest guest(enum crowd_kind kind, const char *from) {
    struct crowd_guest g = {.kind = kind};
    CHECK(addr_parse(span_str(from), &g.from));
    return g;
}

static bool enter(struct crowd *c, enum crowd_kind kind, const char *from) {
    struct crowd_guest g = guest(kind, from);
    return crowd_enter(c, &g);
}

static void leave(struct crowd *c, enum crowd_kind kind, const char *from) {
    struct crowd_guest g = guest(kind, from);
    crowd_leave(c, &g);
}

TEST(one_address_gets_only_so_many) {
    struct crowd c;
    crowd_init(&c, 100, 2, 100);
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.2"));
    leave(&c, CROWD_OTHER, "10.0.0.1");
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.1"));
    for (int i = 0; i < 50; i++)
        CHECK(enter(&c, CROWD_LOCAL, "127.0.0.1"));
    CHECK_INT(c.guests.count, 2);
    leave(&c, CROWD_OTHER, "10.0.0.2");
    CHECK_INT(c.guests.count, 1);
    crowd_fini(&c);
}

TEST(one_network_of_ipv6_is_one) {
    struct crowd c;
    crowd_init(&c, 100, 1, 100);
    CHECK(enter(&c, CROWD_OTHER, "2001:db8:0:1::1"));
    CHECK(!enter(&c, CROWD_OTHER, "2001:db8:0:1:ffff::2"));
    CHECK(enter(&c, CROWD_OTHER, "2001:db8:0:2::1"));
    crowd_fini(&c);
}

TEST(others_leave_room_for_this_machine_and_the_owner) {
    struct crowd c;
    crowd_init(&c, 4, 100, 100);
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

TEST(one_user_gets_only_so_many_and_all_users_together) {
    struct crowd c;
    crowd_init(&c, 100, 5, 2);
    uid_t users[] = {1000, 1001, 1002};
    struct crowd_guest g[3];
    for (size_t i = 0; i < 3; i++) {
        g[i] = guest(CROWD_OTHER, "127.0.0.1");
        g[i].user = &users[i];
    }
    for (size_t i = 0; i < 2; i++) {
        CHECK(crowd_enter(&c, &g[i]));
        CHECK(crowd_enter(&c, &g[i]));
        CHECK(!crowd_enter(&c, &g[i]));
    }
    CHECK(crowd_enter(&c, &g[2]));
    CHECK(!crowd_enter(&c, &g[2])); /* the address has five */
    crowd_leave(&c, &g[0]);
    CHECK(crowd_enter(&c, &g[2]));
    CHECK(!crowd_enter(&c, &g[0]));
    crowd_leave(&c, &g[0]);
    crowd_leave(&c, &g[1]);
    crowd_leave(&c, &g[1]);
    crowd_leave(&c, &g[2]);
    crowd_leave(&c, &g[2]);
    CHECK_INT(c.guests.count, 0);
    crowd_fini(&c);
}

/* Behind it may be anybody: many by one address, but not on the places that are for this user. */
TEST(a_proxy_brings_many_and_leaves_room) {
    struct crowd c;
    crowd_init(&c, 8, 1, 1);
    for (int i = 0; i < 5; i++)
        CHECK(enter(&c, CROWD_PROXY, "127.0.0.1"));
    CHECK(enter(&c, CROWD_OTHER, "10.0.0.1"));
    CHECK(!enter(&c, CROWD_PROXY, "127.0.0.1"));
    CHECK(!enter(&c, CROWD_OTHER, "10.0.0.2"));
    CHECK(enter(&c, CROWD_LOCAL, "127.0.0.1"));
    CHECK(enter(&c, CROWD_LOCAL, "127.0.0.1"));
    CHECK(!enter(&c, CROWD_LOCAL, "127.0.0.1"));
    leave(&c, CROWD_PROXY, "127.0.0.1");
    CHECK(enter(&c, CROWD_LOCAL, "127.0.0.1"));
    crowd_fini(&c);
}

TESTS(RUN(a_proxy_brings_many_and_leaves_room), RUN(one_user_gets_only_so_many_and_all_users_together),
      RUN(one_address_gets_only_so_many), RUN(one_network_of_ipv6_is_one),
      RUN(others_leave_room_for_this_machine_and_the_owner))
