#include "core/status.h"

#include "base/str.h"

/* Inside a subagent tools come and go without the main conversation's state changing; that one of them needs an
 * answer concerns the person all the same. */
static bool moves_status(const struct conversation *c, const struct event *ev) {
    if (ev->subagent_id.n && ev->kind->status == SESSION_STATUS_WORKING) return false;
    if (c->status == SESSION_STATUS_ENDED && !(ev->kind->flags & EVENT_REVIVES)) return false;
    return true;
}

static bool is_busy(enum session_status s) {
    return s == SESSION_STATUS_PROMPTING || s == SESSION_STATUS_WORKING || s == SESSION_STATUS_CONNECTING;
}

/* Thinking and using tools alternate all the time and are one piece of work. */
static bool continues(enum session_status was, enum session_status is) {
    return was == is || (is_busy(was) && is_busy(is));
}

void status_apply(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    const struct event_kind *k = ev->kind;
    if (moves_status(c, ev)) {
        if (k->status != EVENT_KEEPS) {
            if (!continues(c->status, (enum session_status)k->status)) c->status_since_ms = ev->at_ms;
            c->status = (enum session_status)k->status;
            c->evidence.source = EVIDENCE_HOOK;
            c->evidence.at_ms = ev->at_ms;
            (void)str_set(&c->evidence.event, span_str(k->name));
            c->ended_ms = c->status == SESSION_STATUS_ENDED ? ev->at_ms : 0;
        }
        if (k->animation != EVENT_KEEPS) c->animation = (enum animation)k->animation;
    }
    if (k->emote != EVENT_KEEPS) c->emote = (enum emote)k->emote;
    session_touch(t->state, t->session, FACET_STATUS);
}
