#include "base/clock_step.h"

enum { APART_US = 100000, TRIES = 8 };

/* Both clocks at the same moment: who is interrupted between two looks looks again. */
static usec_t ahead_of_boot(const struct clock *c, usec_t *ret_wall) {
    usec_t before, after;
    int tries = 0;
    do {
        before = clock_boot(c);
        *ret_wall = clock_wall(c);
        after = clock_boot(c);
    } while (after - before > APART_US && ++tries < TRIES);
    return *ret_wall - after;
}

int64_t clock_step_now_ms(struct clock_step *s, const struct clock *c, int64_t *ret_by_ms) {
    usec_t wall, ahead = ahead_of_boot(c, &wall), by = s->looked ? ahead - s->ahead : 0;
    bool set = by <= -CLOCK_STEP_MIN_MS * USEC_PER_MSEC || by >= CLOCK_STEP_MIN_MS * USEC_PER_MSEC;
    s->ahead = ahead;
    s->looked = true;
    *ret_by_ms = set ? usec_to_msec(by) : 0;
    return usec_to_msec(wall);
}
