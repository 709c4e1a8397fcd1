#include "keeper/hold.h"
#include "term/frame.h"
#include "test.h"

enum { SIZE = 1024 };

static const usec_t start = 100 * USEC_PER_SEC, hold_us = FRAME_HOLD_MS * USEC_PER_MSEC;

struct fixture {
    char bytes[SIZE];
    struct ring ring;
    struct hold hold;
};

static struct fixture *begin(struct fixture *f) {
    ring_init(&f->ring, f->bytes, SIZE);
    hold_init(&f->hold, start);
    return f;
}

static size_t room(const struct fixture *f, usec_t now) {
    return hold_room(&f->hold, &f->ring, now);
}

TEST(the_first_daemon_is_waited_for) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    CHECK_INT(room(&f, start), 0);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, start), start + hold_us);
    CHECK_INT(room(&f, start + hold_us - 1), 0);
    CHECK_INT(room(&f, start + hold_us), SIZE);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, start + hold_us), USEC_NEVER);
}

/* Acknowledges all that was printed, an hour ago. */
static usec_t acknowledged_long_ago(struct fixture *f) {
    ring_grow(&begin(f)->ring, 1000);
    hold_attach(&f->hold, start);
    hold_acknowledge(&f->hold, 1000, 1000, start);
    return start + 3600 * USEC_PER_SEC;
}

static void print(struct fixture *f, size_t n, usec_t now) {
    hold_printed(&f->hold, &f->ring, now);
    ring_grow(&f->ring, n);
}

TEST(a_daemon_that_acknowledges_slowly_is_held_for_as_long_as_it_takes) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    hold_attach(&f.hold, start);
    usec_t now = start;
    for (unsigned i = 1; i <= 100; i++) {
        now += hold_us - 1;
        CHECK_INT(room(&f, now), 0);
        hold_acknowledge(&f.hold, i * 10, f.ring.newest, now);
        CHECK_INT(room(&f, now), 10);
        print(&f, 10, now);
    }
    CHECK_INT(f.ring.oldest, 1000);
}

TEST(a_daemon_that_hangs_is_not) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    hold_attach(&f.hold, start);
    CHECK_INT(room(&f, start + hold_us - 1), 0);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, start + 1), start + hold_us);
    CHECK_INT(room(&f, start + hold_us), SIZE);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, start + hold_us), USEC_NEVER);
    CHECK(hold_is_full(&f.hold, &f.ring));
    usec_t later = start + 3 * hold_us;
    print(&f, 500, later);
    CHECK_INT(room(&f, later), SIZE);            /* it stays so */
    hold_acknowledge(&f.hold, 100, SIZE, later); /* it has come to life, and is held for again */
    CHECK_INT(room(&f, later), 0);
    CHECK_INT(room(&f, later + hold_us - 1), 0);
    CHECK_INT(room(&f, later + hold_us), SIZE);
}

TEST(what_it_said_before_is_no_acknowledgement) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    hold_attach(&f.hold, start);
    hold_acknowledge(&f.hold, 100, SIZE, start);
    print(&f, 100, start);
    for (usec_t now = start; now < start + hold_us; now += USEC_PER_SEC)
        hold_acknowledge(&f.hold, 100, SIZE, now);
    CHECK_INT(room(&f, start + hold_us), SIZE);
}

TEST(who_has_acknowledged_everything_does_not_hang) {
    struct fixture f;
    usec_t later = acknowledged_long_ago(&f);
    CHECK(!hold_is_full(&f.hold, &f.ring));
    print(&f, SIZE, later);
    CHECK_INT(room(&f, later + hold_us - 1), 0);
    CHECK_INT(room(&f, later + hold_us), SIZE);
}

TEST(who_has_acknowledged_everything_is_waited_for_when_it_goes) {
    struct fixture f;
    usec_t later = acknowledged_long_ago(&f);
    hold_detach(&f.hold, &f.ring, later);
    print(&f, SIZE, later + 1);
    CHECK_INT(room(&f, later + hold_us - 1), 0);
    CHECK_INT(room(&f, later + hold_us), SIZE);
}

TEST(one_that_went_is_waited_for) {
    struct fixture f;
    usec_t gone = acknowledged_long_ago(&f);
    print(&f, SIZE, gone);
    hold_detach(&f.hold, &f.ring, gone + 1);
    CHECK_INT(room(&f, gone + hold_us), 0);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, gone + 1), gone + 1 + hold_us);
    CHECK_INT(room(&f, gone + 1 + hold_us), SIZE);
    hold_attach(&f.hold, gone + 2 * hold_us);
    CHECK_INT(room(&f, gone + 2 * hold_us), 0);
    CHECK_INT(room(&f, gone + 3 * hold_us), SIZE);
}

TEST(one_that_hung_before_it_went_is_not_waited_for_again) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    hold_attach(&f.hold, start);
    hold_detach(&f.hold, &f.ring, start + hold_us);
    CHECK_INT(room(&f, start + hold_us), SIZE);
}

TEST(the_wait_is_not_prolonged_by_who_was_never_there) {
    struct fixture f;
    begin(&f);
    hold_detach(&f.hold, &f.ring, start + 4 * USEC_PER_SEC);
    CHECK_INT(f.hold.until, start + hold_us);
    print(&f, SIZE, start + 4 * USEC_PER_SEC);
    CHECK_INT(f.hold.until, start + hold_us);
}

TEST(nobody_is_woken_while_there_is_room) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE - 1);
    CHECK_INT(room(&f, start), 1);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, start), USEC_NEVER);
}

TEST(what_was_not_sent_cannot_be_acknowledged) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, 500);
    hold_attach(&f.hold, start);
    hold_acknowledge(&f.hold, UINT64_MAX, 300, start);
    CHECK_INT(f.hold.acknowledged, 300);
    hold_acknowledge(&f.hold, 100, 300, start); /* never back */
    CHECK_INT(f.hold.acknowledged, 300);
}

TEST(what_is_overwritten_already_is_not_held) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    usec_t late = start + hold_us;
    print(&f, 500, late);
    hold_attach(&f.hold, late); /* comes back: the oldest 500 bytes are lost, the rest is kept for it */
    CHECK_INT(room(&f, late), 0);
    hold_acknowledge(&f.hold, 600, 700, late);
    CHECK_INT(room(&f, late), 100);
}

TESTS(RUN(the_first_daemon_is_waited_for),
      RUN(a_daemon_that_acknowledges_slowly_is_held_for_as_long_as_it_takes), RUN(a_daemon_that_hangs_is_not),
      RUN(what_it_said_before_is_no_acknowledgement), RUN(who_has_acknowledged_everything_does_not_hang),
      RUN(who_has_acknowledged_everything_is_waited_for_when_it_goes), RUN(one_that_went_is_waited_for),
      RUN(one_that_hung_before_it_went_is_not_waited_for_again),
      RUN(the_wait_is_not_prolonged_by_who_was_never_there), RUN(nobody_is_woken_while_there_is_room),
      RUN(what_was_not_sent_cannot_be_acknowledged), RUN(what_is_overwritten_already_is_not_held))
