#include "app/hook_sync.h"

#include "base/compiler.h"
#include "setup/setup.h"

static void on_pool(uv_work_t *work) {
    struct hook_sync *s = CONTAINER_OF(work, struct hook_sync, work);
    struct setup_place place;
    if (setup_place_resolve(&place, &s->paths, NULL) < 0) return;
    unsigned clis = s->all ? s->clis : setup_outdated(&place, s->clis);
    if (clis) (void)setup_sync(&place, clis, s->has_density ? &s->density : NULL);
}

static void on_done(uv_work_t *work, int status UNUSED) {
    struct hook_sync *s = CONTAINER_OF(work, struct hook_sync, work);
    s->at_work = false;
}

static void look(struct hook_sync *s, bool all) {
    if (s->at_work) return;
    s->all = all;
    s->at_work = uv_queue_work(s->timer.loop, &s->work, on_pool, on_done) == 0;
}

static void on_timer(uv_timer_t *timer) {
    look(CONTAINER_OF(timer, struct hook_sync, timer), false);
}

void hook_sync_open(struct hook_sync *s, uv_loop_t *loop) {
    *s = (struct hook_sync){0};
    (void)uv_timer_init(loop, &s->timer);
}

void hook_sync_close(struct hook_sync *s) {
    uv_close((uv_handle_t *)&s->timer, NULL);
}

void hook_sync_start(struct hook_sync *s, const struct paths *paths, unsigned clis,
                     const enum config_density *density) {
    s->paths = *paths;
    s->clis = clis;
    s->has_density = density != NULL;
    if (density) s->density = *density;
    look(s, true);
    (void)uv_timer_start(&s->timer, on_timer, HOOK_SYNC_MS, HOOK_SYNC_MS);
}
