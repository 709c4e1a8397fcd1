#include "fixture.h"

#include <errno.h>

static struct frame_hello hello(void) {
    return (struct frame_hello){.version = FRAME_VERSION, .role = FRAME_ROLE_DAEMON, .limit = UINT64_MAX};
}

static int say_hello(struct peer *p, const struct frame_hello *h) {
    return ask(p, FRAME_HELLO, h, sizeof *h, SPAN_NONE);
}

static void refused(const struct frame_hello *h, const char *sentence) {
    struct peer *p = arrive();
    CHECK_INT(say_hello(p, h), 0);
    CHECK_INT(p->role, PEER_LEAVING);
    struct frame frame = expect(p, FRAME_REFUSED, NULL, 0, NULL);
    CHECK_SPAN(frame.payload, sentence);
    keeper_leave(&f.k, p, f.now);
}

static struct peer *daemon_here(void) {
    struct peer *p = welcome(FRAME_ROLE_DAEMON, 0, UINT64_MAX);
    expect_size(p, 0, 80);
    return p;
}

static void acknowledge(struct peer *p, uint64_t offset) {
    const struct frame_flow flow = {.acknowledged = offset, .limit = UINT64_MAX};
    CHECK_INT(ask(p, FRAME_FLOW, &flow, sizeof flow, SPAN_NONE), 0);
}

static int type_in(struct peer *p, struct span bytes, uint64_t answers) {
    const struct frame_input input = {.answers = answers};
    return ask(p, FRAME_INPUT, &input, sizeof input, bytes);
}

TEST(refuses_with_a_sentence) {
    begin();
    print(100);
    struct frame_hello h = hello();
    h.version = FRAME_VERSION + 1;
    refused(&h, "This keeper speaks version 1 of its protocol: please use an ostler that does as well.");
    h.version = 0;
    refused(&h, "This keeper speaks version 1 of its protocol: please use an ostler that does as well.");
    h = hello();
    h.role = 9;
    refused(&h, "This keeper knows daemons and guests only.");
    h = hello();
    h.epoch = EPOCH + 1;
    refused(&h, "This terminal has been started anew: its epoch is another one.");
    h = hello();
    h.offset = 101;
    refused(&h, "This terminal has not printed as much as that offset says.");
    CHECK(!f.k.hold.attached);
}

TEST(whichever_epoch_and_the_very_end_are_fine) {
    begin();
    print(100);
    struct frame_hello h = hello();
    h.offset = 100;
    struct peer *p = arrive();
    CHECK_INT(say_hello(p, &h), 0);
    CHECK_INT(p->role, PEER_DAEMON);
    CHECK_INT(p->cursor, 100);
}

TEST(who_does_not_begin_with_hello_is_closed) {
    begin();
    static const enum frame_type types[] = {FRAME_FLOW, FRAME_INPUT, FRAME_END, FRAME_WELCOME, 4711};
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct peer *p = arrive();
        CHECK_INT(ask(p, (int)types[i], &(struct frame_flow){0}, sizeof(struct frame_flow), SPAN_NONE),
                  -EBADMSG);
        keeper_leave(&f.k, p, f.now);
    }
    CHECK_INT(f.ends, 0);
}

TEST(a_second_hello_or_half_a_frame_is_nonsense) {
    begin();
    struct frame_hello h = hello();
    CHECK_INT(say_hello(daemon_here(), &h), -EBADMSG);
    struct peer *p = arrive();
    CHECK_INT(ask(p, FRAME_HELLO, &h, 8, SPAN_NONE), -EBADMSG);
    p = welcome(FRAME_ROLE_GUEST, 0, 0);
    static const int types[] = {FRAME_FLOW, FRAME_INPUT, FRAME_RESIZE, FRAME_SIGNAL};
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        CHECK_INT(ask(p, types[i], "1234", 4, SPAN_NONE), -EBADMSG);
        p->in_n = 0;
    }
}

TEST(what_a_newer_peer_says_is_skipped) {
    begin();
    struct peer *p = daemon_here();
    CHECK_INT(ask(p, 4711, "new", 3, SPAN_NONE), 0);
    struct {
        struct frame_size size;
        char more[20];
    } longer = {.size = {.cols = 90, .rows = 30}};
    CHECK_INT(ask(p, FRAME_RESIZE, &longer, sizeof longer, SPAN_NONE), 0);
    CHECK_INT(f.resized.cols, 90);
}

