/* Passwords as the dashboard before us stored them: "salt:hash", scrypt with N 16384, r 8, p 1; the salt is 16 random bytes in
 * hexadecimal, and it is that text which is salted with; the hash is 64 bytes in hexadecimal. Slow on purpose (50 ms): never on
 * the loop thread. */
#pragma once

#include "base/span.h"

enum { PASSWORD_HASH_BYTES = 32 + 1 + 128 + 1, PASSWORD_MIN = 4, PASSWORD_MAX = 1024 };

/* A new salt and its hash, with a NUL. 0, or a negative errno when there is no memory or no randomness. */
int password_hash(struct span password, char ret[PASSWORD_HASH_BYTES]);

/* Is it this password? In constant time once it is hashed. A `stored` that is no such text is nobody's. */
bool password_verify(struct span password, struct span stored);

/* Has it the form of one? */
bool password_is_hash(struct span stored);
