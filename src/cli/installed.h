/* Which agent CLIs are on this machine. */
#pragma once

#include "core/enums.h"

/* Is its program on the PATH, or has it left its directory in the home? */
bool installed_cli(enum cli cli);
