/*
 * The terminals of this daemon: each a keeper, the newest output, the screen, a journal, and who looks at it. Made here, adopted
 * here at start, brought back here after a reboot. Everything runs on the loop thread.
 */
#pragma once

#include "base/clock.h"
#include "base/err.h"
#include "base/path.h"
#include "term/redact.h"
#include "term/vt.h"

#include <uv.h>

enum {
    TERMINAL_ID_BYTES = 40,
    TERMINAL_COLS = 120,
    TERMINAL_ROWS = 40,
    TERMINALS_MAX = 100,          /* live at once, unless told otherwise */
    TERMINAL_COMMANDS_MAX = 100,  /* command lines that are remembered */
    TERMINAL_INPUT_MAX = 1 << 20, /* bytes for the program that wait; more is refused */
};

/* Variables that a keeper fills in: the number of a hosted agent's process, and the name of the terminal. */
#define TERMINAL_MARK "OSTLER_HOSTED"
#define TERMINAL_TTY "OSTLER_TTY"

enum terminal_connection {
    TERMINAL_STARTING, /* its keeper is being started, or found again */
    TERMINAL_LIVE,
    TERMINAL_RESTORED, /* the program is gone without having ended (a reboot): what it showed is there */
    TERMINAL_ENDED,
};
const char *terminal_connection_to_str(enum terminal_connection c); /* "starting", "live", … */

enum terminal_kind { TERMINAL_SHELL, TERMINAL_AGENT, TERMINAL_COMMAND };
const char *terminal_kind_to_str(enum terminal_kind kind);

/* What is to run. Spans and strings are copied. */
struct terminal_spec {
    const char *id; /* of terminal_new_id(), for who needs to know it before; NULL: a new one is made */
    enum terminal_kind kind;
    unsigned cols, rows;      /* 0: the default */
    const char *directory;    /* absolute; must exist */
    const char *const *argv;  /* NULL-terminated; NULL: the user's shell */
    const char *const *words; /* what of it was asked for, kept for who brings it back; NULL: not known */
    bool marked;              /* TERMINAL_MARK in its environment is the program's own number */
    const char *const *environment; /* whole, "NAME=value"; NULL: that of terminals_ops */
    const char *const *env;         /* additions, "NAME=value"; kept for a resume, as is the whole one */
    const char *const *secrets;     /* likewise, but never written anywhere */
    struct span typed;              /* typed once the shell shows its prompt */
    struct span command;            /* what people are shown */
    struct span title, label;       /* of the card */
};

/* "term-<Unix ms>-<6 of [a-z0-9]>". -EIO when the system gives no random numbers. */
int terminal_new_id(char ret[TERMINAL_ID_BYTES], const struct clock *clock);

struct terminals;
struct terminal;

struct terminals_ops {
    /* The keeper runs: the card may appear. Also for an adopted one, at start. */
    void (*started)(void *user, struct terminal *t);
    /* What terminal_facts() tells has changed. Viewers and activity alone are told at most once a second. */
    void (*changed)(void *user, struct terminal *t);
    /* What the screen shows has changed; at most twice a second. */
    void (*painted)(void *user, struct terminal *t);
    /* The same, ten times a second, for who only has a look at it. */
    void (*shown)(void *user, struct terminal *t);
    /* Its program is gone. */
    void (*gone)(void *user, struct terminal *t);
    /* The environment for programs that nobody gave one to: 0 and it, borrowed until the next turn, or NULL for our own.
     * -EAGAIN: it is being found out; terminals_environment_known() tells. May be NULL: our own. */
    int (*environment)(void *user, char *const **ret);
    /* May it be put to rest, as far as its card tells? Not while its agent works. Whether anything runs in it is looked at besides. */
    bool (*may_rest)(void *user, struct terminal *t);
    /* Somebody typed into it. May be NULL. */
    void (*typed)(void *user, struct terminal *t);
};

struct terminals_options {
    const char *dir;    /* the state directory's "terminals" */
    const char *keeper; /* path of ostler-keeper */
    unsigned max;       /* 0: TERMINALS_MAX */
    unsigned scrollback;
    int64_t
        idle_ms; /* a shell without viewers and output for so long, in which nothing runs, is put to rest; 0: never */
    const struct redact_set *redact;
    const struct clock *clock;
    const mode_t *umask; /* of the programs; NULL: our own. Borrowed */
};

struct terminals *terminals_open(uv_loop_t *loop, const struct terminals_options *options,
                                 const struct terminals_ops *ops, void *user);
