/*
 * Codex and Gemini tell nobody that a person allowed a command. But the command is a process then, a child of the agent's that
 * was not there when it was asked for. While such a question is open, and only then, the children are looked at.
 */
#pragma once

#include "api/note.h"
#include "core/state.h"

#include <uv.h>

enum { ANSWERS_EVERY_MS = 250 };

/* Owned by struct app. */
struct answers {
    const struct notes *notes;
    const struct state *state;
    struct map asked; /* stable id → struct asked */
    uv_timer_t timer; /* runs while it is not empty */
};

/* `notes` and `state` are borrowed until answers_close(). */
void answers_open(struct answers *a, uv_loop_t *loop, const struct notes *notes, const struct state *state);
void answers_close(struct answers *a);

/* The session changed: it may ask something, or nothing any more. */
void answers_session(struct answers *a, const struct session *s);
