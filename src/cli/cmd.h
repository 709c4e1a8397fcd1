/*
 * Subcommands: one file each, one table (commands.c). What a command takes is said once, in its struct cmd: options are
 * parsed by it, and --help, the manual and the shells' completions are made of it.
 */
#pragma once

#include "base/span.h"

struct cmd_opt {
    const char *name;     /* without the dashes; NULL ends a list */
    char code;            /* what cmd_option() answers, and what an action's list of options has */
    bool has_letter;      /* -c is the same, `c` being the code */
    const char *value;    /* "N": it takes a value; NULL: it takes none */
    const char *help;     /* half a sentence */
    const char *complete; /* as in struct cmd */
};

/* Under which heading of the list of commands it stands. */
enum cmd_group { CMD_SETUP, CMD_AGENTS, CMD_DAEMON, CMD_TRANSCRIPTS, CMD_MORE, CMD_GROUPS };

/* ostler COMMAND ACTION … */
struct cmd_action {
    const char *name;                  /* NULL ends a list */
    const char *words, *complete;      /* as in struct cmd */
    const char *options;               /* the codes of those that it takes; NULL: none */
    const char *help;                  /* half a sentence */
    int (*run)(int argc, char **argv); /* argv[0] is the action's name */
};

/* Texts have paragraphs, with an empty line between them, which are wrapped where they are shown; a line that begins with a
 * blank stays as it is. */
struct cmd {
    const char *name;
    enum cmd_group group;
    const char *summary; /* one line in the list of commands */
    const char *words;   /* behind the options: "ID…"; NULL: none are taken */
    const char *
        complete; /* what words are: "@file", "@dir", "@terminal", "@request", "@program", "@command", or a choice: "on off" */
    bool stops_at_word;               /* what follows the first word is somebody else's, options too */
    const char *about;                /* what it does */
    const struct cmd_opt *options;    /* besides --help; NULL: none */
    const struct cmd_action *actions; /* NULL: it does one thing */
    const char *otherwise;            /* the action that is meant without one; NULL: help is */
    const char *notes;                /* behind the options: exit status, keys; NULL: none */
    const char *examples;             /* a line each; NULL: none */
    int (*run)(int argc,
               char **argv); /* argv[0] is the command's name; returns the exit status. NULL: see `actions` */
};

extern const struct cmd cmd_approve, cmd_archive, cmd_attach, cmd_away, cmd_backup, cmd_completion,
    cmd_config, cmd_demo, cmd_deny, cmd_doctor, cmd_help, cmd_hooks, cmd_inbox, cmd_kill, cmd_logins,
    cmd_logs, cmd_ls, cmd_open, cmd_pair, cmd_password, cmd_repair, cmd_reset, cmd_restart, cmd_restore,
    cmd_run, cmd_serve, cmd_service, cmd_setup, cmd_status, cmd_stop, cmd_version;

/* All of them, sorted by name; NULL at the end. */
extern const struct cmd *const commands[];
const struct cmd *cmd_find(const char *name); /* NULL: there is none */
const struct cmd_action *cmd_find_action(const struct cmd *c, const char *name);

/* Does the action take the option? A command without actions (NULL) takes all of its own. */
bool cmd_takes(const struct cmd_action *a, const struct cmd_opt *o);

/* Exit statuses. */
enum { CMD_OK = 0, CMD_FAILED = 1, CMD_USAGE = 2 };

/* Says that there is no such command, or action of it, and which are near. */
int cmd_unknown(const char *name);
int cmd_unknown_action(const struct cmd *c, const char *name);

/* Runs a command, or the action that its first argument names. */
int cmd_run_it(const struct cmd *c, int argc, char **argv);

/* "ostler NAME: sentence" on stderr ("ostler: …" without a command); returns `status`. */
int cmd_fail(const struct cmd *c, int status, const char *fmt, ...) PRINTF(3, 4);

/*
 * The code of the next option, its value in optarg. -1 at the end: *ret_exit is negative and the words are argv[optind] and
 * what follows; or --help was asked for, or something is wrong and was said, and *ret_exit is the exit status.
 */
int cmd_option(const struct cmd *c, int argc, char **argv, int *ret_exit);

/* A number argument within bounds; says what is wrong otherwise. */
bool cmd_number(const struct cmd *c, const char *option, const char *text, uint64_t min, uint64_t max,
                uint64_t *ret);
