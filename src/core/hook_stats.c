#include "core/hook_stats.h"

#include "base/mem.h"

#include <stdlib.h>

struct series {
    float values[HOOK_STATS_SAMPLES]; /* ring */
    size_t count, next;
};

struct hook_stats_event {
    uint64_t count;
    struct {
        int64_t second;
        unsigned count;
    } buckets[HOOK_STATS_SECONDS];
    struct series latency, processing;
};

void hook_stats_init(struct hook_stats *hs) {
    *hs = (struct hook_stats){.events = MAP_INIT, .unknown = MAP_INIT};
}

void hook_stats_fini(struct hook_stats *hs) {
    MAP_FOR_EACH(slot, &hs->events)
        free(slot->value);
    map_fini(&hs->events);
    MAP_FOR_EACH(slot, &hs->unknown)
        free(slot->value);
    map_fini(&hs->unknown);
}

void hook_stats_reset(struct hook_stats *hs) {
    hook_stats_fini(hs);
    hook_stats_init(hs);
}

static void add(struct series *s, double value) {
    s->values[s->next] = (float)value;
    s->next = (s->next + 1) % HOOK_STATS_SAMPLES;
    if (s->count < HOOK_STATS_SAMPLES) s->count++;
}

void hook_stats_note(struct hook_stats *hs, struct span event, double latency_ms, double processing_ms,
                     int64_t now_ms) {
    struct hook_stats_event *e = map_get(&hs->events, event);
    if (!e) {
        e = xcalloc(1, sizeof *e);
        (void)map_put(&hs->events, event, e);
    }
    hs->total++;
    e->count++;
    int64_t second = now_ms / 1000;
    size_t i = (size_t)(second % HOOK_STATS_SECONDS);
    if (e->buckets[i].second != second) e->buckets[i].count = 0;
    e->buckets[i].second = second;
    e->buckets[i].count++;
    add(&e->latency, latency_ms > 0 ? latency_ms : 0); /* a clock that was set back is no negative time */
    add(&e->processing, processing_ms);
}

void hook_stats_note_refused(struct hook_stats *hs, struct span unknown) {
    hs->refused++;
    if (!unknown.n) return;
    uint64_t *count = map_get(&hs->unknown, unknown);
    if (!count && hs->unknown.count == HOOK_STATS_UNKNOWN) return;
    if (!count) {
        count = xcalloc(1, sizeof *count);
        (void)map_put(&hs->unknown, unknown, count);
    }
    ++*count;
}

static uint64_t rate(const struct hook_stats_event *e, int64_t now_ms) {
    uint64_t sum = 0;
    for (size_t i = 0; i < HOOK_STATS_SECONDS; i++)
        if (e->buckets[i].second > now_ms / 1000 - HOOK_STATS_SECONDS) sum += e->buckets[i].count;
    return sum;
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* Microseconds are as fine as the clocks are. */
static void put_ms(struct jwrite *w, const char *key, double ms) {
    jwrite_key(w, key);
    jwrite_double(w, (double)(int64_t)(ms * 1000 + 0.5) / 1000);
}

static void put_series(struct jwrite *w, const char *key, const struct series *s) {
    float sorted[HOOK_STATS_SAMPLES];
    memcpy(sorted, s->values, s->count * sizeof *sorted);
    qsort(sorted, s->count, sizeof *sorted, by_size);
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += sorted[i];
    jwrite_key(w, key);
    jwrite_object(w);
    put_ms(w, "avg", sum / (double)s->count);
    put_ms(w, "min", sorted[0]);
    put_ms(w, "max", sorted[s->count - 1]);
    put_ms(w, "p95", sorted[(s->count * 95 + 99) / 100 - 1]);
    jwrite_object_end(w);
}

void hook_stats_write(const struct hook_stats *hs, struct jwrite *w, int64_t now_ms) {
    uint64_t per_minute = 0;
    MAP_FOR_EACH(slot, &hs->events)
        per_minute += rate(slot->value, now_ms);
    jwrite_object(w);
    jwrite_ku64(w, "totalHooks", hs->total);
    jwrite_ku64(w, "hooksPerMin", per_minute);
    jwrite_ku64(w, "refused", hs->refused);
    jwrite_key(w, "unknown");
    jwrite_object(w);
    MAP_FOR_EACH(slot, &hs->unknown) {
        jwrite_key_span(w, span_of(slot->key, slot->key_len));
        jwrite_u64(w, *(const uint64_t *)slot->value);
    }
    jwrite_object_end(w);
    jwrite_key(w, "events");
    jwrite_object(w);
    MAP_FOR_EACH(slot, &hs->events) {
        const struct hook_stats_event *e = slot->value;
        jwrite_key_span(w, span_of(slot->key, slot->key_len));
        jwrite_object(w);
        jwrite_ku64(w, "count", e->count);
        jwrite_ku64(w, "rate", rate(e, now_ms));
        put_series(w, "latency", &e->latency);
        put_series(w, "processing", &e->processing);
        jwrite_object_end(w);
    }
    jwrite_object_end(w);
    jwrite_ki64(w, "sampledAt", now_ms);
    jwrite_object_end(w);
}
