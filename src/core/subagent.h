/* The subagents of a conversation that are at work, by their ids: one that ends without having begun is nobody's loss. */
#pragma once

#include "core/model.h"

enum { SUBAGENTS_MAX = 256 };

/* `id` is empty where the CLI tells none. */
void subagent_began(struct conversation *c, struct span id);
void subagent_ended(struct conversation *c, struct span id);
void subagent_forget_all(struct conversation *c);
