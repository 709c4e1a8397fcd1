/*
 * What may not be overwritten yet. Output that the daemon has not acknowledged is kept for it while it is attached, and for
 * FRAME_HOLD_MS after it went: meanwhile the program waits, as it would for a slow terminal. A daemon that stays away
 * longer finds a gap.
 */
#pragma once

#include "base/clock.h"
#include "keeper/ring.h"

struct hold {
    uint64_t acknowledged; /* everything before may be overwritten */
    bool attached;
    usec_t until; /* without a daemon: so long is it waited for */
};

/* Nobody is there yet; the one that started us is expected. */
void hold_init(struct hold *h, usec_t now);

void hold_attach(struct hold *h);
void hold_detach(struct hold *h, usec_t now);

/* The daemon has dealt with everything before `offset`. It was `sent` so far; what is beyond it cannot mean. */
void hold_acknowledge(struct hold *h, uint64_t offset, uint64_t sent);

/* How many bytes the ring may take now. */
size_t hold_room(const struct hold *h, const struct ring *r, usec_t now);

/* When hold_room() will change by itself; USEC_NEVER when it does not matter. */
usec_t hold_deadline(const struct hold *h, const struct ring *r, usec_t now);
