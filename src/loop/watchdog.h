/*
 * Notices when the loop does not turn: a thread that looks every other second, and wakes a loop that had nothing to do. A stall is logged while it lasts, with what the loop
 * was at, and counted for health. Where systemd wants signs of life it gets them only while the loop turns, so that a
 * daemon that hangs is started anew.
 */
#pragma once

#include "loop/pulse.h"

#include <uv.h>

struct watchdog;

/* Before the loop runs for the first time, on its thread. `beat` is called on the watchdog's thread after each look that found
 * the loop alive, every `beat_us` at least (0: never). */
struct watchdog *watchdog_open(uv_loop_t *loop, const struct clock *clock, usec_t beat_us,
                               void (*beat)(void));
/* The loop is about to run: from here on it must turn. Before that it may take its time, though not for ever; likewise after
 * watchdog_let_go(). */
void watchdog_watch(struct watchdog *w);
/* The loop is to run empty: its handles are closed. */
void watchdog_let_go(struct watchdog *w);
/* After the loop has ended. */
void watchdog_free(struct watchdog *w);

/* All zero without one. */
struct pulse_stats watchdog_stats(struct watchdog *w);
