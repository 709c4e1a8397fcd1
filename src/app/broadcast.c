#include "app/broadcast.h"

static struct session *first(struct list *l) {
    return list_first(l, struct session, in_broadcast);
}

static void tell(struct broadcast *b, struct session *s, usec_t now) {
    board_publish(b->board, s);
    s->told_us = now;
    s->told_again = false;
    list_remove(&s->in_broadcast);
    list_append(&b->cooling, &s->in_broadcast);
}

static void on_window(uv_timer_t *timer);

static void arm(struct broadcast *b, usec_t now) {
    const struct session *s = first(&b->cooling);
    if (!s || uv_is_active((uv_handle_t *)&b->window)) return;
    usec_t left = MAX(s->told_us + BROADCAST_WINDOW_US - now, 0);
    (void)uv_timer_start(&b->window, on_window, (uint64_t)((left + USEC_PER_MSEC - 1) / USEC_PER_MSEC), 0);
}

/* Sessions whose window is over are quiet again, or are told what came meanwhile. */
static void on_window(uv_timer_t *timer) {
    struct broadcast *b = CONTAINER_OF(timer, struct broadcast, window);
    usec_t now = clock_mono(b->clock);
    for (struct session *s; (s = first(&b->cooling)) && s->told_us + BROADCAST_WINDOW_US <= now;) {
        if (s->told_again)
            tell(b, s, now);
        else
            list_remove(&s->in_broadcast);
    }
    arm(b, now);
}

void broadcast_open(struct broadcast *b, uv_loop_t *loop, const struct clock *clock) {
    b->clock = clock;
    list_init(&b->ready);
    list_init(&b->cooling);
    (void)uv_timer_init(loop, &b->window);
}

void broadcast_close(struct broadcast *b) {
    uv_close((uv_handle_t *)&b->window, NULL);
}

void broadcast_changed(struct broadcast *b, struct session *s) {
    if (list_empty(&s->in_broadcast))
        list_append(&b->ready, &s->in_broadcast);
    else
        s->told_again = true; /* in the ready list this is harmless: telling clears it */
}

void broadcast_removed(struct broadcast *b, struct session *s) {
    list_remove(&s->in_broadcast);
    board_publish_removed(b->board, s);
}

void broadcast_flush(struct broadcast *b) {
    if (list_empty(&b->ready)) return;
    usec_t now = clock_mono(b->clock);
    for (struct session *s; (s = first(&b->ready));)
        tell(b, s, now);
    arm(b, now);
}
