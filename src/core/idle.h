/*
 * Nothing was heard for long: what then? The timers are for agents about which nothing else is known. Where the process
 * is known it is looked at first, and an approval that a hook announced stays until something answers it.
 */
#pragma once

#include "core/apply.h"

/* After each event: when to look again. */
void idle_watch(struct state *st, struct worker *w, int64_t at_ms);

/* The time is over. Decides, or asks for a probe. */
void idle_due(struct state *st, struct worker *w, int64_t at_ms, struct effects *fx);

/* The probe's answer. */
void idle_probed(struct state *st, struct worker *w, int64_t at_ms, bool has_child, struct effects *fx);
