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

TEST(an_attached_daemon_holds_for_as_long_as_it_takes) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, 1000);
    hold_attach(&f.hold);
    usec_t later = start + 3600 * USEC_PER_SEC;
    CHECK_INT(room(&f, later), 24);
    ring_grow(&f.ring, 24);
    CHECK_INT(room(&f, later), 0);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, later), USEC_NEVER);
    hold_acknowledge(&f.hold, 600, SIZE);
    CHECK_INT(room(&f, later), 600);
}

TEST(one_that_went_is_waited_for) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    hold_attach(&f.hold);
    usec_t gone = start + 60 * USEC_PER_SEC;
    hold_detach(&f.hold, gone);
    CHECK_INT(room(&f, gone + hold_us - 1), 0);
    CHECK_INT(hold_deadline(&f.hold, &f.ring, gone), gone + hold_us);
    CHECK_INT(room(&f, gone + hold_us), SIZE);
    hold_attach(&f.hold);
    CHECK_INT(room(&f, gone + hold_us), 0);
}

TEST(the_wait_is_not_prolonged_by_who_was_never_there) {
    struct fixture f;
    begin(&f);
    hold_detach(&f.hold, start + 4 * USEC_PER_SEC);
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
    hold_attach(&f.hold);
    hold_acknowledge(&f.hold, UINT64_MAX, 300);
    CHECK_INT(f.hold.acknowledged, 300);
    hold_acknowledge(&f.hold, 100, 300); /* never back */
    CHECK_INT(f.hold.acknowledged, 300);
}

TEST(what_is_overwritten_already_is_not_held) {
    struct fixture f;
    ring_grow(&begin(&f)->ring, SIZE);
    usec_t late = start + hold_us;
    ring_grow(&f.ring, 500);
    hold_attach(&f.hold); /* comes back: the oldest 500 bytes are lost, the rest is kept for it */
    CHECK_INT(room(&f, late), 0);
    hold_acknowledge(&f.hold, 600, 700);
    CHECK_INT(room(&f, late), 100);
}

TESTS(RUN(the_first_daemon_is_waited_for), RUN(an_attached_daemon_holds_for_as_long_as_it_takes),
      RUN(one_that_went_is_waited_for), RUN(the_wait_is_not_prolonged_by_who_was_never_there),
      RUN(nobody_is_woken_while_there_is_room), RUN(what_was_not_sent_cannot_be_acknowledged),
      RUN(what_is_overwritten_already_is_not_held))
