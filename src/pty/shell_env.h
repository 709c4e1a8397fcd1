/*
 * The environment that a person's own shell would have, as editors find it: their shell is run once, as a login shell and
 * an interactive one, in a session of its own without a terminal, and prints its environment. What its files print, ask or
 * wait for does no harm: what counts stands between marks, and after a time everything that was started is killed. Where
 * the interactive shell gives nothing (its files may replace it by another program) a login shell is asked.
 */
#pragma once

#include "base/buf.h"
#include "base/path.h"
#include "base/strv.h"

#include <uv.h>

enum shell_env_from {
    SHELL_ENV_OWN,         /* the daemon's own: no shell told any */
    SHELL_ENV_LOGIN,       /* a login shell's */
    SHELL_ENV_INTERACTIVE, /* an interactive login shell's */
};
const char *shell_env_from_to_str(enum shell_env_from from); /* "daemon", "login", "interactive" */

/* How it went. */
struct shell_env_report {
    char shell[PATH_BYTES];
    enum shell_env_from from;
    int64_t took_ms;
    int64_t at_ms; /* when it was known, Unix time; 0: not yet */
    bool resolving;
    bool has_path;     /* PATH is the shell's, and another one than ours */
    char problem[256]; /* why it is not the interactive shell's; "" when it is */
};

/* The shell of an environment: $SHELL, the account's, or /bin/sh: the first that can be executed. */
void shell_find(char *const *env, char ret[PATH_BYTES]);

struct shell_env_options {
    const char *printer; /* the program that prints an environment: `PRINTER print-environment` */
    uint64_t limit_ms;   /* for an interactive shell; 0: no shell is asked */
    mode_t umask;        /* the person's: what their files make is theirs */
};

struct shell_env;
/* `known` is called when a resolution ends. */
struct shell_env *shell_env_open(uv_loop_t *loop, const struct shell_env_options *options,
                                 void (*known)(void *user), void *user);
/* Kills what runs; ends asynchronously with the loop. */
void shell_env_close(struct shell_env *e);
void shell_env_free(struct shell_env *e); /* after the loop has run empty */

/* The environment, never NULL: 0. -EAGAIN: it is being found out, for the first time or because the shell's files have changed
 * since; `known` will be called. */
int shell_env_get(struct shell_env *e, char *const **ret);
/* Finds it out (again); does nothing when that is under way. */
void shell_env_resolve(struct shell_env *e);
void shell_env_report(const struct shell_env *e, struct shell_env_report *ret);

/* ---- for tests ---- */

/* What stands between two marks in a shell's output, NULL-terminated; NULL: they are not both there. */
char **shell_env_parse(struct span output, struct span mark);
/* How a shell is told to print: its options, as one word ("-lic"); NULL: it is none that is known. */
const char *shell_env_flags(const char *shell, bool interactive);
