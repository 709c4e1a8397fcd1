/* Which events are asked for: all of them tell most, and each of them costs the agent a moment. */
#pragma once

#include "config/config.h"
#include "core/event.h"

/* The events of a CLI at a density, one after the other, the first behind NULL; NULL at the end. */
const struct event_kind *setup_event_next(const struct event_kind *after, enum cli cli,
                                          enum config_density density);
/* How many they are. */
size_t setup_event_count(enum cli cli, enum config_density density);
/* Is this event of that CLI among them? */
bool setup_event_wanted(struct span event, enum cli cli, enum config_density density);
