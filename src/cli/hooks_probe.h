/* A probe through a registered hook: the command line is run as its CLI runs it, and the daemon is asked until it has seen it. */
#pragma once

#include "cli/client.h"
#include "core/enums.h"

enum { PROBE_HOOK_MS = 10000, PROBE_DAEMON_MS = 5000 };

/* `*ret_ms`: how long the hook ran, which is what an agent waits. */
int hooks_probe(const struct daemon_info *daemon, enum cli cli, const char *command, int64_t *ret_ms,
                struct err *err);
