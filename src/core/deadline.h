/* Deadlines of conversations and teams: when they fire is part of their state, the heap only finds the next one. */
#pragma once

#include "core/state.h"

/* Sets or moves a deadline; 0 takes it away. */
void deadline_set(struct state *st, struct worker *w, enum deadline_kind kind, int64_t at_ms);
int64_t deadline_get(const struct worker *w, enum deadline_kind kind); /* 0 = never */

/* The same for a team's only one. */
void deadline_set_team(struct state *st, struct team *team, int64_t at_ms);

/* The next one that is due at `now_ms` or before, taken away; NULL when there is none. */
struct deadline *deadline_take(struct state *st, int64_t now_ms, int64_t *ret_at_ms);

/* When the next one fires; USEC_NEVER without any. */
usec_t deadline_next(const struct state *st);
