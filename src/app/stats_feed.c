#include "app/stats_feed.h"

#include "base/cleanup.h"

static void on_second(uv_timer_t *timer);

static void tell(struct stats_feed *f) {
    f->news = false;
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    struct jwrite w = JWRITE_INIT(&text);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", "hook_stats");
    jwrite_key(&w, "stats");
    hook_stats_write(f->stats, &w, usec_to_msec(clock_wall(f->clock)));
    jwrite_object_end(&w);
    if (!text.failed) board_publish_plain(f->board, buf_span(&text), true);
    (void)uv_timer_start(&f->timer, on_second, STATS_FEED_MS, 0);
}

static void on_second(uv_timer_t *timer) {
    struct stats_feed *f = CONTAINER_OF(timer, struct stats_feed, timer);
    if (f->news) tell(f);
}

void stats_feed_open(struct stats_feed *f, uv_loop_t *loop, struct hook_stats *stats,
                     const struct clock *clock) {
    f->stats = stats;
    f->clock = clock;
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
