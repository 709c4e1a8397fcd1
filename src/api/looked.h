/*
 * Which sessions one client looks at (its `hello`), and what it has still to be told of their transcripts. The news are kept here
 * until the client takes them, the newest of each session only: a slow client costs no more memory than its hello did.
 */
#pragma once

#include "base/list.h"
#include "base/map.h"
#include "wire/board_msg.h"

struct looked_set {
    struct map by_session; /* the agent's session id → struct looked */
    struct list due;       /* those with news */
};

void looked_init(struct looked_set *set);
void looked_fini(struct looked_set *set);

/* A new hello begins; what is not named again by looked_add() until looked_end() is looked at no longer. */
void looked_begin(struct looked_set *set);
/* Looks at a session, which the client calls `name`. Returns whether it is to be looked after now: it is new here, or more
 * urgent than before. */
bool looked_add(struct looked_set *set, struct span session_id, struct span name, enum board_urgency urgency);
void looked_end(struct looked_set *set);

/* Something was found; returns whether this client is to be told. */
bool looked_news(struct looked_set *set, struct span session_id, const struct transcript_news *news);

/* Writes the next message; false when there is none. */
bool looked_next(struct looked_set *set, struct buf *out);
