/* The only place where a decision of the core becomes I/O. */
#pragma once

#include "app/broadcast.h"
#include "app/persist.h"
#include "app/probe.h"

/* Carries the effects out and empties the list. Right after each event: entries may be gone after the next one. */
void effects_carry_out(struct effects *fx, struct broadcast *b, struct persist *p,
                       const struct probe_site *site);
