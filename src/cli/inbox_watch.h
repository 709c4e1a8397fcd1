/* The inbox at a terminal: shown as it changes, answered by keys, until somebody quits. */
#pragma once

#include "cli/cmd.h"

/* Standard input and output are one terminal (tty_is_one()). Returns the exit status. */
int inbox_watch(const struct cmd *c);
