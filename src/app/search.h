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

struct search;

struct search *search_new(void);
void search_free(struct search *s);

/* Looks at every process: milliseconds, so it is for a thread of the pool. Once for each search. -errno when the machine
 * cannot be asked. */
int search_look(struct search *s);

/* Fills in what was found for each of `wants`. Processes that cards of `st` have already are left out. */
void search_match(struct search *s, const struct state *st, int64_t now_ms, struct search_want *wants,
                  size_t n);
