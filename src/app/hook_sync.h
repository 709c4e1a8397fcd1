/*
 * Hooks that were installed once are brought up to date: at the start, and while the daemon runs when a CLI was updated or put
 * back to an older version, which may not know all of the events. The files are worked on on the pool.
 */
#pragma once

#include "base/path.h"
#include "config/config.h"

#include <uv.h>

enum { HOOK_SYNC_MS = 60 * 1000 }; /* between two looks at the CLIs' versions */

struct hook_sync {
    uv_timer_t timer;
    uv_work_t work;
    bool at_work;
    bool all; /* not just those of a changed CLI */
    struct paths paths;
    char *path;      /* the PATH of the person's shell; NULL: it is not known */
    char *work_path; /* the pool's copy */
    bool begun;
    unsigned clis;
    bool has_density;
    enum config_density density;
};

void hook_sync_open(struct hook_sync *s, uv_loop_t *loop);
/* Ends asynchronously with the loop. */
void hook_sync_close(struct hook_sync *s);

/* What to do, once the programs that a person's shell finds are known: begin with all of `clis` (bits 1 << enum cli), at `density`,
 * or at the one that each has (NULL). True when there are hooks that it could matter to. */
bool hook_sync_start(struct hook_sync *s, const struct paths *paths, unsigned clis,
                     const enum config_density *density);
/* The PATH of the person's shell is known, or has changed: older CLIs may be there, which read the same settings. */
void hook_sync_know(struct hook_sync *s, const char *path);
/* After the loop has run empty. */
void hook_sync_fini(struct hook_sync *s);
