/* Who called the hook. */
#pragma once

#include "platform/proc.h"

/* The agent behind a hook whose parent is `parent`: the first of its ancestors that is not only the shell of an `sh -c` or a
 * program that runs another one (timeout, nice, …). Falls back to what is known of the parent. */
void agent_find(pid_t parent, struct proc *ret);

/* Is the agent in the terminal of this name ("/dev/pts/3"), by itself or by an ancestor whose terminal it is? What has gone
 * into the background there, such as a server of tmux, has neither, and keeps the environment all the same. An empty name
 * is that of any terminal. */
bool agent_is_in(const struct proc *agent, struct span tty);

/* Does the process serve several agents at once, as Codex' app-server does? Then neither its environment nor its end say
 * anything about one of them. */
bool agent_is_shared(pid_t pid);
