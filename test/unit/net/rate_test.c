#include "net/rate.h"

#include "test.h"

static const usec_t start = 1000 * USEC_PER_SEC;

TEST(so_many_within_a_second_and_no_more) {
    struct rate r;
    rate_init(&r, 3);
    CHECK(rate_allow(&r, SPAN("a"), start));
    CHECK(rate_allow(&r, SPAN("a"), start + 400 * USEC_PER_MSEC));
    CHECK(rate_allow(&r, SPAN("a"), start + 800 * USEC_PER_MSEC));
    CHECK(!rate_allow(&r, SPAN("a"), start + 999 * USEC_PER_MSEC));
    CHECK(rate_allow(&r, SPAN("b"), start + 999 * USEC_PER_MSEC));
    rate_fini(&r);
}

TEST(the_window_slides) {
    struct rate r;
    rate_init(&r, 2);
    CHECK(rate_allow(&r, SPAN("a"), start));
    CHECK(rate_allow(&r, SPAN("a"), start + 900 * USEC_PER_MSEC));
    /* A window that began anew at 1 s would let two through here. */
    CHECK(rate_allow(&r, SPAN("a"), start + 1000 * USEC_PER_MSEC));
    CHECK(!rate_allow(&r, SPAN("a"), start + 1100 * USEC_PER_MSEC));
    CHECK(rate_allow(&r, SPAN("a"), start + 1900 * USEC_PER_MSEC));
    rate_fini(&r);
}

TEST(the_quiet_are_forgotten) {
    struct rate r;
    rate_init(&r, 1);
    char name[16];
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        CHECK(rate_allow(&r, span_str(name), start));
    }
    CHECK_INT(r.peers.count, 1000);
    CHECK(rate_allow(&r, SPAN("late"), start + 31 * USEC_PER_SEC));
    CHECK_INT(r.peers.count, 1);
    rate_fini(&r);
}

TESTS(RUN(so_many_within_a_second_and_no_more), RUN(the_window_slides), RUN(the_quiet_are_forgotten))
