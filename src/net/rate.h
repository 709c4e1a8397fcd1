/* How often somebody may do something: at most N times within any second. Pure; the caller brings the time. */
#pragma once

#include "base/clock.h"
#include "base/map.h"

enum {
    RATE_WINDOW_MS = 1000,
    RATE_STALE_MS = 5000,  /* who was quiet for this long is forgotten */
    RATE_SWEEP_MS = 30000, /* how often that is looked after */
};

struct rate {
    unsigned limit;
    struct map peers; /* who → struct rate_peer */
    usec_t swept;
};

void rate_init(struct rate *r, unsigned limit);
void rate_fini(struct rate *r);

/* Counts one more by `who` at `now`; false when it is one too many (and then it does not count). */
bool rate_allow(struct rate *r, struct span who, usec_t now);
