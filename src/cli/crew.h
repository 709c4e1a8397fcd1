/*
 * Many files looked after by a few threads, told about in order: what a command over thousands of transcripts has in common,
 * with its progress bar and its Ctrl-C.
 */
#pragma once

#include "repair/file.h"

/* One more than this does not help: they wait for the same disk and the same memory. */
enum { CREW_MAX = 4 };

struct crew_job {
    const char *verb; /* "Scanning", before the progress bar */
    size_t count;
    uint64_t (*size)(void *user, size_t item); /* in bytes */
    /* Does the work, in any thread, and returns what is to be told: heap memory, or NULL when `progress` stopped it. */
    void *(*work)(void *user, size_t item, const struct progress *progress);
    /* Says what became of it: one at a time and in order, as soon as that is known. Frees the result. */
    void (*tell)(void *user, size_t item, void *result);
    void *user;
};

/* Returns when everything is done, or -ECANCELED after a Ctrl-C: what was in hand is told, the rest is not touched. */
int crew_run(const struct crew_job *job);

/* Has Ctrl-C been pressed? For work that waits. */
bool crew_is_stopped(void);
