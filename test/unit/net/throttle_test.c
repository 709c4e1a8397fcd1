#include "net/throttle.h"

#include "test.h"

static const usec_t start = 1000 * USEC_PER_SEC;

static struct peer_block number(unsigned i) {
    char text[32];
    (void)snprintf(text, sizeof text, "10.%u.%u.%u", i >> 16 & 255, i >> 8 & 255, i & 255);
    return peer_block(span_str(text));
}

static usec_t after(usec_t seconds) {
    return start + seconds * USEC_PER_SEC;
}

TEST(a_few_tries_then_waiting_that_grows) {
    static const unsigned waits[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900};
    struct throttle t;
    throttle_init(&t, start);
    struct peer_block who = number(1), other = number(2);
    usec_t now = start;
    for (int i = 0; i < THROTTLE_FREE + 1; i++)
        CHECK_INT(throttle_try(&t, &who, now), 0);
    for (size_t i = 0; i < ARRAY_LEN(waits); i++) {
        CHECK_INT(throttle_try(&t, &who, now), waits[i]);
        CHECK_INT(throttle_try(&t, &who, now + 1), waits[i]);
        CHECK_INT(throttle_try(&t, &who, now + (waits[i] - 1) * USEC_PER_SEC), 1);
        CHECK_INT(throttle_try(&t, &who, now + waits[i] * USEC_PER_SEC - 1), 1);
        CHECK_INT(throttle_try(&t, &other, now), 0);
        throttle_pardon(&t, &other);
        now += waits[i] * USEC_PER_SEC;
        CHECK_INT(throttle_try(&t, &who, now), 0);
    }
    throttle_fini(&t);
}

TEST(the_right_password_and_a_quiet_hour_begin_anew) {
    struct throttle t;
    throttle_init(&t, start);
    struct peer_block who = number(1);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < THROTTLE_FREE; i++)
            CHECK_INT(throttle_try(&t, &who, start), 0);
        throttle_pardon(&t, &who);
    }
    for (int i = 0; i < THROTTLE_FREE + 1; i++)
        CHECK_INT(throttle_try(&t, &who, start), 0);
    CHECK_INT(throttle_try(&t, &who, start), 2);
    for (int i = 0; i < THROTTLE_FREE + 1; i++)
        CHECK_INT(throttle_try(&t, &who, after(THROTTLE_FORGET_S)), 0);
    CHECK_INT(throttle_try(&t, &who, after(THROTTLE_FORGET_S)), 2);
    throttle_fini(&t);
}

TEST(many_addresses_are_no_way_around) {
    struct throttle t;
    throttle_init(&t, start);
    unsigned let_in = 0;
    for (unsigned i = 0; i < 50000; i++) {
        struct peer_block who = number(i);
        let_in += throttle_try(&t, &who, start) == 0;
    }
    CHECK_INT(let_in, THROTTLE_SHARED);
    CHECK_INT(t.addresses.count, THROTTLE_SHARED); /* nothing is kept of the refused */
    struct peer_block late = number(60000), here = peer_block(SPAN("::1"));
    CHECK_INT(throttle_try(&t, &late, start), THROTTLE_REFILL_S);
    CHECK_INT(throttle_try(&t, &here, start), 0); /* who sits here is not locked out */
    CHECK_INT(throttle_try(&t, &late, after(THROTTLE_REFILL_S)), 0);
    CHECK_INT(throttle_try(&t, &late, after(THROTTLE_REFILL_S)), THROTTLE_REFILL_S);
    CHECK_INT(throttle_try(&t, &late, after(2 * THROTTLE_REFILL_S)), 0);
    throttle_fini(&t);
}

TEST(this_machine_waits_like_any_other) {
    struct throttle t;
    throttle_init(&t, start);
    struct peer_block here = peer_block(SPAN("127.0.0.1"));
    unsigned let_in = 0;
    for (int i = 0; i < 10000; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "127.0.%d.%d", i / 256, i % 256);
        here = peer_block(span_str(text));
        let_in += throttle_try(&t, &here, start) == 0;
    }
    CHECK_INT(let_in, THROTTLE_FREE + 1);
    CHECK_INT(t.addresses.count, 1);
    throttle_fini(&t);
}

TEST(memory_is_bounded_and_the_quietest_go) {
    struct throttle t;
    throttle_init(&t, start);
    /* As slowly as needed to be let in, but within the hour of all of them: only the cap can bound it. */
    t.far.left = UINT32_MAX;
    for (unsigned i = 0; i < 2 * THROTTLE_ADDRESSES; i++) {
        struct peer_block who = number(i);
        CHECK_INT(throttle_try(&t, &who, start), 0);
        t.far.left = UINT32_MAX;
        CHECK(t.addresses.count <= THROTTLE_ADDRESSES);
    }
    CHECK_INT(t.addresses.count, THROTTLE_ADDRESSES);
    struct peer_block late = number(70000);
    CHECK_INT(throttle_try(&t, &late, after(THROTTLE_FORGET_S)), 0);
    CHECK_INT(t.addresses.count, 1);
    throttle_fini(&t);
}

/* Who has one user id may have 65,536 more: they share. The owner is never among them, and nobody far away is. */
TEST(other_users_lock_out_nobody_else) {
    struct throttle t;
    throttle_init(&t, start);
    unsigned let_in = 0;
    for (uid_t user = 1000; user < 60000; user++) {
        struct peer_block who = peer_block_user(user, false);
        for (int i = 0; i < 3; i++)
            let_in += throttle_try(&t, &who, start) == 0;
    }
    CHECK_INT(let_in, THROTTLE_SHARED);
    struct peer_block owner = peer_block_user(0, true), far = number(1), unknown = peer_block(SPAN("::1"));
    for (int i = 0; i < THROTTLE_FREE + 1; i++)
        CHECK_INT(throttle_try(&t, &owner, start), 0);
    CHECK_INT(throttle_try(&t, &far, start), 0);
    CHECK(throttle_try(&t, &unknown, start) > 0);
    throttle_fini(&t);
}

TEST(a_user_waits_for_his_own_tries_only) {
    struct throttle t;
    throttle_init(&t, start);
    struct peer_block one = peer_block_user(1000, false), two = peer_block_user(1001, false);
    for (int i = 0; i < THROTTLE_FREE + 1; i++)
        CHECK_INT(throttle_try(&t, &one, start), 0);
    CHECK_INT(throttle_try(&t, &one, start), THROTTLE_FIRST_S);
    CHECK_INT(throttle_try(&t, &two, start), 0);
    throttle_fini(&t);
}

TESTS(RUN(other_users_lock_out_nobody_else), RUN(a_user_waits_for_his_own_tries_only),
      RUN(a_few_tries_then_waiting_that_grows), RUN(the_right_password_and_a_quiet_hour_begin_anew),
      RUN(many_addresses_are_no_way_around), RUN(this_machine_waits_like_any_other),
      RUN(memory_is_bounded_and_the_quietest_go))
