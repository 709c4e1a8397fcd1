/* What lies in the spool directory. Belongs to the writer's file access, so it allocates nothing. */
#pragma once

#include "spool/segment.h"

#include <sys/stat.h>

/* Calls `each` for every sealed segment of `dir`, in no order. Returns 0 or -errno; segments that vanish meanwhile
 * are left out. */
int survey_sealed(const char *dir, void (*each)(void *user, uint64_t number, const struct stat *st),
                  void *user);

/* True when `path` names the file open as `fd`. False also when it names nothing; -errno when that is unknown. */
int survey_names(const char *path, int fd);
