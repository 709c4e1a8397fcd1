/*
 * A database as it is at one moment, copied while others go on writing to it. Neither the file nor its schema is touched, so that an
 * older daemon may be using it.
 */
#pragma once

#include "base/err.h"
#include "store/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct snapshot;

/* Holds the moment. -ENOENT when there is no such database. */
int snapshot_open(const char *file, struct snapshot **ret, struct err *err);
void snapshot_close(struct snapshot *s);

/* How large a copy is; the number that a statement gives. */
uint64_t snapshot_size(const struct snapshot *s);
int snapshot_number(struct snapshot *s, const char *sql, int64_t *ret, struct err *err);

/* Copies it into a file without a name in `dir`, and leaves its descriptor. `tell` hears how many bytes are done; false stops. */
int snapshot_copy(struct snapshot *s, const char *dir, bool (*tell)(void *user, uint64_t done), void *user,
                  int *ret_fd, struct err *err);

/* Is a file a sound database of that schema, which this program can read or bring up to date? -ENOTSUP: a newer program made it. */
int snapshot_verify(const char *file, const struct db_schema *schema, struct err *err);
