/* What a conversation asks and has under way, as the JSON text of one column: requests, tool calls, subagents. */
#pragma once

#include "base/arena.h"
#include "core/model.h"

/* Empty when there is nothing; `*full` is set when the arena is. */
struct span asking_json(const struct conversation *c, struct arena *arena, bool *full);

/* Adds what the text holds to an empty conversation. */
void asking_restore(struct conversation *c, struct span json);
