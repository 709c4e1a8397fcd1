#include "keeper/hold.h"

#include "term/frame.h"

void hold_init(struct hold *h, usec_t now) {
    *h = (struct hold){.until = now + FRAME_HOLD_MS * USEC_PER_MSEC};
}

void hold_attach(struct hold *h) {
    h->attached = true;
}

void hold_detach(struct hold *h, usec_t now) {
    if (h->attached) h->until = now + FRAME_HOLD_MS * USEC_PER_MSEC;
    h->attached = false;
}

void hold_acknowledge(struct hold *h, uint64_t offset, uint64_t sent) {
    h->acknowledged = MAX(h->acknowledged, MIN(offset, sent));
}

size_t hold_room(const struct hold *h, const struct ring *r, usec_t now) {
    if (!h->attached && now >= h->until) return r->size;
    uint64_t kept = MAX(h->acknowledged, r->oldest); /* what is overwritten already is not held */
    return r->size - (size_t)(r->newest - kept);
}

usec_t hold_deadline(const struct hold *h, const struct ring *r, usec_t now) {
    return h->attached || hold_room(h, r, now) ? USEC_NEVER : h->until;
}
