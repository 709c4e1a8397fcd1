#include "app/stats_feed.h"

static void on_second(uv_timer_t *timer);

static void tell(struct stats_feed *f) {
    f->news = false;
    board_publish_stats(f->board);
    (void)uv_timer_start(&f->timer, on_second, STATS_FEED_MS, 0);
}

static void on_second(uv_timer_t *timer) {
    struct stats_feed *f = CONTAINER_OF(timer, struct stats_feed, timer);
    if (f->news) tell(f);
}

void stats_feed_open(struct stats_feed *f, uv_loop_t *loop) {
    (void)uv_timer_init(loop, &f->timer);
}

void stats_feed_close(struct stats_feed *f) {
    uv_close((uv_handle_t *)&f->timer, NULL);
}

void stats_feed_news(struct stats_feed *f) {
    if (uv_is_active((uv_handle_t *)&f->timer))
        f->news = true;
    else
        tell(f);
}
