/* What is masked on its way to the disk, and in logs: the patterns of term/redact, or the user's own. */
#pragma once

#include "base/err.h"
#include "base/path.h"
#include "term/redact.h"

enum { PATTERNS_BYTES_MAX = REDACT_PATTERNS_MAX * REDACT_PATTERN_BYTES_MAX };

/* Those in redact.patterns of the configuration directory when there is such a file, else the built-in ones. A file that
 * cannot be used is an error, with its name and line. */
int patterns_compile(const struct paths *paths, struct redact_set **ret, struct err *err);
