/* The version of a program, from the files that it was installed with: nothing is run. */
#pragma once

#include "base/path.h"
#include "setup/cli_version.h"

/* False when they do not tell, as around a shim of some version manager's. */
bool installed_version(enum cli cli, const char *program, struct cli_version *ret);
