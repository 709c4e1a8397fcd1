#include "hook/agent.h"

static bool is_shell(const char *comm) {
    static const char *const shells[] = {"sh",  "bash", "dash", "zsh",     "fish", "ash",
                                         "ksh", "mksh", "yash", "busybox", "tcsh", "csh"};
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (strcmp(comm, shells[i]) == 0) return true;
    return false;
}

void agent_find(pid_t parent, struct proc *ret) {
    *ret = (struct proc){.pid = parent};
    if (proc_read(parent, ret) < 0 || !is_shell(ret->comm) || ret->parent <= 1) return;
    struct proc before;
    if (proc_read(ret->parent, &before) == 0) *ret = before;
}
