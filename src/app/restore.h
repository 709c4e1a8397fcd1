/*
 * A backup put back. It is unpacked beside the state directory and checked; only then does it take that directory's place, in one step.
 * Whatever happens before leaves everything as it was, whatever happens after leaves it restored.
 */
#pragma once

#include "app/backup.h"

struct restore_options {
    bool replace; /* what is there is moved aside; without it there must be nothing */
    const struct backup_watch *watch;
};

struct restored {
    struct backup_info info;
    char aside[PATH_BYTES]; /* where the old state is now; "" when there was none */
};

/* Restores from an open file. -EEXIST: there is something already; -EBUSY: a daemon runs there, or terminals do. */
int restore(const struct paths *paths, int in, const char *file, const struct restore_options *options,
            struct restored *ret, struct err *err);
