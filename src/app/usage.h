/* What trees of processes take, out of one look at all of them. Pure but for usage_look(). */
#pragma once

#include "base/map.h"
#include "platform/proc.h"

enum { USAGE_PROCESSES_MAX = 65536 };

/* All processes of this user at a moment. */
struct usage {
    struct proc_usage *v;
    size_t n, room;
    int64_t at_ms; /* by a clock that does not jump */
};

void usage_fini(struct usage *u);
void usage_add(struct usage *u, const struct proc_usage *p);
/* Reads them; -errno. */
int usage_look(struct usage *u);

struct usage_tree {
    unsigned processes;
    uint64_t memory_bytes;
    double cpu_percent; /* 100 is one whole CPU; since `before`, or since they began when there is none */
};

/* Of a process with all that it started, and all of the session that it leads: what detached itself still counts. */
struct usage_tree usage_of(const struct usage *now, const struct usage *before, pid_t root, uint64_t start,
                           long ticks_per_second, int64_t age_ms);
