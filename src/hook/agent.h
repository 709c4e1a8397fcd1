/* Who called the hook. */
#pragma once

#include "platform/proc.h"

/* The agent behind a hook whose parent is `parent`: the first of its ancestors that is not only the shell of an `sh -c` or a
 * program that runs another one (timeout, nice, …). Falls back to what is known of the parent. */
void agent_find(pid_t parent, struct proc *ret);
