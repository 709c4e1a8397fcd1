/* A look at a database without touching it, and which libraries this folder uses. */
#pragma once

#include "base/err.h"

/* Reads the whole file and says whether its structure is sound. -ENOENT when there is none; -EUCLEAN and others with a sentence. A
 * daemon that uses it meanwhile does not mind. */
int store_check(const char *file, struct err *err);

const char *store_sqlite_version(void);
const char *store_zstd_version(void);
