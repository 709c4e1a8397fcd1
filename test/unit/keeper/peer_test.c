#include "fixture.h"

TEST(is_told_where_things_stand) {
    begin();
    CHECK_INT(print(1000), 1000);
    struct peer *p = greet(FRAME_ROLE_DAEMON, 400, UINT64_MAX);
    struct frame_welcome w;
    expect(p, FRAME_WELCOME, &w, sizeof w, NULL);
    CHECK_INT(w.version, FRAME_VERSION);
    CHECK_INT(w.keeper_pid, 10);
    CHECK_INT(w.child_pid, 11);
    CHECK_INT(w.child_start, 12);
    CHECK_INT(w.epoch, EPOCH);
    CHECK_INT(w.oldest, 0);
    CHECK_INT(w.newest, 1000);
    CHECK_INT(w.exited, 0);
    CHECK_INT(w.cols, 80);
    CHECK_INT(w.rows, 24);
    CHECK_INT(w.output_ms, 1234);
    expect_size(p, 400, 80);
    CHECK_INT(expect_output(p, 400), 600);
    expect_nothing(p);
}

TEST(gets_what_comes_and_no_more_than_its_limit) {
    begin();
    struct peer *p = welcome(FRAME_ROLE_GUEST, 0, 50);
    expect_size(p, 0, 80);
    expect_nothing(p);
    print(30);
    CHECK_INT(expect_output(p, 0), 30);
    print(100);
    CHECK_INT(expect_output(p, 30), 20);
    expect_nothing(p);
    const struct frame_flow flow = {.limit = 90};
    CHECK_INT(ask(p, FRAME_FLOW, &flow, sizeof flow, SPAN_NONE), 0);
    CHECK_INT(expect_output(p, 50), 40);
    expect_nothing(p);
}

TEST(only_what_is_new_when_it_says_so) {
    begin();
    print(500);
    struct peer *p = welcome(FRAME_ROLE_GUEST, UINT64_MAX, UINT64_MAX);
    expect_size(p, 500, 80);
    expect_nothing(p);
    print(1);
    CHECK_INT(expect_output(p, 500), 1);
}

static void resize(struct peer *p, unsigned cols) {
    const struct frame_size size = {.cols = (uint16_t)cols, .rows = 24};
    CHECK_INT(ask(p, FRAME_RESIZE, &size, sizeof size, SPAN_NONE), 0);
}

TEST(sizes_come_in_their_place) {
    begin();
    struct peer *p = welcome(FRAME_ROLE_DAEMON, 0, UINT64_MAX);
    print(10);
    resize(p, 100);
    resize(p, 90);
    print(10);
    resize(p, 70);
    expect_size(p, 0, 80);
    CHECK_INT(expect_output(p, 0), 10);
    expect_size(p, 10, 100);
    expect_size(p, 10, 90);
    CHECK_INT(expect_output(p, 10), 10);
    expect_size(p, 20, 70);
    expect_nothing(p);

    /* Again from the middle: the size that holds there, then the others in their places. */
    struct peer *again = welcome(FRAME_ROLE_GUEST, 10, UINT64_MAX);
    expect_size(again, 10, 90);
    CHECK_INT(expect_output(again, 10), 10);
    expect_size(again, 20, 70);
    expect_nothing(again);
}

TEST(a_limit_holds_output_back_but_not_what_comes_before_it) {
    begin();
    struct peer *p = welcome(FRAME_ROLE_DAEMON, 0, 10);
    expect_size(p, 0, 80);
    print(10);
    resize(p, 100);
    print(10);
    CHECK_INT(expect_output(p, 0), 10);
    expect_size(p, 10, 100);
    expect_nothing(p);
}

TEST(the_exit_comes_last) {
    begin();
    struct peer *p = welcome(FRAME_ROLE_DAEMON, 0, 5);
    expect_size(p, 0, 80);
    print(10);
    exits(3);
    CHECK_INT(expect_output(p, 0), 5);
    expect_nothing(p);
    const struct frame_flow flow = {.limit = UINT64_MAX};
    CHECK_INT(ask(p, FRAME_FLOW, &flow, sizeof flow, SPAN_NONE), 0);
    CHECK_INT(expect_output(p, 5), 5);
    struct frame_exit exit;
    expect(p, FRAME_EXITED, &exit, sizeof exit, NULL);
    CHECK_INT(exit.code, 3);
    CHECK_INT(exit.offset, 10);
    CHECK_INT(exit.at_ms, 99);
    expect_nothing(p);

    struct peer *late = greet(FRAME_ROLE_GUEST, 10, UINT64_MAX);
    struct frame_welcome w;
    expect(late, FRAME_WELCOME, &w, sizeof w, NULL);
    CHECK_INT(w.exited, 1);
    expect_size(late, 10, 80);
    expect(late, FRAME_EXITED, NULL, 0, NULL);
}

