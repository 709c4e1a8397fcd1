/*
 * What may not be overwritten yet. Output that the daemon has not acknowledged is kept for it while its acknowledgements come, and
 * for FRAME_HOLD_MS after they stopped: meanwhile the program waits, as it would for a slow terminal. A daemon that went and
 * one that hangs are the same in this: after that time the program goes on, and who comes late finds a gap. The next
 * acknowledgement, or the next daemon, is held for again.
 */
#pragma once

#include "base/clock.h"
#include "keeper/ring.h"

struct hold {
    uint64_t acknowledged; /* everything before may be overwritten */
    bool attached;
    usec_t until; /* so long is the next acknowledgement waited for */
};

/* Nobody is there yet; the one that started us is expected. */
void hold_init(struct hold *h, usec_t now);

void hold_attach(struct hold *h, usec_t now);
void hold_detach(struct hold *h, const struct ring *r, usec_t now);

/* The daemon has dealt with everything before `offset`. It was `sent` so far; what is beyond it cannot mean. What it said before
 * already is no acknowledgement: it may talk on while its disk hangs. */
void hold_acknowledge(struct hold *h, uint64_t offset, uint64_t sent, usec_t now);

/* More is about to be put into the ring. */
void hold_printed(struct hold *h, const struct ring *r, usec_t now);

/* How many bytes the ring may take now. */
size_t hold_room(const struct hold *h, const struct ring *r, usec_t now);

/* Is there no room but that of what nobody has acknowledged? Then an acknowledgement is what is needed most, whether or not it
 * is still waited for. */
bool hold_is_full(const struct hold *h, const struct ring *r);

/* When hold_room() will change by itself; USEC_NEVER when it does not matter. */
usec_t hold_deadline(const struct hold *h, const struct ring *r, usec_t now);
