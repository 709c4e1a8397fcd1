#include "hook/agent.h"

enum { GENERATIONS = 4, ANCESTORS = 16 };

/* Programs that are gone when the hook is. */
static bool is_launcher(const char *comm) {
    static const char *const launchers[] = {"sh",   "bash",   "dash", "zsh",    "fish", "ash",     "ksh",
                                            "mksh", "yash",   "csh",  "tcsh",   "env",  "busybox", "timeout",
                                            "nice", "setsid", "time", "stdbuf", "flock"};
    for (size_t i = 0; i < ARRAY_LEN(launchers); i++)
        if (strcmp(comm, launchers[i]) == 0) return true;
    return false;
}

void agent_find(pid_t parent, struct proc *ret) {
    *ret = (struct proc){.pid = parent};
    if (proc_read(parent, ret) < 0) return;
    struct proc at = *ret;
    for (int i = 0; i < GENERATIONS && is_launcher(at.comm); i++)
        if (at.parent <= 1 || proc_read(at.parent, &at) < 0) return;
    if (!is_launcher(at.comm)) *ret = at;
}

static bool has_terminal(const struct proc *p, struct span tty) {
    char name[PROC_TTY_BYTES];
    return p->tty && (!tty.n || (proc_tty_path(p->tty, name) && span_eq_str(tty, name)));
}

bool agent_is_in(const struct proc *agent, struct span tty) {
    struct proc at = *agent;
    if (!at.tty) return false;
    for (int i = 0; i < ANCESTORS && !has_terminal(&at, tty); i++)
        if (at.parent <= 1 || proc_read(at.parent, &at) < 0) return false;
    return has_terminal(&at, tty);
}

bool agent_is_shared(pid_t pid) {
    static char args[PROC_ARGS_BYTES];
    int n = proc_args(pid, args);
    struct span rest = span_of(args, n > 0 ? (size_t)n : 0);
    while (rest.n)
        if (span_eq(span_split(&rest, '\0'), SPAN("app-server"))) return true;
    return false;
}
