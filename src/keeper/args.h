/* The command line: ostler-keeper --socket PATH --epoch MS --cols N --rows N [--cwd DIR] [--pid-variable NAME]
 * [--tty-variable NAME] -- PROGRAM ARG… */
#pragma once

#include "keeper/say.h"
#include "platform/pty.h"

struct args {
    const char *socket;
    uint64_t epoch;
    struct pty_size size;
    const char *directory;    /* NULL: where we are */
    const char *pid_variable; /* of the environment, for the program's number; NULL: none */
    const char *tty_variable; /* likewise, for the terminal's name */
    const char *const *argv;  /* the program's; ends with NULL */
};

/* -EINVAL and a sentence when it is not understood. */
int args_parse(const char *const *argv, struct args *ret, struct say *why);
