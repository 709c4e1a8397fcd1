/* What lies in the spool directory. Belongs to the writer's file access, so it allocates nothing. */
#pragma once

#include "spool/segment.h"

/* A sealed segment in the directory. */
struct survey_segment {
    uint64_t number;
    uint64_t size;
    uint64_t dev, ino; /* the file itself, under any name */
};

/* Calls `each` for every sealed segment of the directory open as `dir`, in no order. What only has such a name, a link or a FIFO or
 * another user's file, is none. Returns 0 or -errno; segments that vanish meanwhile are left out. */
int survey_sealed(int dir, void (*each)(void *user, const struct survey_segment *s), void *user);

/* True when `name` in `dir` is the file open as `fd`, and no link to it. False also when it names nothing; -errno when that is
 * unknown. */
int survey_names(int dir, const char *name, int fd);
