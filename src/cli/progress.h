/* How far long work has come: a line on standard error, when that is a terminal and the work takes longer than a moment. */
#pragma once

#include "base/clock.h"

#include <stdbool.h>

struct progress_bar {
    const char *verb; /* "Scanning" */
    uint64_t total;   /* bytes */
    usec_t started, drawn_at;
    bool wanted, drawn;
};

void progress_bar_init(struct progress_bar *b, const char *verb, uint64_t total);

/* `done` bytes of the total. Costs next to nothing when it is too early for a line, or for the next one. */
void progress_bar_show(struct progress_bar *b, uint64_t done);

/* Takes the line away: at the end, and before anything else is written. */
void progress_bar_clear(struct progress_bar *b);
