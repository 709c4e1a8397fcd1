/*
 * Nothing was heard for long: what then? The timers are for agents about which nothing else is known. Where the process
 * is known it is looked at first, and an approval that a hook announced stays until something answers it.
 */
#pragma once

#include "core/apply.h"

/* After each event: when to look again. */
void idle_watch(struct turn *t);

/* The time is over. Decides, or asks for a probe. */
void idle_due(struct turn *t);

/* The probe's answer. */
void idle_probed(struct turn *t, bool has_child);