/* Looks for the terminals of earlier daemons: adopts those whose keepers live, restores the others. */
void terminals_adopt(struct terminals *ts);
/* Lets go of everything; keepers and their programs go on. Ends asynchronously with the loop. */
void terminals_close(struct terminals *ts);
void terminals_free(struct terminals *ts); /* after the loop has run empty */

/* Starts one; `done` is called once, never from within: with the terminal, or NULL and a sentence: -EINVAL (directory,
 * program), -ENOSPC (too many: "Terminal limit reached (max 100)"), others. */
typedef void terminal_done(void *user, struct terminal *t, int r, const struct err *err);
void terminals_create(struct terminals *ts, const struct terminal_spec *spec, terminal_done *done,
                      void *user);
/* Brings one back that is not live: in its directory, with its environment and history, as a new incarnation. `argv` is what
 * runs this time, `marked` as in its spec (NULL: what ran before). */
void terminal_resume(struct terminal *t, const char *const *argv, bool marked, terminal_done *done,
                     void *user);
/* What terminals_ops.environment() was waiting for. */
void terminals_environment_known(struct terminals *ts);

struct terminal *terminals_find(struct terminals *ts, struct span id); /* NULL: unknown */
/* In the order in which they were made; `each` may not delete. */
void terminals_each(struct terminals *ts, void (*each)(void *user, struct terminal *t), void *user);
unsigned terminals_live(const struct terminals *ts);

/* Hangs up on its program, as soon as its keeper is there; gone() tells when it has ended. */
void terminal_end(struct terminal *t);
/* The same, and forgets everything of it, on disk too. */
void terminals_delete(struct terminals *ts, struct span id);

struct terminal_facts {
    const char *id;
    enum terminal_kind kind;
    enum terminal_connection connection;
    uint64_t epoch;
    int64_t created_ms; /* the terminal */
    int64_t started_ms; /* this incarnation */
    int64_t output_ms;  /* last output; 0 = none */
    int64_t ended_ms;
    unsigned cols, rows;
    unsigned viewers; /* everybody who looks at it now */
    int64_t pid;      /* its first process; 0 when it is gone */
    uint64_t pid_start;
    bool told_to_end;      /* somebody asked for its end */
    int code, signal;      /* of an ended one: code is -1 when a signal ended it, or nobody knows */
    const char *directory; /* where its foreground process is, as far as known */
    const char *command, *title, *label;
    const char *const *words; /* as its spec had them; NULL: not known */
    struct span screen_title; /* what the program calls itself */
    const char *trouble;      /* why its journal cannot be written; NULL: all is well */
    uint64_t offset;          /* bytes printed in this epoch */
    const char *lost;         /* what of it was found damaged when a daemon started; NULL: nothing */
    uint64_t typed;           /* how often something was typed; what a terminal reports by itself is not */
    int64_t rests_ms;         /* when it will be put to rest unless something happens in it; 0: it will not */
};
void terminal_facts(const struct terminal *t, struct terminal_facts *ret);
/* NULL when it is not in memory: that of an ended one which nobody looks at is only on disk. */
const struct vt *terminal_screen(const struct terminal *t);
/* `shown` is called again in a moment, also when nothing changes. */
void terminal_look_again(struct terminal *t);
/* Calls `done` once the screen is in memory (where it stays for a while), perhaps from within; with NULL
 * when it was deleted meanwhile, or the daemon stops. Without a journal the screen is empty. */
void terminal_with_screen(struct terminal *t, void (*done)(void *user, struct terminal *t), void *user);
/* The newest command lines where the shell tells them (OSC 133), oldest first; at most TERMINAL_COMMANDS_MAX. */
size_t terminal_commands(const struct terminal *t, const char *ret[TERMINAL_COMMANDS_MAX]);
/* Its journal's directory, for reading. */
const char *terminal_journal(const struct terminal *t);

/* For the program. -EPIPE when there is none, -ENOBUFS when it does not read what it was sent before. */
int terminal_input(struct terminal *t, struct span bytes);
/* The same on somebody's behalf, who does not sit there: nobody pressed a key. */
int terminal_input_for(struct terminal *t, struct span bytes);
/* Somebody wants it to stay: its rest is put off as if they had just looked at it. */
void terminal_keep(struct terminal *t);
/* The size follows the last one who asked. -EPIPE, -EINVAL. */
int terminal_resize(struct terminal *t, unsigned cols, unsigned rows);
