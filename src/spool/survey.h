/* What lies in the spool directory. Belongs to the writer's file access, so it allocates nothing. */
#pragma once

#include "spool/segment.h"

/* A sealed segment in the directory. */
struct survey_segment {
    uint64_t number;
    uint64_t size;
    uint64_t dev, ino; /* the file itself, under any name */
};

/* Calls `each` for every sealed segment of `dir`, in no order. Returns 0 or -errno; segments that vanish
 * meanwhile are left out. */
int survey_sealed(const char *dir, void (*each)(void *user, const struct survey_segment *s), void *user);

/* True when `path` names the file open as `fd`. False also when it names nothing; -errno when that is
 * unknown. */
int survey_names(const char *path, int fd);