TEST(requests_arrive_in_any_pieces) {
    begin();
    struct peer *p = arrive();
    char bytes[512];
    struct frame_hello h = hello();
    size_t n = frame_encode(bytes, FRAME_HELLO, &h, sizeof h, 0);
    n += frame_encode(bytes + n, FRAME_INPUT, &(struct frame_input){0}, sizeof(struct frame_input), 3);
    memcpy(bytes + n, "abc", 3);
    n += 3;
    n += frame_encode(bytes + n, FRAME_SIGNAL, &(struct frame_signal){.number = 15},
                      sizeof(struct frame_signal), 0);
    for (size_t i = 0; i < n; i++) {
        p->memory->in[p->in_n++] = bytes[i];
        CHECK_INT(keeper_requests(&f.k, p, f.now), 0);
    }
    CHECK_INT(p->in_n, 0);
    CHECK_SPAN(input_next(f.k.input), "abc");
    CHECK_INT(f.signal, 15);
}

TEST(a_newer_daemon_takes_over) {
    begin();
    struct peer *old = daemon_here(), *fresh = daemon_here();
    CHECK_INT(old->role, PEER_LEAVING);
    CHECK_INT(fresh->role, PEER_DAEMON);
    struct frame frame = expect(old, FRAME_REFUSED, NULL, 0, NULL);
    CHECK_SPAN(frame.payload, "Another daemon has taken this terminal over.");
    keeper_leave(&f.k, old, f.now);
    CHECK(f.k.hold.attached);
    keeper_leave(&f.k, fresh, f.now);
    CHECK(!f.k.hold.attached);
}

TEST(one_that_is_in_the_middle_of_a_frame_is_just_closed) {
    begin();
    struct peer *old = daemon_here();
    print(100);
    CHECK(peer_next(old, &f.k));
    peer_sent(old, 20);
    daemon_here();
    CHECK_INT(old->role, PEER_LEAVING);
    struct iovec from[3];
    CHECK_INT(peer_pieces(old, &f.k, from), 1);
    CHECK_INT(from[0].iov_len,
              FRAME_HEAD_BYTES + sizeof(struct frame_output) + 100 - 20); /* no sentence inside of it */
}

TEST(only_the_daemon_acknowledges) {
    begin();
    struct peer *daemon = daemon_here(), *guest = welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    while (print(1 << 16)) {}
    CHECK_INT(f.k.ring.newest, FRAME_RING_BYTES);
    expect_size(guest, 0, 80);
    CHECK_INT(expect_output(guest, 0), FRAME_DATA_MAX);
    acknowledge(guest, FRAME_DATA_MAX);
    CHECK_INT(print(1), 0);
    acknowledge(daemon, 1000); /* it has not been sent anything yet */
    CHECK_INT(print(1), 0);
    expect(daemon, FRAME_GUESTS, NULL, 0, NULL);
    CHECK_INT(expect_output(daemon, 0), FRAME_DATA_MAX);
    acknowledge(daemon, 1000);
    CHECK_INT(print(5000), 1000);
}

TEST(guests_hold_nothing_up) {
    begin();
    f.now += 10 * USEC_PER_SEC;
    welcome(FRAME_ROLE_GUEST, 0, UINT64_MAX);
    for (size_t i = 0; i < 40; i++)
        CHECK_INT(print(1 << 16), 1 << 16);
}

TEST(there_is_an_end_to_guests) {
    begin();
    for (int i = 0; i < KEEPER_GUESTS_MAX; i++)
        welcome(FRAME_ROLE_GUEST, 0, 0);
    struct frame_hello h = hello();
    h.role = FRAME_ROLE_GUEST;
    refused(&h, "Too many are looking at this terminal past the daemon: please detach one.");
    welcome(FRAME_ROLE_DAEMON, 0, 0);
}

