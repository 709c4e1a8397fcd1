/* Secrets that are drawn: 32 random bytes in lower-case hexadecimal. */
#pragma once

#include "base/span.h"

enum { SECRET_HEX = 64, SECRET_BYTES = SECRET_HEX + 1 };

/* With a NUL; -EIO when the system has no randomness. */
int secret_draw(char ret[SECRET_BYTES]);

/* Has it the form of one? */
bool secret_is_one(struct span text);

/* In constant time, for what came from outside. */
bool secret_eq(struct span a, struct span b);
