#include "keeper/start.h"

#include "platform/proc.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static int trouble(struct say *why, const char *what, const char *name, int code) {
    (void)say_wrong(why, what, name, "");
    say_why(why, code);
    return code;
}

static int explain(enum pty_step step, int code, const struct args *a, struct say *why) {
    switch (step) {
    case PTY_STEP_DIRECTORY:
        if (code == -ENOENT) return say_wrong(why, "the directory ", a->directory, " does not exist");
        if (code == -ENOTDIR) return say_wrong(why, "", a->directory, " is no directory");
        return trouble(why, "cannot work in the directory ", a->directory, code);
    case PTY_STEP_EXECUTE:
        if (code == -ENOENT)
            return say_wrong(why, "the program ", a->argv[0],
                             " was not found: install it, or give its whole path");
        return trouble(why, "cannot run ", a->argv[0], code);
    case PTY_STEP_SESSION: return trouble(why, "cannot give the program a terminal", "", code);
    case PTY_STEP_FORK: break;
    }
    return trouble(why, "cannot start a program", "", code);
}

static int open_terminal(struct loop *l, const struct args *a, mode_t mask, struct say *why) {
    int r = pty_open(&l->pty, &a->size);
    if (r < 0) return trouble(why, "cannot open a terminal", "", r);
    const struct pty_program program = {.argv = a->argv,
                                        .directory = a->directory,
                                        .pid_variable = a->pid_variable,
                                        .tty_variable = a->tty_variable,
                                        .mask = mask};
    enum pty_step failed;
    r = pty_spawn(&l->pty, &program, &l->child, &failed);
    return r < 0 ? explain(failed, r, a, why) : 0;
}

int start(struct loop *l, const struct args *a, mode_t mask, struct say *why) {
    struct keeper_memory *memory =
        mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return trouble(why, "there is no memory for a terminal", "", -errno);
    int r = unixsock_listen(&l->listener, a->socket);
    if (r < 0) return trouble(why, "cannot listen at ", a->socket, r);
    r = open_terminal(l, a, mask, why);
    if (r < 0) {
        unixsock_close(&l->listener);
        return r;
    }
    struct proc child = {0};
    (void)proc_read(l->child,
                    &child); /* one that has ended already can still be read: it is not reaped yet */
    const struct keeper_start begin = {.epoch = a->epoch,
                                       .pid = getpid(),
                                       .child = l->child,
                                       .child_start = child.start,
                                       .size = {.cols = a->size.cols, .rows = a->size.rows},
                                       .program = loop_program(l),
                                       .memory = memory};
    keeper_init(&l->keeper, &begin, clock_mono(&clock_system));
    return 0;
}
