/* Deadlines of a conversation: when they fire is part of its state, the heap only finds the next one. */
#pragma once

#include "core/state.h"

/* Sets or moves a deadline; 0 takes it away. */
void deadline_set(struct state *st, struct worker *w, enum deadline_kind kind, int64_t at_ms);

/* The next one that is due at `now_ms` or before, taken away; NULL when there is none. */
struct deadline *deadline_take(struct state *st, int64_t now_ms, int64_t *ret_at_ms);

/* When the next one fires; USEC_NEVER without any. */
usec_t deadline_next(const struct state *st);

/* After a load: puts the deadlines of every conversation into the heap. */
void deadline_restore(struct state *st);
