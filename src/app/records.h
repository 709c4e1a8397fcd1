/*
 * The records that CLIs keep of their conversations, read as they grow: they tell what no hook does
 * (core/cli_line). A file is watched while its session lives, so nothing polls.
 */
#pragma once

#include "api/note.h"
#include "base/map.h"
#include "core/state.h"

#include <uv.h>

/* Owned by struct app. */
struct records {
    uv_loop_t *loop;
    const struct notes *notes;
    const struct state *state;
    struct map by_session; /* stable id → struct record */
    bool begun;
};

/* `notes` and `state` are borrowed until records_close(). */
void records_open(struct records *r, uv_loop_t *loop, const struct notes *notes, const struct state *state);
void records_close(struct records *r);

/* The spool is caught up: what was written while no daemon ran is told, and from here on everything. */
void records_begin(struct records *r);
/* The session changed: it may have a record now, or another one, or have ended. */
void records_session(struct records *r, const struct session *s);
/* It leaves the board. */
void records_forget(struct records *r, const struct session *s);
