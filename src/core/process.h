/* What the daemon saw of an agent's process: an answer that the core had asked for, an exit, a process that was found. */
#pragma once

#include "core/apply.h"

/* `ev` is a record of the daemon's, about the worker of the turn. */
void process_seen(struct turn *t, const struct event *ev);
