#include "core/retention.h"

#include "core/deadline.h"

/* What was hosted here can be resumed from its card. */
static bool is_hosted(const struct worker *w) {
    return w->session->kind != SESSION_KIND_OBSERVED;
}

void retention_arm(struct state *st, struct worker *w, int64_t at_ms) {
    bool ended = at_ms && w->conversation.status == SESSION_STATUS_ENDED, hosted = is_hosted(w);
    int64_t keep_ms = hosted ? st->keep_hosted_ms : APPLY_REMOVAL_MS;
    w->session->historical = ended && hosted;
    w->session->hidden = false;
    deadline_set(st, w, DEADLINE_REMOVAL, ended && keep_ms ? at_ms + keep_ms : 0);
}

void retention_set(struct state *st, int64_t keep_ms) {
    st->keep_hosted_ms = keep_ms;
    list_for_each(i, &st->sessions) {
        const struct session *s = list_entry(i, struct session, in_state);
        list_for_each(j, &s->workers) {
            struct worker *w = list_entry(j, struct worker, in_session);
            if (is_hosted(w)) retention_arm(st, w, w->conversation.ended_ms);
        }
    }
}

/* Of very many that have ended the oldest go: scripts may start an agent every minute. */
static void limit_hidden(struct turn *t) {
    struct session *oldest = NULL;
    size_t count = 0;
    list_for_each(i, &t->state->sessions) {
        struct session *s = list_entry(i, struct session, in_state);
        if (!s->hidden) continue;
        count++;
        if (!oldest || s->primary->conversation.ended_ms < oldest->primary->conversation.ended_ms) oldest = s;
    }
    if (count <= RETENTION_HIDDEN_MAX) return;
    struct turn other = {.state = t->state, .fx = t->fx, .at_ms = t->at_ms};
    turn_take(&other, oldest->primary);
    turn_remove(&other);
}

/* Clients that only know agents that live are told that it is gone; others show it among those that have ended. */
static void hide(struct turn *t) {
    t->session->hidden = true;
    deadline_set(t->state, t->worker, DEADLINE_REMOVAL, t->at_ms - APPLY_REMOVAL_MS + RETENTION_ENDED_MS);
    session_touch(t->state, t->session, FACET_STATUS);
    turn_tell(t);
    limit_hidden(t);
}

void retention_due(struct turn *t) {
    bool hosted = is_hosted(t->worker);
    if (hosted && t->worker->terminal_id)
        retention_arm(t->state, t->worker, t->at_ms);
    else if (hosted || t->session->hidden)
        turn_remove(t);
    else
        hide(t);
}
