/*
 * Keys that are typed into an agent's terminal on somebody's behalf, a step at a time: a look at the screen decides about the next
 * keys, and whether those before have arrived. Whoever types there meanwhile comes first: then it is given up. One at a time in a
 * terminal. What happens is told by the screen, never asked for in a loop.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/list.h"
#include "core/model.h"
#include "pty/terminals.h"

#include <uv.h>

enum { TYPING_STEP_MS = 3000 }; /* within which the screen has to show what came of it */

enum typing_next {
    TYPING_WAIT, /* for the screen to change */
    TYPING_SOON, /* look again in `soon_ms`, also when nothing changes */
    TYPING_KEYS, /* type these */
    TYPING_DONE,
    TYPING_FAILED, /* `why` says why */
};

/* What is there to be looked at. */
struct typing_view {
    const struct span *rows; /* of the screen, the lowest first */
    size_t count;
    bool takes_paste;
    bool is_late; /* the time for this step is over: the last look */
    struct arena *arena;
};

struct typing;
struct typing_ops {
    enum typing_next (*look)(struct typing *t, const struct typing_view *v, struct buf *keys,
                             struct err *why);
    /* Exactly once. */
    void (*end)(struct typing *t, bool done, const char *why);
    /* Last of all: frees what it is part of. */
    void (*release)(struct typing *t);
};

struct typings {
    uv_loop_t *loop;
    const struct clock *clock;
    struct list running;
};

struct typing {
    struct typings *owner;
    struct list in_running;
    const struct typing_ops *ops;
    struct terminal *terminal;
    uv_timer_t timer;
    usec_t until_us; /* of this step */
    uint64_t typed;  /* by people, when it began */
    unsigned steps;  /* keys were typed so often */
    unsigned soon_ms;
};

void typings_open(struct typings *ts, uv_loop_t *loop, const struct clock *clock);
/* Gives up what is under way. */
void typings_close(struct typings *ts);

/* Begins with a look at once, perhaps ends at once. -EBUSY: another one is under way there; -EPIPE: its program does not run. Then
 * nothing of `ops` is called. */
int typing_begin(struct typings *ts, struct typing *t, const struct typing_ops *ops,
                 struct terminal *terminal);

/* The terminal of the worker when something can be typed there; NULL otherwise. */
struct terminal *typing_terminal(struct terminals *terminals, const struct worker *w);

/* What the terminal shows has changed. */
void typings_shown(struct typings *ts, const struct terminal *terminal);
/* Its program is gone. */
void typings_gone(struct typings *ts, const struct terminal *terminal);
