/* Starts a keeper, which goes into the background by itself and says on its standard output whether it could. */
#pragma once

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

struct launch_spec {
    const char *keeper;    /* the program */
    const char *unit;      /* name of its own systemd scope */
    const char *socket;    /* where it is to listen */
    const char *directory; /* of the program that it hosts */
    uint64_t epoch;
    unsigned cols, rows;
    const char *const *argv;  /* of that program */
    const char *const *env;   /* its whole environment */
    const char *pid_variable; /* of it: gets the program's number; NULL: none does */
    const char *tty_variable; /* likewise, the name of its terminal */
    const mode_t *umask;      /* its umask; NULL: our own */
};

struct launch_result {
    int64_t child_pid;
    uint64_t child_start;
};

/* Called once, on the loop: 0 and the result, or -errno and a sentence. */
typedef void launch_done(void *user, int r, const struct launch_result *result, const struct err *err);

/* Returns at once. A failure to begin at all is returned and `done` is not called. */
int launch_keeper(uv_loop_t *loop, const struct launch_spec *spec, launch_done *done, void *user,
                  struct err *err);
