#include "loop/pulse.h"
#include "test.h"

static const usec_t start = 500 * USEC_PER_SEC;
static const int64_t wall = 1700000000000;

static struct pulse pulse;
static uint64_t turns;
static usec_t now;

static void begin(void) {
    now = start;
    turns = 10;
    pulse_begin(&pulse, now);
    now += PULSE_LOOK_US;
    CHECK_INT(pulse_look(&pulse, turns, now, wall), PULSE_TURNS);
}

static enum pulse_news after(usec_t passed) {
    now += passed;
    return pulse_look(&pulse, turns, now, wall + usec_to_msec(now - start));
}

TEST(a_loop_that_turns_is_well) {
    begin();
    for (int i = 0; i < 100; i++) {
        turns += (uint64_t)i % 3 + 1;
        CHECK_INT(after(PULSE_LOOK_US), PULSE_TURNS);
    }
    CHECK_INT(pulse.stats.stalls, 0);
    CHECK_INT(pulse.stats.last_ms, 0);
}

TEST(one_that_does_not_stalls_and_that_is_said_once) {
    begin();
    CHECK_INT(after(PULSE_LOOK_US), PULSE_STUCK);
    CHECK_INT(after(PULSE_LOOK_US), PULSE_STALLED);
    CHECK_INT(pulse.stats.last_ms, wall + 6000);
    for (int i = 0; i < 4; i++)
        CHECK_INT(after(PULSE_LOOK_US), PULSE_STUCK);
    CHECK_INT(pulse.stats.worst_ms, 12000);
    turns++;
    CHECK_INT(after(PULSE_LOOK_US), PULSE_GOES_ON);
    CHECK_INT(pulse.last_stall, 12 * USEC_PER_SEC);
    turns++;
    CHECK_INT(after(PULSE_LOOK_US), PULSE_TURNS);
    CHECK_INT(pulse.stats.stalls, 1);

    /* A shorter one is one more, and not the worst. */
    for (int i = 0; i < 3; i++)
        (void)after(PULSE_LOOK_US);
    CHECK_INT(pulse.stats.stalls, 2);
    CHECK_INT(pulse.stats.worst_ms, 12000);
}

TEST(a_short_pause_is_no_stall) {
    begin();
    for (int i = 0; i < 50; i++) {
        CHECK_INT(after(PULSE_LOOK_US), PULSE_STUCK);
        turns++;
        CHECK_INT(after(PULSE_LOOK_US), PULSE_TURNS);
    }
    CHECK_INT(pulse.stats.stalls, 0);
}

TEST(who_was_stopped_as_well_holds_nothing_against_it) {
    begin();
    CHECK_INT(after(30 * USEC_PER_SEC),
              PULSE_STUCK); /* the first look after SIGCONT, before the loop's turn */
    turns++;
    CHECK_INT(after(PULSE_LOOK_US), PULSE_TURNS);
    for (int i = 0; i < 20; i++) /* a machine that has no time for anybody */
        CHECK_INT(after(5 * USEC_PER_SEC), PULSE_STUCK);
    CHECK_INT(pulse.stats.stalls, 0);
}

TESTS(RUN(a_loop_that_turns_is_well), RUN(one_that_does_not_stalls_and_that_is_said_once),
      RUN(a_short_pause_is_no_stall), RUN(who_was_stopped_as_well_holds_nothing_against_it))
