#include "loop/pulse.h"

#include "base/compiler.h"

void pulse_begin(struct pulse *p, usec_t now) {
    *p = (struct pulse){.looked = now};
}

enum pulse_news pulse_look(struct pulse *p, uint64_t turns, usec_t now, int64_t wall_ms) {
    usec_t passed = now - p->looked;
    bool moved = turns != p->turns, stalled = p->stuck >= PULSE_STALL_US;
    p->looked = now;
    p->turns = turns;
    if (moved) {
        if (stalled) p->last_stall = p->stuck;
        p->stuck = 0;
        return stalled ? PULSE_GOES_ON : PULSE_TURNS;
    }
    if (passed <= 2 * PULSE_LOOK_US) p->stuck += passed;
    if (p->stuck < PULSE_STALL_US) return PULSE_STUCK;
    p->stats.worst_ms = MAX(p->stats.worst_ms, usec_to_msec(p->stuck));
    if (stalled) return PULSE_STUCK;
    p->stats.stalls++;
    p->stats.last_ms = wall_ms;
    return PULSE_STALLED;
}
