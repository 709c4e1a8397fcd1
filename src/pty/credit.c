/*
 * Floods. A keeper sends as far as its terminal has credit; a program whose keeper is full waits, as it would for a slow
 * terminal. One or two that flood get credit as fast as they use it up. When more do at once, they would take the whole machine,
 * and this daemon among so many would hardly get its turn: then they share a pace that nobody could read anyway.
 *
 * Nobody gets further ahead of the journal than AHEAD_BYTES: a disk that hangs costs that much memory, and then a gap.
 */
#include "pty/terminal_int.h"

enum {
    CREDIT_BYTES = 256 << 10,
    LOW_BYTES = 128 << 10, /* more is asked for when less than this is left */
    AHEAD_BYTES = 2 * FRAME_RING_BYTES,
    FLOODS = 2,      /* that are not slowed down */
    HUNGRY_MS = 100, /* who asked this lately counts as one */
    TICK_MS = 10,
    SHARE_BYTES = 64 << 10,
    SHARES = 4, /* a tick: 25 MB/s in all */
};

static void send_flow(struct terminal *t) {
    if (!t->link) return;
    const struct frame_flow flow = {.acknowledged = t->written, .limit = t->granted};
    (void)link_send(t->link, FRAME_FLOW, &flow, sizeof flow);
}

void credit_acknowledge(struct terminal *t) {
    send_flow(t);
    credit_used(t); /* it may have been kept from getting ahead */
}

uint64_t credit_begin(struct terminal *t, uint64_t offset) {
    return t->granted = offset + CREDIT_BYTES;
}

void credit_forget(struct terminal *t) {
    list_remove(&t->in_hungry);
    list_remove(&t->in_waiting);
}

static void grant(struct terminal *t, uint64_t limit) {
    list_remove(&t->in_waiting);
    limit = MIN(limit, t->written + AHEAD_BYTES);
    if (limit <= t->granted) return;
    t->granted = limit;
    send_flow(t);
}

static void on_tick(uv_timer_t *timer) {
    struct terminals *ts = timer->data;
    for (unsigned i = 0; i < SHARES && !list_empty(&ts->waiting); i++) {
        struct terminal *t = list_entry(ts->waiting.next, struct terminal, in_waiting);
        grant(t, MAX(t->granted, t->stream.newest) + SHARE_BYTES);
    }
    if (list_empty(&ts->waiting)) (void)uv_timer_stop(timer);
}

void credit_open(struct terminals *ts) {
    list_init(&ts->hungry);
    list_init(&ts->waiting);
    (void)uv_timer_init(ts->loop, &ts->tick);
    ts->tick.data = ts;
}

void credit_close(struct terminals *ts) {
    uv_close((uv_handle_t *)&ts->tick, NULL);
}

/* How many have asked lately, with this one as the newest. */
static unsigned count_hungry(struct terminal *t) {
    struct terminals *ts = t->owner;
    uint64_t now = uv_now(ts->loop);
    t->hungry_at = now;
    list_remove(&t->in_hungry);
    list_append(&ts->hungry, &t->in_hungry);
    for (struct list *oldest; (oldest = ts->hungry.next) != &ts->hungry; list_remove(oldest))
        if (list_entry(oldest, struct terminal, in_hungry)->hungry_at + HUNGRY_MS >= now) break;
    unsigned n = 0;
    list_for_each(pos, &ts->hungry) {
        if (++n > FLOODS) break;
    }
    return n;
}

void credit_used(struct terminal *t) {
    if (t->granted >= t->stream.newest + LOW_BYTES || !list_empty(&t->in_waiting)) return;
    struct terminals *ts = t->owner;
    if (count_hungry(t) <= FLOODS) {
        grant(t, t->stream.newest + CREDIT_BYTES);
        return;
    }
    list_append(&ts->waiting, &t->in_waiting);
    if (!uv_is_active((uv_handle_t *)&ts->tick)) (void)uv_timer_start(&ts->tick, on_tick, TICK_MS, TICK_MS);
}
