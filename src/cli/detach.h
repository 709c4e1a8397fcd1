/* A daemon in the background, and the words that start the same one again. */
#pragma once

#include "base/path.h"
#include "cli/cmd.h"

/* The daemon's own log in the state directory, unless it was given another. */
int detach_log_path(char ret[PATH_BYTES], struct err *err);

/* Adds an option that was read to `*words`, as it would be typed: files by their absolute paths, because who reads it again may be
 * elsewhere. */
void detach_remember(const struct cmd *c, int code, const char *value, char ***words);

/* Starts `program` with `argv` in a session of its own, its standard error at the end of `log`, and waits until that has become
 * the daemon of this home. Prints where it is, or says why there is none; one that was
 * to `replace` another may find that a third was faster. Returns an exit status. */
int detach_start(const char *program, char **argv, const char *log, bool replace);