TEST(strangers_who_say_nothing_make_room) {
    begin();
    for (int i = 0; i < KEEPER_GUESTS_MAX; i++)
        welcome(FRAME_ROLE_GUEST, 0, 0);
    struct peer *first = arrive();
    for (int i = 1; i < KEEPER_STRANGERS_MAX; i++) {
        f.now += 10 * USEC_PER_MSEC;
        arrive();
    }
    usec_t patience = first->arrived + KEEPER_STRANGER_MS * USEC_PER_MSEC;
    CHECK_INT(keeper_place_at(&f.k), patience); /* all of them are given some time */
    f.now = patience;
    CHECK(keeper_place(&f.k) == first);
    welcome(FRAME_ROLE_DAEMON, 0, 0); /* there is always a place for it */
    CHECK(keeper_place_at(&f.k) <= f.now);
}

TEST(who_speaks_does_not_keep_others_waiting) {
    begin();
    for (int i = 0; i < KEEPER_GUESTS_MAX; i++) {
        welcome(FRAME_ROLE_GUEST, 0, 0);
        CHECK_INT(keeper_place_at(&f.k), 0);
    }
}

TEST(input_waits_for_room_and_then_goes_on) {
    begin();
    static char text[FRAME_DATA_MAX];
    memset(text, 'x', sizeof text);
    struct peer *p = daemon_here();
    size_t fits = INPUT_BYTES / sizeof text;
    for (size_t i = 0; i < fits; i++)
        CHECK_INT(type_in(p, span_of(text, sizeof text), 0), 0);
    CHECK(!p->full);
    CHECK_INT(type_in(p, SPAN("last"), 42), 0);
    CHECK(p->full);
    CHECK_INT(f.k.answered, 0);
    input_written(f.k.input, 10);
    CHECK_INT(keeper_requests(&f.k, p, f.now), 0);
    CHECK(!p->full);
    CHECK_INT(p->in_n, 0);
    CHECK_INT(f.k.answered, 42);
}

TEST(guests_cannot_fill_the_daemons_window) {
    begin();
    static char text[FRAME_DATA_MAX];
    struct peer *daemon = daemon_here(), *guest = welcome(FRAME_ROLE_GUEST, 0, 0);
    while (!guest->full)
        CHECK_INT(type_in(guest, span_of(text, sizeof text), 0), 0);
    for (size_t n = 0; n < FRAME_INPUT_WINDOW; n += sizeof text)
        CHECK_INT(type_in(daemon, span_of(text, sizeof text), 0), 0);
    CHECK(!daemon->full);
}

TEST(input_is_told_to_have_been_taken) {
    begin();
    static char text[FRAME_DATA_MAX];
    struct peer *p = daemon_here();
    type_in(p, SPAN("a key"), 0);
    input_written(f.k.input, 5);
    expect_nothing(p);
    type_in(p, span_of(text, sizeof text), 0);
    input_written(f.k.input, FRAME_INPUT_WINDOW / 4);
    struct frame_taken taken;
    expect(p, FRAME_TAKEN, &taken, sizeof taken, NULL);
    CHECK_INT(taken.bytes, 5 + FRAME_INPUT_WINDOW / 4);
    expect_nothing(p);
}

/* The program waits for output to be taken, and does not read: what stands behind the input must get through. */
TEST(input_gives_way_to_acknowledgements) {
    begin();
    static char text[FRAME_DATA_MAX];
    struct peer *p = daemon_here();
    for (size_t n = 0; n < INPUT_BYTES; n += sizeof text)
        CHECK_INT(type_in(p, span_of(text, sizeof text), 0), 0);
    while (print(1 << 16)) {}
    CHECK_INT(expect_output(p, 0), FRAME_DATA_MAX);
    CHECK_INT(type_in(p, SPAN("too much"), 0), 0);
    CHECK(!p->full);
    CHECK_INT(input_waiting(f.k.input), INPUT_BYTES);
    acknowledge(p, FRAME_DATA_MAX);
    CHECK_INT(print(1 << 16), FRAME_DATA_MAX);
}

