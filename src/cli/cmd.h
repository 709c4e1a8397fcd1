/* Subcommands: one file each, one sorted table. */
#pragma once

#include "base/span.h"

struct cmd {
    const char *name;
    const char *summary;               /* one line in the list of commands */
    const char *help;                  /* usage and options, for --help */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

extern const struct cmd cmd_archive, cmd_attach, cmd_demo, cmd_kill, cmd_logs, cmd_ls, cmd_repair, cmd_run,
    cmd_serve, cmd_status, cmd_version;

/* Exit statuses. */
enum { CMD_OK = 0, CMD_FAILED = 1, CMD_USAGE = 2 };

/* "ostler NAME: sentence" on stderr; returns `status`. */
int cmd_fail(const struct cmd *c, int status, const char *fmt, ...) PRINTF(3, 4);

struct option;
/* getopt_long() with the answers that all commands share: --help prints the help and sets *ret_exit to 0, an unknown
 * option says so and sets it to CMD_USAGE; both return -1, as does the end of the options (*ret_exit is then
 * negative). */
int cmd_option(const struct cmd *c, int argc, char **argv, const char *short_options,
               const struct option *long_options, int *ret_exit);

/* The same for commands that take words too: those are argv[optind] and what follows, at the end of the options. */
int cmd_option_or_word(const struct cmd *c, int argc, char **argv, const char *short_options,
                       const struct option *long_options, int *ret_exit);

/* A number argument within bounds; says what is wrong otherwise. */
bool cmd_number(const struct cmd *c, const char *option, const char *text, uint64_t min, uint64_t max,
                uint64_t *ret);

/* A command that has actions: "ostler NAME ACTION …". */
struct cmd_actions {
    const void *table; /* rows that begin with the action's name, a const char * */
    size_t n, row_bytes;
    const char *words; /* all of them, for a person: "scan, fix, all or undo" */
    int (*run)(size_t action, int argc, char **argv); /* argv[0] is the action's name */
};

/* Runs the action that the first argument names. --help, none, and one that there is not are answered here. */
int cmd_run_action(const struct cmd *c, const struct cmd_actions *actions, int argc, char **argv);
