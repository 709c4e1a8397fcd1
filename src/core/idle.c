#include "core/idle.h"

#include "base/str.h"
#include "core/deadline.h"
#include "core/status.h"

/* How long a status holds without news, and what follows; 0 = for ever. */
static const struct {
    int64_t timeout_ms;
    enum session_status next;
} rules[SESSION_STATUS_N_] = {
    [SESSION_STATUS_PROMPTING] = {30000, SESSION_STATUS_WAITING},
    [SESSION_STATUS_WAITING] = {120000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_WORKING] = {180000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_APPROVAL] = {600000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_INPUT] = {600000, SESSION_STATUS_IDLE},
};

void idle_watch(struct state *st, struct worker *w, int64_t at_ms) {
    int64_t timeout_ms = rules[w->conversation.status].timeout_ms;
    deadline_set(st, w, DEADLINE_IDLE, timeout_ms ? at_ms + timeout_ms : 0);
}

static bool is_asking(enum session_status s) {
    return s == SESSION_STATUS_APPROVAL || s == SESSION_STATUS_INPUT;
}

static bool is_working(enum session_status s) {
    return s == SESSION_STATUS_PROMPTING || s == SESSION_STATUS_WORKING;
}

static void fall_quiet(struct state *st, struct worker *w, int64_t at_ms, struct effects *fx) {
    struct conversation *c = &w->conversation;
    bool was_asking = is_asking(c->status);
    enum session_status next = rules[c->status].next;
    if (c->status == SESSION_STATUS_PROMPTING) c->emote = EMOTE_NONE;
    status_move(st, w, next, next == SESSION_STATUS_IDLE ? ANIMATION_IDLE : ANIMATION_WAITING,
                (struct reason){EVIDENCE_TIMER, "auto-idle", at_ms});
    if (was_asking) {
        char **const fields[] = {&c->pending_tool, &c->pending_tool_detail, &c->pending_agent,
                                 &c->waiting_detail};
        for (size_t i = 0; i < ARRAY_LEN(fields); i++)
            (void)str_set(fields[i], SPAN_NONE);
        session_touch(st, w->session, FACET_PENDING);
    }
    idle_watch(st, w, at_ms);
    effects_add(fx, (struct effect){.kind = EFFECT_BROADCAST, .session = w->session});
}

void idle_due(struct state *st, struct worker *w, int64_t at_ms, struct effects *fx) {
    const struct conversation *c = &w->conversation;
    if (is_asking(c->status) && c->evidence.source == EVIDENCE_HOOK) return;
    if (!is_working(c->status) || !c->pid) {
        fall_quiet(st, w, at_ms, fx);
        return;
    }
    effects_add(fx, (struct effect){.kind = EFFECT_PROBE, .session = w->session, .probe = PROBE_IDLE});
    idle_watch(st, w, at_ms); /* an answer that gets lost is asked for again */
}

/* It lives. A prompt is being thought about however long that takes; a tool without a process is not being used. */
void idle_probed(struct state *st, struct worker *w, int64_t at_ms, bool has_child, struct effects *fx) {
    const struct conversation *c = &w->conversation;
    if (!is_working(c->status)) return;
    if (at_ms < c->last_activity_ms + rules[c->status].timeout_ms) return; /* something was heard meanwhile */
    if (has_child || c->status == SESSION_STATUS_PROMPTING)
        idle_watch(st, w, at_ms);
    else
        fall_quiet(st, w, at_ms, fx);
}
