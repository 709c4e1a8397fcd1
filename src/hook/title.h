/* The terminal tab's title, for those who want it: OSTLER_TAB_TITLE=1. */
#pragma once

#include "hook/env.h"

/* Names the project in the title of the terminal `tty_path` when the payload tells of a change of state.
 * Never blocks, fails silently. */
void title_update(const char *tty_path, const struct env *env, struct span payload);

/* True when the payload's head names one of the events that set the title. */
bool title_wanted(struct span payload);
