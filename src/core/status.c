#include "core/status.h"

#include "base/str.h"
#include "core/attention.h"
#include "core/retention.h"

bool status_is_busy(enum session_status s) {
    return s == SESSION_STATUS_PROMPTING || s == SESSION_STATUS_WORKING;
}

/* A conversation is as urgent as the most urgent of its agents: what one does does not hide that another one asks. Apart
 * from that, what subagents do does not move the main conversation; that one of them asks does, and that it was
 * answered. */
static bool moves_status(const struct turn *t, const struct event *ev) {
    const struct conversation *c = t->conv;
    enum session_status next = (enum session_status)ev->kind->status;
    unsigned reviving = EVENT_REVIVES | (c->restart_ms ? EVENT_SURVIVES : 0);
    if (c->status == SESSION_STATUS_ENDED && !(ev->kind->flags & reviving)) return false;
    if (event_is_compaction(ev) && !t->is_new) return false;
    bool asks = status_is_asking(next);
    if (asks && ev->unattended) return false;
    if (c->request_count && !asks && next != SESSION_STATUS_ENDED) return false;
    if (next != SESSION_STATUS_WORKING) return true;
    return t->answered || !ev->subagent_id.n;
}

bool status_is_asking(enum session_status s) {
    return s == SESSION_STATUS_APPROVAL || s == SESSION_STATUS_INPUT;
}

void status_answered(struct turn *t, const struct event *ev) {
    bool over = t->conv->turn_over;
    status_set(t, ev, over ? SESSION_STATUS_WAITING : SESSION_STATUS_WORKING,
               over ? ANIMATION_WAITING : ANIMATION_RUNNING);
}

static bool is_under_way(enum session_status s) {
    return status_is_busy(s) || s == SESSION_STATUS_CONNECTING;
}

/* Thinking and using tools alternate all the time and are one piece of work. */
static bool continues(enum session_status was, enum session_status is) {
    return was == is || (is_under_way(was) && is_under_way(is));
}

void status_move(struct state *st, struct worker *w, enum session_status status, enum animation animation,
                 struct reason reason) {
    struct conversation *c = &w->conversation;
    if (!continues(c->status, status)) c->status_since_ms = reason.at_ms;
    c->status = status;
    c->animation = animation;
    c->evidence.source = reason.source;
    c->evidence.at_ms = reason.at_ms;
    (void)str_set(&c->evidence.event, span_str(reason.event));
    c->ended_ms = status == SESSION_STATUS_ENDED ? reason.at_ms : 0;
    retention_arm(st, w, c->ended_ms);
    session_touch(st, w->session, FACET_STATUS);
}

static struct reason by_hook(const struct event *ev) {
    return (struct reason){EVIDENCE_HOOK, ev->kind->name, ev->at_ms};
}

void status_apply(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    const struct event_kind *k = ev->kind;
    bool moves = k->status != EVENT_KEEPS && moves_status(t, ev);
    if (moves && k->status == SESSION_STATUS_WORKING && ev->subagent_id.n) {
        status_answered(t, ev);
    } else if (moves) {
        status_move(t->state, t->worker, (enum session_status)k->status, (enum animation)k->animation,
                    by_hook(ev));
    }
    /* It goes on; or it had a notice while it worked, which is that it tries again (attention_retrying). */
    if (moves && (status_is_busy(c->status) || status_is_busy(t->was))) attention_clear(t);
    if (k->emote != EVENT_KEEPS) c->emote = (enum emote)k->emote;
    session_touch(t->state, t->session, FACET_STATUS);
}

void status_set(struct turn *t, const struct event *ev, enum session_status status,
                enum animation animation) {
    if (t->conv->status == SESSION_STATUS_ENDED) return;
    status_move(t->state, t->worker, status, animation, by_hook(ev));
}
