/* Is what stands behind "password:" one, or is it code, a placeholder, a type, a sentence? */
#pragma once

#include "base/span.h"

/* How much a value must look like a secret. */
enum redact_doubt {
    DOUBT_NONE,     /* whatever it is */
    DOUBT_PASSWORD, /* no code, no placeholder, no word that is the name of something */
    DOUBT_BARE,     /* besides, something that no name has: a digit, or a sign */
    DOUBT_RANDOM,   /* besides, long and mixed as only machines write it */
};

bool redact_value_is_secret(enum redact_doubt doubt, struct span value);
