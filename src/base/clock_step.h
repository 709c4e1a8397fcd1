/*
 * Notices that the wall clock was set: by a person, by NTP after a start with an empty battery, on a machine that went on from a
 * snapshot. Who keeps times of the wall clock to compare them with now looks before it does, and moves what it keeps by as
 * much: what was to be in a minute is still to be in a minute.
 */
#pragma once

#include "base/clock.h"

#include <stdbool.h>

enum { CLOCK_STEP_MIN_MS = 2000 }; /* less is followed without a word */

struct clock_step {
    usec_t ahead; /* of the wall clock to the one that nobody sets, at the last look */
    bool looked;
};

/* The time of the wall clock. `*ret_by_ms`: by how much it was set since the last look, forward, or back (negative); 0: it was not. */
int64_t clock_step_now_ms(struct clock_step *s, const struct clock *c, int64_t *ret_by_ms);

/* Moves a time of the wall clock, if it is one: 0 means none. */
static inline void clock_step_move(int64_t *at_ms, int64_t by_ms) {
    if (*at_ms) *at_ms += by_ms;
}
