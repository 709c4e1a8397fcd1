#include "cli/cmd.h"

#include <stddef.h>
#include <string.h>

const struct cmd *const commands[] = {
    &cmd_approve, &cmd_archive, &cmd_attach,  &cmd_away, &cmd_backup, &cmd_completion, &cmd_config,
    &cmd_demo,    &cmd_deny,    &cmd_doctor,  &cmd_help, &cmd_hooks,  &cmd_inbox,      &cmd_kill,
    &cmd_logins,  &cmd_logs,    &cmd_ls,      &cmd_open, &cmd_pair,   &cmd_password,   &cmd_repair,
    &cmd_reset,   &cmd_restart, &cmd_restore, &cmd_run,  &cmd_serve,  &cmd_service,    &cmd_setup,
    &cmd_status,  &cmd_stop,    &cmd_version, NULL,
};

const struct cmd *cmd_find(const char *name) {
    const struct cmd *const *c = commands;
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}
