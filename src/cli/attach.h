/* Somebody at a terminal of ours: keys to the program, its screen to them, over the daemon's death. */
#pragma once

#include "base/err.h"
#include "cli/chord.h"
#include "cli/tap.h"

struct attach_options {
    struct tap_target target;
    const char *name; /* what to call it when it is left: "ostler attach NAME" */
    char prefix;      /* of the chord */
};

/* Returns the exit status: the program's when it ended, 0 when it was detached from, 128 + the signal that ended us. Or -errno
 * with a sentence when it could not be reached. */
int attach_run(const struct attach_options *options, struct err *err);
