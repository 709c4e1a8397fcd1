#include "base/clock_step.h"
#include "test.h"

/* A machine: its wall clock, and the one that nobody sets. */
static usec_t wall, boot, interrupted;

static usec_t read_wall(void *user UNUSED) {
    boot += interrupted; /* between two looks */
    interrupted = 0;
    return wall;
}

static usec_t read_boot(void *user UNUSED) {
    return boot;
}

static const struct clock machine = {read_wall, read_boot, NULL, read_boot};

static void pass_time(usec_t us) {
    wall += us;
    boot += us;
}

static int64_t look(struct clock_step *s) {
    int64_t by_ms;
    CHECK_INT(clock_step_now_ms(s, &machine, &by_ms), usec_to_msec(wall));
    return by_ms;
}

TEST(time_that_passes_sets_nothing) {
    struct clock_step s = {0};
    wall = 1000 * USEC_PER_SEC;
    boot = 5 * USEC_PER_SEC;
    CHECK_INT(look(&s), 0); /* the first look */
    for (int i = 0; i < 10; i++) {
        pass_time(3600 * USEC_PER_SEC);
        CHECK_INT(look(&s), 0);
    }
    for (int i = 0; i < 10; i++) { /* a clock that is corrected a little at a time */
        wall += USEC_PER_SEC;
        CHECK_INT(look(&s), 0);
    }
}

TEST(what_is_set_is_told_once) {
    struct clock_step s = {0};
    wall = boot = 1000 * USEC_PER_SEC;
    (void)look(&s);
    pass_time(USEC_PER_SEC);
    wall += 6 * 3600 * USEC_PER_SEC;
    CHECK_INT(look(&s), 6 * 3600 * 1000);
    CHECK_INT(look(&s), 0);
    wall -= 12 * 3600 * USEC_PER_SEC;
    pass_time(USEC_PER_SEC);
    CHECK_INT(look(&s), -12 * 3600 * 1000);
    CHECK_INT(look(&s), 0);
}

TEST(who_was_interrupted_between_two_looks_looks_again) {
    struct clock_step s = {0};
    wall = boot = 1000 * USEC_PER_SEC;
    (void)look(&s);
    interrupted = 30 * USEC_PER_SEC;
    wall += interrupted;
    CHECK_INT(look(&s), 0);
}

TEST(a_clock_without_the_second_one_goes_by_the_first) {
    static const struct clock simple = {read_wall, read_boot, NULL, NULL};
    boot = 7;
    CHECK_INT(clock_boot(&simple), 7);
}

TESTS(RUN(time_that_passes_sets_nothing), RUN(what_is_set_is_told_once),
      RUN(who_was_interrupted_between_two_looks_looks_again),
      RUN(a_clock_without_the_second_one_goes_by_the_first))
