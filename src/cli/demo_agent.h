/* A make-believe agent's process: it runs the hook as an agent CLI would, because the hook tells the daemon who its parent
 * is. It can be killed from the board like a real one. */
#pragma once

#include "base/span.h"

#include <sys/types.h>

struct demo_agent {
    pid_t pid;
    int channel; /* payloads to it, an answer after each */
};

/* Starts it. `env` are "NAME=value" strings for its environment, up to a NULL; `cli` is what the hook is told. -errno. */
int demo_agent_start(struct demo_agent *a, const char *hook, const char *cli, const char *const *env);

/* Runs the hook with the payload and waits for it. -EPIPE when somebody has ended the process. */
int demo_agent_say(struct demo_agent *a, struct span payload);

void demo_agent_stop(struct demo_agent *a);
