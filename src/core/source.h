/* Where an agent runs, from what its environment said. */
#pragma once

#include "core/event.h"

/* "vscode", "iterm", "tmux", …; an unknown terminal program by its own name in lower case (in the arena),
 * "terminal" when nothing is known. */
struct span source_detect(const struct event *ev, struct arena *arena);
