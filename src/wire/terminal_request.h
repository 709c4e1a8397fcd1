/* What a client wants a terminal for: the body of POST /api/terminals, read and checked. */
#pragma once

#include "base/arena.h"
#include "base/err.h"

enum {
    TERMINAL_REQUEST_DIR_MAX = 1024, /* characters, as the next five */
    TERMINAL_REQUEST_COMMAND_MAX = 512,
    TERMINAL_REQUEST_NAME_MAX = 128, /* user, tmux session */
    TERMINAL_REQUEST_HOST_MAX = 255,
    TERMINAL_REQUEST_TITLE_MAX = 500,
    TERMINAL_REQUEST_KEY_MAX = 1024,
    TERMINAL_REQUEST_WORDS_MAX = 512,       /* of an argv */
    TERMINAL_REQUEST_BYTES_MAX = 128 << 10, /* of it, and of the environment */
    TERMINAL_REQUEST_ENV_MAX = 128,
    TERMINAL_REQUEST_ENVIRONMENT_MAX = 8192,          /* variables of a whole one */
    TERMINAL_REQUEST_ENVIRONMENT_BYTES_MAX = 2 << 20, /* as much as a program can be given */
    TERMINAL_REQUEST_COLS_MAX = 1000,
    TERMINAL_REQUEST_ROWS_MAX = 500,
};

struct terminal_request {
    const char *directory; /* "~", "~/x" or as it came */
    const char **words;    /* NULL-terminated: what is to be executed; NULL: `command` decides */
    struct span command;   /* as a person typed it, or as the words read; "" is a plain shell */
    struct span api_key, title, label;
    struct span model, effort; /* for an agent */
    const char **environment;  /* NULL-terminated "NAME=value": all of it; NULL: the daemon knows one */
    const char **env;          /* NULL-terminated "NAME=value"; NULL: none */
    unsigned cols, rows;
};

/* Everything in `ret` is in the arena or the body. -EINVAL: refused; -ENOTSUP: understood, but not offered yet. Both with the
 * sentence for the client. */
int terminal_request_parse(struct span body, struct arena *arena, struct terminal_request *ret,
                           struct err *err);

/* The words of a command line: blanks separate them, quotes hold them together, nothing is expanded. -EINVAL for a quote
 * that does not end. `*ret` is NULL-terminated and has one word at least, unless the line is blank. */
int terminal_request_split(struct span line, struct arena *arena, const char ***ret, struct err *err);
