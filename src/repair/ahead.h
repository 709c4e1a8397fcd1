/*
 * A backup that is begun before it is known to be needed: while a large file is still being read and looks broken already, the
 * copy is made beside the reading. What turns out not to be needed is thrown away.
 */
#pragma once

#include "repair/copy.h"

#include <pthread.h>
#include <stdatomic.h>

struct ahead {
    const struct place *place;
    int fd;
    uint64_t size;
    bool begun;
    pthread_t thread;
    atomic_bool cancelled;
    struct beside copy;
    int result;
};

/* Begins to copy the first `size` bytes; failing to is no failure, the backup is then made later. */
void ahead_begin(struct ahead *a, const struct place *place, int fd, uint64_t size);

/* The backup, finished: waits for what was begun, or makes it now. As backup_make(). */
int ahead_finish(struct ahead *a, int64_t now_ms, const struct progress *p, uint64_t done, uint64_t total,
                 char ret_name[PATH_BYTES], struct err *err);

/* No backup is needed (any more); no harm otherwise. */
void ahead_drop(struct ahead *a);
