/*
 * A process of a test's own, which does nothing until it is ended:
 *
 *     struct child c = child_start(NULL);   …   child_end(&c);
 *
 * It ends with the test in any case.
 */
#pragma once

#include "platform/proc.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
    pid_t pid;
    uint64_t start;
};

/* `prepare` runs in the child before child_start() returns; it may replace the program. */
static inline struct child child_start(void (*prepare)(void)) {
    int ready[2];
    CHECK_INT(pipe2(ready, O_CLOEXEC), 0);
    struct child c = {.pid = fork()};
    if (c.pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (prepare) prepare();
        if (write(ready[1], "", 1) != 1) _exit(1);
        (void)close(ready[0]);
        (void)close(ready[1]);
        for (;;)
            (void)pause();
    }
    (void)close(ready[1]);
    char byte;
    CHECK(read(ready[0], &byte, 1) >= 0); /* the byte, or the end: closed with the old program */
    (void)close(ready[0]);
    struct proc p;
    CHECK_INT(proc_read(c.pid, &p), 0);
    c.start = p.start;
    return c;
}

/* How it ended: the number of the signal. */
static inline int child_reap(const struct child *c) {
    int status;
    CHECK_INT(waitpid(c->pid, &status, 0), c->pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static inline void child_end(const struct child *c) {
    CHECK_INT(kill(c->pid, SIGKILL), 0);
    CHECK_INT(child_reap(c), SIGKILL);
}

/* Dead, but not reaped. */
static inline void child_make_zombie(const struct child *c) {
    CHECK_INT(kill(c->pid, SIGKILL), 0);
    siginfo_t info;
    CHECK_INT(waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT), 0);
}

/* Leaves no file descriptor to be opened, until it is given what it returned. */
static inline struct rlimit no_more_files(void) {
    struct rlimit was, none;
    CHECK_INT(getrlimit(RLIMIT_NOFILE, &was), 0);
    none = was;
    none.rlim_cur = 0;
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
    return was;
}

static inline void files_again(const struct rlimit *was) {
    CHECK_INT(setrlimit(RLIMIT_NOFILE, was), 0);
}
