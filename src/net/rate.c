#include "net/rate.h"

#include "base/mem.h"

#include <stdlib.h>

struct rate_peer {
    unsigned next; /* place of the oldest in `times` */
    usec_t newest;
    usec_t times[]; /* ring of the newest `limit`, 0 = never */
};

void rate_init(struct rate *r, unsigned limit) {
    *r = (struct rate){.limit = limit, .peers = MAP_INIT};
}

void rate_fini(struct rate *r) {
    MAP_FOR_EACH(slot, &r->peers)
        free(slot->value);
    map_fini(&r->peers);
}

static void sweep(struct rate *r, usec_t now) {
    r->swept = now;
    struct map kept = MAP_INIT;
    MAP_FOR_EACH(slot, &r->peers) {
        struct rate_peer *p = slot->value;
        if (now - p->newest > RATE_STALE_MS * USEC_PER_MSEC)
            free(p);
        else
            (void)map_put(&kept, span_of(slot->key, slot->key_len), p);
    }
    map_fini(&r->peers);
    r->peers = kept;
}

bool rate_allow(struct rate *r, struct span who, usec_t now) {
    if (now - r->swept > RATE_SWEEP_MS * USEC_PER_MSEC) sweep(r, now);
    struct rate_peer *p = map_get(&r->peers, who);
    if (!p) {
        p = xcalloc(1, sizeof *p + r->limit * sizeof *p->times);
        (void)map_put(&r->peers, who, p);
    }
    usec_t *oldest = &p->times[p->next];
    if (*oldest && now - *oldest < RATE_WINDOW_MS * USEC_PER_MSEC) return false;
    *oldest = p->newest = now;
    p->next = (p->next + 1) % r->limit;
    return true;
}
