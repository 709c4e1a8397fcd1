#include "app/answers.h"

#include "app/told.h"
#include "base/mem.h"
#include "platform/proc.h"

#include <stdlib.h>

/* Nobody reads a question and answers it faster; hooks of others that run for it are over, or older. */
enum { SOONEST_MS = 150 };

struct asked {
    char session[ID_BYTES];
    pid_t
        child; /* that was there at the last look; it must be there twice, a command and no passing look around */
    int64_t answered_ms; /* when a child showed that one was answered: that of the next is younger */
};

static bool is_open(const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    bool tells_nobody = c->cli == CLI_CODEX || c->cli == CLI_GEMINI;
    return tells_nobody && c->request_count && c->runner_pid;
}

/* True when it needs no more looks. */
static bool look(const struct answers *a, struct asked *q) {
    const struct worker *w = state_find(a->state, span_str(q->session));
    if (!w || !is_open(w->session)) return true;
    const struct conversation *c = &w->conversation;
    int64_t now_ms = usec_to_msec(clock_wall(a->notes->clock));
    int64_t since_ms = MAX(c->requests[0].since_ms + SOONEST_MS, q->answered_ms);
    pid_t child = now_ms > since_ms ? proc_child((pid_t)c->runner_pid, proc_ticks_ago(now_ms - since_ms)) : 0;
    bool again = child && child == q->child;
    q->child = child;
    if (!again) return false;
    const struct told t = {.session = q->session,
                           .activity = ACTIVITY_BUSY,
                           .by = EVIDENCE_PROCESS,
                           .since_ms = now_ms,
                           .call = span_str(c->requests[0].call)};
    (void)told_report(a->notes, &t);
    q->answered_ms = now_ms;
    q->child = 0;
    return c->request_count == 1;
}

static void on_timer(uv_timer_t *timer) {
    struct answers *a = CONTAINER_OF(timer, struct answers, timer);
    MAP_FOR_EACH(slot, &a->asked) {
        struct asked *q = slot->value;
        if (!look(a, q)) continue;
        (void)map_remove(&a->asked, span_str(q->session));
        free(q);
    }
    if (!a->asked.count) (void)uv_timer_stop(&a->timer);
}

void answers_session(struct answers *a, const struct session *s) {
    if (!is_open(s) || map_get(&a->asked, span_str(s->id))) return;
    struct asked *q = xcalloc(1, sizeof *q);
    memcpy(q->session, s->id, sizeof q->session);
    (void)map_put(&a->asked, span_str(q->session), q);
    if (!uv_is_active((uv_handle_t *)&a->timer))
        (void)uv_timer_start(&a->timer, on_timer, ANSWERS_EVERY_MS, ANSWERS_EVERY_MS);
}

void answers_open(struct answers *a, uv_loop_t *loop, const struct notes *notes, const struct state *state) {
    *a = (struct answers){.notes = notes, .state = state, .asked = MAP_INIT};
    (void)uv_timer_init(loop, &a->timer);
}

void answers_close(struct answers *a) {
    MAP_FOR_EACH(slot, &a->asked)
        free(slot->value);
    map_fini(&a->asked);
    uv_close((uv_handle_t *)&a->timer, NULL);
}
