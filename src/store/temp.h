/*
 * Files on their way to a name: written beside it, and gone if they do not get there. Each is locked while somebody works
 * on it, so that the leftovers of a process that was killed can be told from the work of one that lives.
 */
#pragma once

#include "base/err.h"
#include "base/path.h"

#include <stdint.h>

struct temp {
    int fd;
    char path[PATH_BYTES]; /* "" when it has its name, or none */
};

#define TEMP_NONE ((struct temp){.fd = -1})

/* A new file (0600) in `dir`. */
int temp_make(const char *dir, struct temp *ret, struct err *err);

/* Sets its modification time and makes it durable, before it gets its name. */
int temp_finish(struct temp *t, int64_t mtime_ns, struct err *err);

/* Gives it its name on the same file system, in place of what is there, or only if nothing is: -EEXIST. */
int temp_replace(struct temp *t, const char *path, struct err *err);
int temp_place(struct temp *t, const char *path, struct err *err);

/* Removes the leftovers in `dir`. */
void temp_sweep(const char *dir);

/* Closes it, and removes it unless it got its name. */
void cleanup_temp(struct temp *t);