/* The same when acknowledgements have not come for so long that the program went on without. */
TEST(input_gives_way_to_the_acknowledgement_that_ends_a_gap) {
    begin();
    static char text[FRAME_DATA_MAX];
    struct peer *p = daemon_here();
    for (size_t n = 0; n < INPUT_BYTES; n += sizeof text)
        CHECK_INT(type_in(p, span_of(text, sizeof text), 0), 0);
    while (print(1 << 16)) {}
    CHECK_INT(expect_output(p, 0), FRAME_DATA_MAX);
    f.now += FRAME_HOLD_MS * USEC_PER_MSEC;
    CHECK_INT(print(1 << 16), 1 << 16);
    CHECK_INT(type_in(p, SPAN("too much"), 0), 0);
    CHECK(!p->full);
    acknowledge(p, FRAME_DATA_MAX);
    CHECK_INT(print(1 << 16), 0);
    struct frame_gap gap;
    expect(p, FRAME_GAP, &gap, sizeof gap, NULL);
    CHECK_INT(gap.from, FRAME_DATA_MAX);
    CHECK_INT(gap.to, 1 << 16);
}

TEST(sizes_that_make_no_sense_are_ignored) {
    begin();
    struct peer *p = daemon_here();
    static const struct frame_size sizes[] = {{.cols = 0, .rows = 24},
                                              {.cols = 80, .rows = 0},
                                              {.cols = KEEPER_SIZE_MAX + 1, .rows = 24},
                                              {.cols = 80, .rows = UINT16_MAX}};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        CHECK_INT(ask(p, FRAME_RESIZE, &sizes[i], sizeof sizes[i], SPAN_NONE), 0);
    CHECK_INT(f.resizes, 0);
    const struct frame_size good = {.offset = 4711, .cols = 100, .rows = 30};
    CHECK_INT(ask(p, FRAME_RESIZE, &good, sizeof good, SPAN_NONE), 0);
    CHECK_INT(f.resizes, 1);
    CHECK_INT(f.drains, 1);
    expect_size(p, 0, 100);
}

TEST(signals_that_do_not_exist_are_ignored) {
    begin();
    struct peer *p = daemon_here();
    static const uint32_t numbers[] = {0, 65, UINT32_MAX};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        CHECK_INT(ask(p, FRAME_SIGNAL, &(struct frame_signal){.number = numbers[i]},
                      sizeof(struct frame_signal), SPAN_NONE),
                  0);
    CHECK_INT(f.signal, 0);
}

TEST(it_goes_when_the_daemon_knows_how_it_ended) {
    begin();
    struct peer *daemon = daemon_here(), *guest = welcome(FRAME_ROLE_GUEST, 0, 0);
    CHECK_INT(ask(daemon, FRAME_RELEASE, NULL, 0, SPAN_NONE), 0);
    CHECK(!f.k.released);
    exits(0);
    CHECK_INT(ask(guest, FRAME_RELEASE, NULL, 0, SPAN_NONE), 0);
    CHECK(!f.k.released);
    CHECK_INT(ask(daemon, FRAME_END, NULL, 0, SPAN_NONE), 0);
    CHECK_INT(f.ends, 0);
    CHECK_INT(type_in(daemon, SPAN("too late"), 0), 0);
    CHECK_INT(input_waiting(f.k.input), 0);
    CHECK_INT(ask(daemon, FRAME_RELEASE, NULL, 0, SPAN_NONE), 0);
    CHECK(f.k.released);
}

TESTS(RUN(refuses_with_a_sentence), RUN(whichever_epoch_and_the_very_end_are_fine),
      RUN(who_does_not_begin_with_hello_is_closed), RUN(a_second_hello_or_half_a_frame_is_nonsense),
      RUN(what_a_newer_peer_says_is_skipped), RUN(requests_arrive_in_any_pieces),
      RUN(a_newer_daemon_takes_over), RUN(one_that_is_in_the_middle_of_a_frame_is_just_closed),
      RUN(only_the_daemon_acknowledges), RUN(guests_hold_nothing_up), RUN(there_is_an_end_to_guests),
      RUN(strangers_who_say_nothing_make_room), RUN(who_speaks_does_not_keep_others_waiting),
      RUN(input_waits_for_room_and_then_goes_on), RUN(guests_cannot_fill_the_daemons_window),
      RUN(input_is_told_to_have_been_taken), RUN(input_gives_way_to_acknowledgements),
      RUN(input_gives_way_to_the_acknowledgement_that_ends_a_gap), RUN(sizes_that_make_no_sense_are_ignored),
      RUN(signals_that_do_not_exist_are_ignored), RUN(it_goes_when_the_daemon_knows_how_it_ended))
