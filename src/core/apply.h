/* The heart: an event and a time go in, changes of the state and effects come out. Deterministic: the same records
 * always lead to the same state and the same ids. */
#pragma once

#include "core/effect.h"
#include "core/event.h"
#include "core/state.h"

enum {
    APPLY_REMOVAL_MS = 10000,    /* an ended card that was only watched stays on every board for this long */
    APPLY_PROMPT_UNITS = 16000,  /* of a prompt that is kept in memory */
    APPLY_RESPONSE_UNITS = 2000, /* of a response */
    APPLY_WAITING_UNITS = 500,   /* of what it waits for */
    APPLY_DETAIL_UNITS = 80,     /* of a text quoted in an event's detail */
    APPLY_READING_MS = 1500,     /* nobody reads what an agent said, and ends it, faster */
    APPLY_HEAVY_TOOL_CALLS = 10, /* a turn with more of them was heavy work */
    APPLY_TOOL_NAMES_MAX = 200,  /* tools of a conversation that are counted by name */
};

/* What one event works on. */
struct turn {
    struct state *state;
    struct effects *fx;
    struct session *session;
    struct worker *worker;
    struct conversation *conv;
    enum session_status was; /* before this event */
    int64_t was_pid;
    uint64_t was_start; /* of that process */
    bool is_new;        /* the card was made by this event */
    int64_t at_ms;
    int64_t until_ms;       /* the time that is being caught up with; at_ms or later */
    uint64_t pos;           /* of the record; 0 when only time passed */
    uint64_t events_logged; /* by this record so far */
    size_t answered;        /* requests that this event showed to be answered */
    uint64_t call_pos;      /* of the history entry of the call that this event ended; 0: unknown */
    struct arena *arena;    /* scratch memory of this event */
};

/* The turn is about this worker. */
void turn_take(struct turn *t, struct worker *w);
/* The card changed: the boards are told. */
void turn_tell(struct turn *t);
/* Takes the card off the board; the turn is about nobody from then on. */
void turn_remove(struct turn *t);
/* Brings in step what depends on the worker: its team, the watch on its process, where guesses look. */
void turn_end(struct turn *t);

/* The last segment of a path, as a project's name. */
struct span apply_project_name(struct span path);

/* Fires the deadlines up to `now_ms`. */
void apply_time(struct state *st, int64_t now_ms, struct effects *fx);

/* Fires the deadlines up to the event's time, then applies it. Returns false when its Idempotency-Key was seen
 * before: then nothing changed. `arena` is scratch memory for this event. */
bool apply_event(struct state *st, const struct event *ev, struct arena *arena, struct effects *fx);
