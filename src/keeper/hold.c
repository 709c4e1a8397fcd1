#include "keeper/hold.h"

#include "term/frame.h"

static void wait_from(struct hold *h, usec_t now) {
    h->until = now + FRAME_HOLD_MS * USEC_PER_MSEC;
}

void hold_init(struct hold *h, usec_t now) {
    *h = (struct hold){0};
    wait_from(h, now);
}

void hold_attach(struct hold *h, usec_t now) {
    h->attached = true;
    wait_from(h, now);
}

/* Has the daemon been silent for too long about something? Where nothing is left to acknowledge, nothing is waited for. */
static bool hangs(const struct hold *h, const struct ring *r, usec_t now) {
    return h->acknowledged < r->newest && now >= h->until;
}

void hold_detach(struct hold *h, const struct ring *r, usec_t now) {
    /* One that hung before it went has had its time. */
    if (h->attached && !hangs(h, r, now)) wait_from(h, now);
    h->attached = false;
}

void hold_acknowledge(struct hold *h, uint64_t offset, uint64_t sent, usec_t now) {
    offset = MIN(offset, sent);
    if (offset <= h->acknowledged) return;
    h->acknowledged = offset;
    wait_from(h, now);
}

void hold_printed(struct hold *h, const struct ring *r, usec_t now) {
    if (h->attached && h->acknowledged >= r->newest) wait_from(h, now);
}

static size_t free_bytes(const struct hold *h, const struct ring *r) {
    uint64_t kept = MAX(h->acknowledged, r->oldest); /* what is overwritten already is not held */
    return r->size - (size_t)(r->newest - kept);
}

size_t hold_room(const struct hold *h, const struct ring *r, usec_t now) {
    return now >= h->until && !free_bytes(h, r) ? r->size : free_bytes(h, r);
}

bool hold_is_full(const struct hold *h, const struct ring *r) {
    return free_bytes(h, r) == 0;
}

usec_t hold_deadline(const struct hold *h, const struct ring *r, usec_t now) {
    return hold_room(h, r, now) ? USEC_NEVER : h->until;
}
