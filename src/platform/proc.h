/* Processes: a look at what the kernel tells of them. Reading one allocates nothing, because the hook does it. */
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

/* "/dev/pts/3" for a device number; false when it is not a terminal that has a name. */
bool proc_tty_path(uint32_t tty, char ret[PROC_TTY_BYTES]);

/* Has `pid` a child that began at `since` (clock ticks since boot) or later? Helpers that an agent keeps running from
 * its start, such as MCP servers, are older than the tool that is asked about. */
bool proc_has_child(pid_t pid, uint64_t since);

/* The clock ticks since boot of a moment `ms` milliseconds ago. */
uint64_t proc_ticks_ago(int64_t ms);
