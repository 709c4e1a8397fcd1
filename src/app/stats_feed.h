/* Tells who wants to know how the hooks do: at once, and then at most once a second. */
#pragma once

#include "api/board.h"

#include <uv.h>

enum { STATS_FEED_MS = 1000 };

struct stats_feed {
    struct board *board;
    uv_timer_t timer;
    bool news; /* came while the last message was less than a second old */
};

/* The board is set by the owner before the first event. */
void stats_feed_open(struct stats_feed *f, uv_loop_t *loop);
void stats_feed_close(struct stats_feed *f); /* ends asynchronously with the loop */
/* The stats changed. */
void stats_feed_news(struct stats_feed *f);
