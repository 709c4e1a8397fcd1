#include "core/clock_set.h"

#include "base/clock_step.h"
#include "core/deadline.h"

static void move_worker(struct state *st, struct worker *w, int64_t by_ms) {
    struct conversation *c = &w->conversation;
    int64_t *const times[] = {&w->linked_ms,   &c->last_activity_ms, &c->status_since_ms,
                              &c->tool_now_ms, &c->restart_ms,       &c->spawned_ms};
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        clock_step_move(times[i], by_ms);
    for (size_t i = 0; i < c->request_count; i++)
        clock_step_move(&c->requests[i].since_ms, by_ms);
    for (unsigned kind = 0; kind < DEADLINE_WORKER_N_; kind++) {
        int64_t at_ms = deadline_get(w, (enum deadline_kind)kind);
        if (at_ms) deadline_set(st, w, (enum deadline_kind)kind, at_ms + by_ms);
    }
}

void state_clock_set(struct state *st, int64_t by_ms, struct effects *fx) {
    list_for_each(i, &st->sessions) {
        struct session *s = list_entry(i, struct session, in_state);
        list_for_each(j, &s->workers)
            move_worker(st, list_entry(j, struct worker, in_session), by_ms);
        session_touch(st, s, FACET_STATUS | FACET_TOOLS | FACET_PENDING);
        effects_add(fx, (struct effect){.kind = EFFECT_BROADCAST, .session = s});
    }
    list_for_each(i, &st->teams) {
        struct team *team = list_entry(i, struct team, in_state);
        if (!team->deadline.at_ms) continue;
        deadline_set_team(st, team, team->deadline.at_ms + by_ms);
        team_touch(st, team);
    }
}

int64_t state_newest_ms(const struct state *st) {
    int64_t newest = 0;
    list_for_each(i, &st->sessions) {
        const struct session *s = list_entry(i, struct session, in_state);
        list_for_each(j, &s->workers)
            newest = MAX(newest, list_entry(j, struct worker, in_session)->conversation.last_activity_ms);
    }
    return newest;
}
