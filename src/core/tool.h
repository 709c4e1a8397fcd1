/* Tool calls: what one is about in a line. */
#pragma once

#include "base/arena.h"

/* A summary of a tool's raw JSON input: the path, the command, the pattern …; otherwise its JSON, cut. Empty without
 * input. */
struct span tool_summary(struct span tool, struct span input, struct arena *arena);
