/* How the hooks do: how many of each came, how long they were on their way, and how long they took to apply. */
#pragma once

#include "base/jwrite.h"
#include "base/map.h"

enum {
    HOOK_STATS_SAMPLES = 200, /* newest measurements of each event */
    HOOK_STATS_SECONDS = 60,  /* for rates */
    HOOK_STATS_UNKNOWN = 50,  /* unknown events that are counted by name */
};

struct hook_stats {
    struct map events; /* event name → struct hook_stats_event */
    uint64_t total;
    uint64_t refused;
    struct map unknown; /* name of an unknown event → its count */
};

void hook_stats_init(struct hook_stats *hs);
void hook_stats_fini(struct hook_stats *hs);
void hook_stats_reset(struct hook_stats *hs);

/* One event: on its way for `latency_ms`, applied in `processing_ms`, at `now_ms`. */
void hook_stats_note(struct hook_stats *hs, struct span event, double latency_ms, double processing_ms,
                     int64_t now_ms);
/* One record that was no valid event; `unknown` is the name of an event that nobody knows, or empty. */
void hook_stats_note_refused(struct hook_stats *hs, struct span unknown);

/* {totalHooks, hooksPerMin, refused, unknown: {NAME: count}, events: {NAME: {count, rate, latency, processing}}, sampledAt} */
void hook_stats_write(const struct hook_stats *hs, struct jwrite *w, int64_t now_ms);
