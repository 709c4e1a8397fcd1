/* How long the cards of hosted agents stay on the board once these have ended. Those of others go by themselves. */
#pragma once

#include "core/apply.h"

/* For this long; 0: until somebody closes them. It holds for those that have ended already, too. */
void retention_set(struct state *st, int64_t keep_ms);

/* The conversation has just ended, at `at_ms`, or lives (0), or the terminal that held its card is gone: when will the card go? */
void retention_arm(struct state *st, struct worker *w, int64_t at_ms);

/* The card's time is up. One whose terminal still runs stays. */
void retention_due(struct turn *t);
