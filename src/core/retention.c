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

void retention_due(struct turn *t) {
    if (is_hosted(t->worker) && t->worker->terminal_id)
        retention_arm(t->state, t->worker, t->at_ms);
    else
        turn_remove(t);
}
