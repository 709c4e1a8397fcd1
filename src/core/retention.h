/* How long cards stay once their agents have ended: those of hosted ones until they are closed, or as long as was decided;
 * those of others for a day, on boards that show ended ones. */
#pragma once

#include "core/apply.h"

enum {
    RETENTION_ENDED_MS = 24 * 3600 * 1000, /* one that was only watched is kept for this long after its end */
    RETENTION_HIDDEN_MAX = 200,            /* and at most so many of them */
};

/* For this long; 0: until somebody closes them. It holds for those that have ended already, too. */
void retention_set(struct state *st, int64_t keep_ms);

/* The conversation has just ended, at `at_ms`, or lives (0), or the terminal that held its card is gone: when will the card go? */
void retention_arm(struct state *st, struct worker *w, int64_t at_ms);

/* The card's time is up. One whose terminal still runs stays. */
void retention_due(struct turn *t);
