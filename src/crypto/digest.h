/* SHA-256. */
#pragma once

#include "base/span.h"

enum { DIGEST_SHA256_HEX = 65 };

/* In lower-case hexadecimal, with a NUL. */
void digest_sha256(struct span bytes, char ret[DIGEST_SHA256_HEX]);

/* The same of what comes in pieces; digest_end() frees it. */
struct digest;
struct digest *digest_begin(void);
void digest_add(struct digest *d, struct span bytes);
void digest_end(struct digest *d, char ret[DIGEST_SHA256_HEX]);

/* The version of the library that does it. */
const char *digest_library(void);
