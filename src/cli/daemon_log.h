/* The log of a daemon in the background. */
#pragma once

#include "cli/cmd.h"

/* Prints it, the older part first; only the last `lines` unless that is 0; then, if asked to, what is added, until Ctrl-C. Returns
 * an exit status. */
int daemon_log_print(const struct cmd *c, uint64_t lines, bool follow);
