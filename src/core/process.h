/* What the daemon saw of an agent's process: an answer that the core had asked for, an exit, a process that was found. */
#pragma once

#include "core/apply.h"

/* An event of the turn's worker names its process. */
void process_named(struct turn *t, const struct event *ev);

/* `ev` is a record of the daemon's, about the worker of the turn. */
void process_seen(struct turn *t, const struct event *ev);
