/*
 * Ends agents' processes: asks politely, and 3 s later not any more. Each process is held all that time, so that another one
 * with the same pid is never hit.
 */
#pragma once

#include "base/list.h"

#include <stdint.h>
#include <uv.h>

enum { KILL_GRACE_MS = 3000 };

/* Owned by struct app. */
struct kills {
    uv_loop_t *loop;
    struct list running; /* struct kill.in_kills */
    uint64_t grace_ms;   /* from SIGTERM to SIGKILL */
};

void kills_open(struct kills *k, uv_loop_t *loop);
/* Those that were asked and still live are left alone; ends asynchronously with the loop. */
void kills_close(struct kills *k);

/* Ends the process `pid` that began at `start`, with its process group when it leads one. Returns when it has been asked to end.
 * -ESRCH when there is no such process any more, or its beginning is not known (0): then another one may have its number. -EPERM when
 * it is not ours to end. */
int kill_start(struct kills *k, int64_t pid, uint64_t start);
