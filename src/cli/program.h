/* Other programs, run to their end. */
#pragma once

#include <stdbool.h>

/* Runs it, by its name, with our own output (or none, `quiet`). Its exit status; -ENOENT and others when it could not be run, -EINTR when
 * a signal ended it. */
int program_run(const char *const *argv, bool quiet);
