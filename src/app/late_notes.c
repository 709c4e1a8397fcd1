#define LOG_TAG "spool"
#include "app/late_notes.h"

#include "base/log.h"

enum { AGAIN_MS = 200 };

static void on_again(uv_timer_t *timer) {
    const struct late_notes *l = timer->data;
    if (!note_retry(l->notes)) return;
    (void)uv_timer_stop(timer);
    log_info("%s can be written again, and what waited is noted", l->notes->spool_dir);
}

static void on_waiting(void *user) {
    struct late_notes *l = user;
    if (!uv_is_closing((uv_handle_t *)&l->again) && !uv_is_active((uv_handle_t *)&l->again))
        (void)uv_timer_start(&l->again, on_again, AGAIN_MS, AGAIN_MS);
}

void late_notes_open(struct late_notes *l, uv_loop_t *loop, struct notes *notes) {
    note_queue_open(&l->queue, on_waiting, l);
    (void)uv_timer_init(loop, &l->again);
    l->again.data = l;
    l->notes = notes;
    notes->queue = &l->queue;
}

void late_notes_close(struct late_notes *l) {
    (void)note_retry(l->notes);
    uv_close((uv_handle_t *)&l->again, NULL);
}

void late_notes_free(struct late_notes *l) {
    note_queue_free(&l->queue);
}
