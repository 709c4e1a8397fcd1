/* What --help says, made of the command table. */
#pragma once

#include "cli/cmd.h"

#include <stdio.h>

/* Usage, what it does, actions, options, notes and examples of one command; or what concerns one action of it. */
void help_print(const struct cmd *c, const struct cmd_action *action, FILE *to);

/* All commands, a line each, in their groups. */
void help_print_list(FILE *to);

/* The groups in the order in which they are shown. */
struct help_group {
    enum cmd_group group;
    const char *title;
};
extern const struct help_group help_groups[CMD_GROUPS];

/* How a command (or one action) is called, a line each, without "usage: ": "ostler ls [--json]". For help and the manual. */
void help_each_usage(const struct cmd *c, const struct cmd_action *action,
                     void (*line)(void *user, const char *text), void *user);

/* "-n, --lines LINES", "fix PATH…" */
enum { HELP_TITLE_BYTES = 128 };
void help_option_title(const struct cmd_opt *o, char ret[HELP_TITLE_BYTES]);
void help_action_title(const struct cmd_action *a, char ret[HELP_TITLE_BYTES]);
