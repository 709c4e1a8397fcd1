/*
 * When a change is told: the first one of a session after a quiet 50 ms at once, what follows within the window as
 * one. Costs nothing while nothing happens.
 */
#pragma once

#include "api/board.h"
#include "base/clock.h"

#include <uv.h>

#define BROADCAST_WINDOW_US (50 * USEC_PER_MSEC)

struct broadcast {
    struct board *board;
    const struct clock *clock;
    struct list ready;   /* struct session.in_broadcast: to be told at the next flush */
    struct list cooling; /* told less than a window ago, in the order of that */
    uv_timer_t window;
};

/* The board is set by the owner before the first change. */
void broadcast_open(struct broadcast *b, uv_loop_t *loop, const struct clock *clock);
void broadcast_close(struct broadcast *b); /* ends asynchronously with the loop */

void broadcast_changed(struct broadcast *b, struct session *s);
void broadcast_removed(struct broadcast *b, struct session *s);
/* Tells what is ready; call it once at the end of a turn of the loop. */
void broadcast_flush(struct broadcast *b);
