/* What a CLI says of itself beside its hooks, in a file of its own or on its screen: busy, waiting for a person, idle. It is
 * how an answer at the desk is noticed, and a turn that was broken off: no hook tells of these. */
#pragma once

#include "core/apply.h"

void activity_told(struct turn *t, const struct event *ev);
