/* What --help says, made of the command table. */
#pragma once

#include "cli/cmd.h"

#include <stdio.h>

/* Usage, what it does, actions, options, notes and examples of one command. */
void help_print(const struct cmd *c, FILE *to);

/* All commands, a line each. */
void help_print_list(FILE *to);

/* How a command is called, a line each, without "usage: ": "ostler ls [--json]". For help and the manual. */
void help_each_usage(const struct cmd *c, void (*line)(void *user, const char *text), void *user);
