/* What `ostler repair` says of each transcript, and of all of them at the end: lines for people, or JSON for programs. */
#pragma once

#include "app/mender.h"

/* How many of each kind. */
struct breaks {
    uint64_t orphans, cycles, glued, stop_hooks;
};

struct repair_report {
    bool json;
    bool is_scan;      /* verdicts only; otherwise what was mended */
    bool dry_run;      /* …or would be */
    bool only_changes; /* nothing is said of those that were well */

    /* counted as they are told */
    uint64_t files, healthy, broken, mended, failed;
    struct breaks breaks;
    bool has_head; /* the columns have their names */
};

/* One transcript. Of a scan only `scan` and `err` of the outcome are looked at. */
void repair_report_file(struct repair_report *r, const char *path, const struct mender_outcome *outcome);

/* The sentence at the end, with what to do next. Says nothing as JSON. */
void repair_report_end(const struct repair_report *r);

/* Could everything be mended, or looked at? */
static inline bool repair_report_is_well(const struct repair_report *r) {
    return r->failed == 0;
}
