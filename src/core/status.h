/* The status machine: event table row → status, animation, emote, with the evidence for it. */
#pragma once

#include "core/apply.h"

/* What a status rests on. */
struct reason {
    enum evidence_source source;
    const char *event; /* the hook, or the rule */
    int64_t at_ms;
};

/* Moves a conversation, with the evidence for it. */
void status_move(struct state *st, struct worker *w, enum session_status status, enum animation animation,
                 struct reason reason);

/* Moves the conversation as the event's row says. */
void status_apply(struct turn *t, const struct event *ev);

/* Moves it to `status` for a reason that the row cannot know; the event is the evidence. An ended conversation stays
 * ended. */
void status_set(struct turn *t, const struct event *ev, enum session_status status, enum animation animation);

/* What a subagent asked is answered: the conversation is as it was before. */
void status_answered(struct turn *t, const struct event *ev);

/* Does it think, or use a tool? */
bool status_is_busy(enum session_status s);
/* Does it wait for an answer? */
bool status_is_asking(enum session_status s);
