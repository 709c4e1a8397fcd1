/* One look over the machine's processes, for all sessions at once whose agent's process is unknown. */
#pragma once

#include "core/state.h"

struct search_want {
    const struct session *session;
    void *user; /* the caller's */
    /* What was found; pid 0: nobody, or nobody for certain. */
    int64_t pid;
    uint64_t start;
};

/* Fills in what is found for each of `wants`. Processes that cards of `st` have already are not looked at. -errno when the
 * machine cannot be asked; nothing is found then. */
int search_run(const struct state *st, int64_t now_ms, struct search_want *wants, size_t n);
