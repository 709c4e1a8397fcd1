#include "app/hook_sync.h"

#include "base/compiler.h"
#include "base/str.h"
#include "setup/seen.h"
#include "setup/setup.h"

#include <stdlib.h>
#include <unistd.h>

static void on_pool(uv_work_t *work) {
    struct hook_sync *s = CONTAINER_OF(work, struct hook_sync, work);
    struct setup_place place;
    if (setup_place_resolve(&place, &s->paths, NULL) < 0) return;
    if (s->work_path) seen_note(place.notes.seen, s->work_path);
    unsigned clis = s->all ? s->clis : setup_outdated(&place, s->clis);
    if (clis) (void)setup_sync(&place, clis, s->has_density ? &s->density : NULL);
}

static void on_done(uv_work_t *work, int status UNUSED) {
    struct hook_sync *s = CONTAINER_OF(work, struct hook_sync, work);
    s->at_work = false;
    free(s->work_path);
    s->work_path = NULL;
}

static void look(struct hook_sync *s, bool all) {
    if (s->at_work) return;
    s->all = all;
    s->work_path = s->path ? str_dup(span_str(s->path)) : NULL;
    s->at_work = true;
    if (uv_queue_work(s->timer.loop, &s->work, on_pool, on_done) < 0) on_done(&s->work, UV_ENOMEM);
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

void hook_sync_fini(struct hook_sync *s) {
    free(s->path);
}

bool hook_sync_start(struct hook_sync *s, const struct paths *paths, unsigned clis,
                     const enum config_density *density) {
    s->paths = *paths;
    s->clis = clis;
    s->has_density = density != NULL;
    if (density) s->density = *density;
    struct setup_place place;
    if (setup_place_resolve(&place, paths, NULL) < 0) return false;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (clis & 1U << cli && access(place.record[cli], F_OK) == 0) return true;
    return false;
}

void hook_sync_know(struct hook_sync *s, const char *path) {
    if (!s->clis) return;
    (void)str_set(&s->path, span_str(path));
    look(s, !s->begun);
    s->begun = true;
    (void)uv_timer_start(&s->timer, on_timer, HOOK_SYNC_MS, HOOK_SYNC_MS);
}
