/*
 * Gemini asks for its plan to be reviewed by the name of a file: the words are in the directory where it keeps the plans of that
 * conversation, beside its transcripts. They are read once for each such request and told (core/activity).
 */
#pragma once

#include "api/note.h"
#include "core/state.h"

/* Owned by struct app. */
struct plan_files {
    const struct notes *notes;
    const struct state *state;
    char tried[ID_BYTES]; /* the request whose file was looked for last */
    bool begun;
};

/* `notes` and `state` are borrowed. */
void plan_files_open(struct plan_files *f, const struct notes *notes, const struct state *state);

/* The spool is caught up: what is asked now is looked at, and from here on every change. */
void plan_files_begin(struct plan_files *f);
/* The session changed: it may ask for a plan to be reviewed. */
void plan_files_session(struct plan_files *f, const struct session *s);
