/*
 * Errors. A function that can fail returns a negative errno; where a person will read the outcome it also takes
 * a `struct err *` (may be NULL) and leaves one sentence there: what went wrong, and what to do.
 */
#pragma once

#include "base/compiler.h"

enum { ERR_MSG_BYTES = 512 };

struct err {
    int code; /* negative errno, 0 when unset */
    char msg[ERR_MSG_BYTES];
};

/* Stores the sentence and returns `code`, so that a failure is one line: return err_set(err, -EINVAL, "…"). */
int err_set(struct err *err, int code, const char *fmt, ...) PRINTF(3, 4);

/* err_set() with the system's own words for `code` behind the sentence. */
int err_sys(struct err *err, int code, const char *fmt, ...) PRINTF(3, 4);
