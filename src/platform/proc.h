/* Processes: a look at what the kernel tells of them. Reading one allocates nothing, because the hook does it. */
#pragma once

#include "base/path.h"
#include "base/span.h"

#include <sys/types.h>

enum {
    PROC_COMM_BYTES = 64,
    PROC_TTY_BYTES = 24,
    PROC_ARGS_BYTES = 4096, /* of a command line; only its first words are ever looked at */
};

struct proc {
    pid_t pid;
    pid_t parent;
    char comm[PROC_COMM_BYTES];
    bool zombie;      /* it has ended, and its parent has not noticed yet */
    uint32_t tty;     /* device number, 0 without a terminal */
    pid_t foreground; /* the process group that its terminal listens to; 0 = none */
    uint64_t start;   /* in clock ticks since boot: tells a reused pid apart */
};

/* What the kernel says of `pid`. -errno, or -EBADMSG when it cannot be understood. */
int proc_read(pid_t pid, struct proc *ret);

/* The same from the text of /proc/PID/stat. */
int proc_parse(struct span stat, struct proc *ret);

/* What a process takes, beside what it is. */
struct proc_usage {
    struct proc proc;
    pid_t session; /* of the process that leads it */
    uint64_t cpu;  /* clock ticks that it has had, of user and system time */
    uint64_t memory_bytes;
};
int proc_usage_read(pid_t pid, struct proc_usage *ret);
/* The same from the text of /proc/PID/stat. */
int proc_usage_parse(struct span stat, struct proc_usage *ret);
/* Clock ticks in a second. */
long proc_ticks_per_second(void);

/* Does the process live that began at `start` (0: whichever has the pid)? A doubt is no death: true when the kernel
 * cannot be asked, as without a free descriptor. */
bool proc_alive(int64_t pid, uint64_t start);

/* Calls `each` for every process of this user, zombies too, in one pass; it ends when `each` returns other than 0, and
 * returns that. What is wanted of a process is read by `each`: most of them can be told by little. */
int proc_each(int (*each)(void *user, pid_t pid), void *user);
/* The same for everybody's, as far as the system shows them. */
int proc_each_user(int (*each)(void *user, pid_t pid), void *user);

/* Its working directory. -ENAMETOOLONG when that does not fit. */
int proc_cwd(pid_t pid, char ret[PATH_BYTES]);

/* Its command line as far as it fits: words with a NUL behind each. Returns the bytes; 0 when it has none. */
int proc_args(pid_t pid, char ret[PROC_ARGS_BYTES]);

/* "/dev/pts/3" for a device number; false when it is not a terminal that has a name. */
bool proc_tty_path(uint32_t tty, char ret[PROC_TTY_BYTES]);

/* A child of `pid` that began at `since` (clock ticks since boot) or later; 0 when there is none. Helpers that an agent keeps
 * running from its start, such as MCP servers, are older than the tool that is asked about. */
pid_t proc_child(pid_t pid, uint64_t since);

/* 1 when it has a child, 0 when it has none, -errno when the kernel does not tell. */
int proc_has_child(pid_t pid);

/* Which pids these are: containers count their own. 0 when the system does not say. */
uint64_t proc_namespace(void);

/* How long a process that began at `start` (clock ticks since boot) has been there, in milliseconds. */
int64_t proc_age_ms(uint64_t start);

/* The clock ticks since boot of a moment `ms` milliseconds ago. */
uint64_t proc_ticks_ago(int64_t ms);
