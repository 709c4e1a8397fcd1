/* The wall clock was set while the daemon ran: what is kept to be compared with the time of later events moves along. */
#pragma once

#include "core/effect.h"
#include "core/state.h"

/* By so much, forward or back. Deadlines are as far away as they were, and what lasts has lasted as long. When something began or ended
 * for good stays as it was told. */
void state_clock_set(struct state *st, int64_t by_ms, struct effects *fx);

/* The newest time of an event that the state knows; 0: none. */
int64_t state_newest_ms(const struct state *st);
