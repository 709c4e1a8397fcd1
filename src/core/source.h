/* Where an agent runs, from what its environment said. */
#pragma once

#include "core/event.h"

/* "vscode", "iterm", "tmux", …; an unknown terminal program by its own name, "terminal" when nothing is known.
 * May point into the event's arena. */
struct span source_detect(const struct event *ev);
