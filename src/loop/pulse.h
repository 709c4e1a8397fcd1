/*
 * Does a loop turn? Pure: it is told, about once a PULSE_LOOK_US, how often the loop has turned. One that has not since the last
 * look, though it was woken then, is stuck. Who looks late has been stopped as well, by SIGSTOP, a debugger, a machine
 * that slept or had no time: what passed then is held against nobody.
 */
#pragma once

#include "base/clock.h"

#include <stdbool.h>

#define PULSE_LOOK_US (2 * USEC_PER_SEC)
#define PULSE_STALL_US (4 * USEC_PER_SEC)

struct pulse_stats {
    uint64_t stalls; /* so often it has not turned for PULSE_STALL_US */
    int64_t worst_ms;
    int64_t last_ms; /* when the last one was noticed, Unix milliseconds; 0: none */
};

struct pulse {
    usec_t looked;
    usec_t stuck;      /* for so long, as far as it was looked at */
    usec_t last_stall; /* how long the last one was */
    uint64_t turns;
    struct pulse_stats stats;
};

enum pulse_news {
    PULSE_TURNS,
    PULSE_STUCK,   /* not for long yet, or that was said already */
    PULSE_STALLED, /* it has become a stall just now */
    PULSE_GOES_ON, /* a stall is over: `last_stall` tells how long it was */
};

void pulse_begin(struct pulse *p, usec_t now);
enum pulse_news pulse_look(struct pulse *p, uint64_t turns, usec_t now, int64_t wall_ms);
