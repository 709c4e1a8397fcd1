/*
 * Which card an event belongs to. An id that is known decides at once. For an agent that was never heard of, exact marks
 * come first (the terminal it was started in, its process), guesses by directory last and only where exactly one card
 * fits; an agent that fits nowhere gets a card of its own.
 */
#pragma once

#include "core/effect.h"
#include "core/event.h"
#include "core/state.h"

enum {
    MATCH_LINK_MS = 60000,        /* a new terminal waits for its agent this long */
    MATCH_RESTARTED_MS = 1800000, /* an agent that died with the daemon away may come back this long */
    MATCH_RESUME_MS = 120000,     /* an agent that a person asked to resume must come within this */
};

/* For an id that is unknown: the worker that the agent belongs to, or NULL when it needs a card of its own. A guess that
 * had several answers is told as an effect. */
struct worker *match_unknown(const struct state *st, const struct event *ev, struct effects *fx);

/* The agent came: the worker waits for none any more. */
void match_settle(struct state *st, struct worker *w);

/* Keeps the list of cards that guesses look at in step; call it when a worker changed or was loaded. */
void match_index(struct state *st, struct worker *w);
