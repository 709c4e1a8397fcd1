/* Who called the hook: a look at /proc without allocating. */
#pragma once

#include "base/span.h"

#include <sys/types.h>

enum { PROC_COMM_BYTES = 64, PROC_TTY_BYTES = 24 };

struct proc {
    pid_t pid;
    pid_t parent;
    char comm[PROC_COMM_BYTES];
    uint32_t tty;   /* device number, 0 without a terminal */
    uint64_t start; /* in clock ticks since boot: tells a reused pid apart */
};

/* What the kernel says of `pid`. -errno, or -EBADMSG when it cannot be understood. */
int proc_read(pid_t pid, struct proc *ret);

/* The same from the text of /proc/PID/stat. */
int proc_parse(struct span stat, struct proc *ret);

/* The agent that runs the hook `parent`'s child: the parent itself, or the one before it when the parent
 * is only the shell of an `sh -c`. Falls back to what is known of the parent. */
void proc_agent(pid_t parent, struct proc *ret);

/* "/dev/pts/3" for a device number; false when it is not a terminal that has a name. */
bool proc_tty_path(uint32_t tty, char ret[PROC_TTY_BYTES]);
