/*
 * Claude Code says in a file for each of its processes, sessions/PID.json in its directory, what it does: busy, waiting, idle. The
 * directory is watched, so a change is known at once and nothing polls. It is found by the transcripts: there is one for
 * every CLAUDE_CONFIG_DIR that somebody uses.
 */
#pragma once

#include "api/note.h"
#include "core/state.h"

#include <uv.h>

enum { STATE_DIRS_MAX = 16 };

/* Owned by struct app. */
struct state_files {
    uv_loop_t *loop;
    const struct notes *notes;
    const struct state *state;
    struct list dirs; /* struct state_dir */
    size_t count;
    uv_timer_t later; /* they are looked at once more: what one said may have been about to change */
    usec_t missed_us; /* when a directory was not there: it is not looked for with every event */
    bool begun;
};

/* `notes` and `state` are borrowed until state_files_close(). */
void state_files_open(struct state_files *f, uv_loop_t *loop, const struct notes *notes,
                      const struct state *state);
void state_files_close(struct state_files *f);

/* The spool is caught up: what the files say now is told, and from here on every change. */
void state_files_begin(struct state_files *f);
/* The session changed: looks after the directory that its CLI writes to, if it is one that does. */
void state_files_session(struct state_files *f, const struct session *s);
