/* What a program prints. */
#pragma once

#include "base/buf.h"

/* Runs a program in a session of its own, with nothing to read and nowhere to complain to, until it has closed its output or the time
 * is up; then it is ended with whatever it started. What it printed goes behind what `out` holds, as much as fits.
 * -ETIMEDOUT, or a negative errno when it cannot be started. */
int capture_output(const char *const *argv, const char *const *env, int limit_ms, struct buf *out);
