/*
 * Bytes that clients have sent and that are still in memory because they are not whole, not looked at or not answered: heads and
 * bodies of requests, what waits behind them, pieces of WebSocket messages. Pure. One number for all connections together, of
 * which who is none of ours, or comes by a proxy, gets at most half, and all but the owner's socket three quarters.
 */
#pragma once

#include "net/crowd.h"

struct budget {
    size_t max;
    size_t used;
};

/* Could this one keep `more` bytes besides what all have? */
bool budget_fits(const struct budget *b, enum crowd_kind kind, size_t more);
/* A connection that had kept `was` bytes keeps `is` now. */
void budget_move(struct budget *b, size_t was, size_t is);