TEST(what_was_overwritten_is_a_gap) {
    begin();
    f.now += 10 * USEC_PER_SEC;
    struct peer *slow = welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    expect_size(slow, 0, 80);
    while (f.k.ring.newest < FRAME_RING_BYTES + 1000)
        print(1000);
    struct frame_gap gap;
    expect(slow, FRAME_GAP, &gap, sizeof gap, NULL);
    CHECK_INT(gap.from, 0);
    CHECK_INT(gap.to, f.k.ring.oldest);
    CHECK_INT(expect_output(slow, gap.to), FRAME_DATA_MAX);

    struct peer *late = welcome(FRAME_ROLE_GUEST, 100, UINT64_MAX);
    expect(late, FRAME_GAP, &gap, sizeof gap, NULL);
    CHECK_INT(gap.from, 100);
    expect_size(late, gap.to, 80);
    CHECK_INT(expect_output(late, gap.to), FRAME_DATA_MAX);
}

TEST(behind_a_gap_only_the_size_that_holds_there_is_told) {
    begin();
    f.now += 10 * USEC_PER_SEC;
    struct peer *p = welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    expect_size(p, 0, 80);
    for (unsigned i = 1; i <= 3; i++) {
        print(100);
        resize(p, 80 + i);
    }
    while (f.k.ring.newest < FRAME_RING_BYTES + 1000)
        print(1000);
    struct frame_gap gap;
    expect(p, FRAME_GAP, &gap, sizeof gap, NULL);
    expect_size(p, gap.to, 83);
    CHECK_INT(expect_output(p, gap.to), FRAME_DATA_MAX);
}

/* Its frame was promised with its length: it must end with the bytes that it began with. */
TEST(a_frame_on_its_way_survives_that_its_bytes_are_overwritten) {
    for (size_t sent = 0; sent < 60; sent += 7) {
        begin();
        f.now += 10 * USEC_PER_SEC;
        struct peer *p = welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
        expect_size(p, 0, 80);
        print(40);
        CHECK(peer_next(p, &f.k));
        char got[128];
        struct iovec from[3];
        size_t n = 0;
        while (n < sent && peer_busy(p)) {
            CHECK(peer_pieces(p, &f.k, from) >= 1);
            got[n++] = *(char *)from[0].iov_base;
            peer_sent(p, 1);
        }
        while (f.k.ring.oldest < 100)
            print(100000);
        while (peer_busy(p)) {
            CHECK(peer_pieces(p, &f.k, from) >= 1);
            got[n++] = *(char *)from[0].iov_base;
            peer_sent(p, 1);
        }
        struct span rest = span_of(got, n);
        struct frame frame;
        struct frame_output output;
        struct span bytes;
        CHECK_INT(frame_next(&rest, &frame), 1);
        CHECK_INT(frame_read(&frame, &output, sizeof output, &bytes), 0);
        CHECK_INT(bytes.n, 40);
        for (size_t i = 0; i < bytes.n; i++)
            CHECK_INT(bytes.p[i], printed(i));
        struct frame_gap gap;
        expect(p, FRAME_GAP, &gap, sizeof gap, NULL);
        CHECK_INT(gap.from, 40);
    }
}

TEST(frames_reach_over_the_end_of_the_ring) {
    begin();
    struct peer *p = welcome(FRAME_ROLE_DAEMON, 0, UINT64_MAX);
    expect_size(p, 0, 80);
    uint64_t at = 0;
    while (at < 3 * FRAME_RING_BYTES) {
        print(9973);
        at += expect_output(p, at);
        const struct frame_flow flow = {.acknowledged = at, .limit = UINT64_MAX};
        CHECK_INT(ask(p, FRAME_FLOW, &flow, sizeof flow, SPAN_NONE), 0);
    }
    CHECK_INT(at, f.k.ring.newest);
}

TEST(the_daemon_is_told_of_guests) {
    begin();
    struct peer *daemon = welcome(FRAME_ROLE_DAEMON, 0, UINT64_MAX);
    expect_size(daemon, 0, 80);
    struct frame_guests guests;
    struct peer *a = welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    expect(daemon, FRAME_GUESTS, &guests, sizeof guests, NULL);
    CHECK_INT(guests.count, 2);
    expect_nothing(daemon);
    keeper_leave(&f.k, a, f.now);
    expect(daemon, FRAME_GUESTS, &guests, sizeof guests, NULL);
    CHECK_INT(guests.count, 1);
}

TEST(a_sentence_is_the_last_it_gets) {
    begin();
    print(10);
    struct peer *p = welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    peer_refuse(p, "No.");
    struct frame frame = expect(p, FRAME_REFUSED, NULL, 0, NULL);
    CHECK_SPAN(frame.payload, "No.");
    expect_nothing(p);
}

TESTS(RUN(is_told_where_things_stand), RUN(gets_what_comes_and_no_more_than_its_limit),
      RUN(only_what_is_new_when_it_says_so), RUN(sizes_come_in_their_place),
      RUN(a_limit_holds_output_back_but_not_what_comes_before_it), RUN(the_exit_comes_last),
      RUN(what_was_overwritten_is_a_gap), RUN(behind_a_gap_only_the_size_that_holds_there_is_told),
      RUN(a_frame_on_its_way_survives_that_its_bytes_are_overwritten),
      RUN(frames_reach_over_the_end_of_the_ring), RUN(the_daemon_is_told_of_guests),
      RUN(a_sentence_is_the_last_it_gets))
