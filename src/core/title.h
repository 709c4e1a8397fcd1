/* Automatic titles: `alpha #1 — Fix the flaky test`. */
#pragma once

#include "base/arena.h"
#include "core/model.h"

/* The title for a session's first prompt, in the arena. Without words in the prompt: `alpha — Session #1`. */
struct span title_make(const struct session *s, struct span prompt, struct arena *arena);
