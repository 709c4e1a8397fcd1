/* Is a CLI used on this machine, as far as one can see? */
#pragma once

#include "setup/place.h"

/* Where in PATH its program is; false, and "", when it is not there. */
bool setup_find_program(enum cli cli, char ret[PATH_BYTES]);

/* Its program is in PATH, or it has a directory for its settings. */
bool setup_is_here(const struct setup_place *p, enum cli cli);
