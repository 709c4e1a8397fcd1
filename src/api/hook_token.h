/* The token that hooks from other machines bring along: a file beside the configuration, for its owner to copy. It is read each
 * time, so that putting another one there is all it takes to change it. */
#pragma once

#include "base/span.h"

/* Is it this one? When there is no file yet it is made: now somebody needs it. */
bool hook_token_matches(const char *file, struct span token);
