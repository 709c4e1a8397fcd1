/* Which events are asked for: all of them tell most, and each of them costs the agent a moment. */
#pragma once

#include "config/config.h"
#include "core/event.h"
#include "setup/cli_version.h"

struct event_wish {
    enum cli cli;
    enum config_density density;
    struct cli_version version; /* of the program that will read them */
};

/* The events that are asked for, one after the other, the first behind NULL; NULL at the end. */
const struct event_kind *setup_event_next(const struct event_kind *after, const struct event_wish *wish);
/* How many they are. */
size_t setup_event_count(const struct event_wish *wish);
/* Is this event among them? */
bool setup_event_wanted(struct span event, const struct event_wish *wish);
