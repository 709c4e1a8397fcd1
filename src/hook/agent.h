/* Who called the hook. */
#pragma once

#include "platform/proc.h"

/* The agent that runs the hook `parent`'s child: the parent itself, or the one before it when the parent is only the
 * shell of an `sh -c`. Falls back to what is known of the parent. */
void agent_find(pid_t parent, struct proc *ret);
