/*
 * Does anything run in a terminal, other than a shell that waits at its prompt? It is looked at from outside, through what the kernel
 * tells of all processes. What cannot be seen counts as something: only what is known to be idle may be ended.
 */
#pragma once

#include "platform/proc.h"

enum runs {
    RUNS_NOTHING,   /* the shell waits at its prompt, and is alone */
    RUNS_SOMETHING, /* or it cannot be told */
};

struct runs_look {
    const char *id; /* of the terminal: programs that have left it still carry it in their environment */
    int64_t pid;    /* its first process */
    uint64_t start;
    /* found */
    uint64_t cpu;               /* clock ticks that the first process has had */
    char what[PROC_COMM_BYTES]; /* of RUNS_SOMETHING: which program, as far as there is one; otherwise "" */
};

/* Blocking: for the pool. */
enum runs runs_look(struct runs_look *l);
