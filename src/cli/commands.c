#include "cli/cmd.h"

#include <stddef.h>
#include <string.h>

const struct cmd *const commands[] = {&cmd_archive, &cmd_attach, &cmd_demo,    &cmd_kill,
                                      &cmd_logs,    &cmd_ls,     &cmd_repair,  &cmd_run,
                                      &cmd_serve,   &cmd_status, &cmd_version, NULL};

const struct cmd *cmd_find(const char *name) {
    const struct cmd *const *c = commands;
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}
