/* The spool writer, shared by the hook and the daemon. One of the two places where tier 1 touches files.
 * Allocates nothing. */
#pragma once

#include "base/span.h"
#include "spool/spool.h"

#include <sys/uio.h>

enum { SPOOL_PARTS_MAX = 6 };

/* When a writer tidies up by itself, see SPOOL_SEAL_ALONE_BYTES and SPOOL_CAP_BYTES. */
struct spool_limits {
    uint64_t seal_alone_bytes;
    uint64_t cap_bytes;
};

/* Appends one record made of `parts` (which contain no newline) to the active segment of `dir`, creating
 * what is missing. Blocks only while the reader holds the lock for a moment, never longer than a second.
 * Returns 0 or -errno (-ENOSPC, -EACCES, …); a torn record is possible then, and harmless. */
int spool_append(const char *dir, const struct iovec *parts, int count);

/* Could a record be appended now? 0 as far as can be told without writing anything, or the -errno that a writer would get: a file
 * system that went read-only by itself lets files be opened all the same. */
int spool_check(const char *path);

/* spool_append() with other limits than the product's; tests use it. */
int spool_append_within(const char *path, const struct iovec *parts, int count,
                        const struct spool_limits *limits);

/* Renames the active segment open as `fd` to a sealed one, if nobody writes to it now and it is still the
 * active one. Returns 1 when it did, with the name; 0 when not now; -errno. `now_us`: wall clock. The
 * descriptor's lock is free afterwards in every case. */
int spool_seal(const char *path, int fd, uint64_t now_us, char ret_name[SPOOL_SEALED_NAME_BYTES]);
