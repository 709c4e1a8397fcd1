/* What a running daemon is told when the configuration was changed beside it. */
#pragma once

#include "base/err.h"

#include <stdbool.h>

/* The password is another one, or gone. Without a daemon there is nobody to tell: 0, and `*ret_running` (may be NULL) is false. */
int tell_password(bool *ret_running, struct err *err);
