/* What agents write, as people read it: a cut says that it is one, and nothing in a text is there without being seen. */
#pragma once

#include "base/arena.h"

/* The first `units` of a text, and a … behind them when that is not all of it. */
struct span text_cut(struct span text, size_t units, struct arena *arena);

/* A text with what would not be seen, or would make the rest look like something else (base/shown), spelled out: control
 * characters as \x1b, marks of direction and what has no width as \u202e. Lines and tabs stay. */
struct span text_visible(struct span text, struct arena *arena);

/* A text to be read whole, made visible. One of more than `bytes`, as it came, is cut, and says how much is missing: what has to be
 * spelled out does not count against it. */
struct span text_whole(struct span text, size_t bytes, struct arena *arena);
