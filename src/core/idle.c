#include "core/idle.h"

#include "core/attention.h"
#include "core/conversation.h"
#include "core/deadline.h"
#include "core/status.h"

/* How long a status holds without news, and what follows; 0 = for ever. */
static const struct {
    int64_t timeout_ms;
    enum session_status next;
} rules[SESSION_STATUS_N_] = {
    [SESSION_STATUS_CONNECTING] = {3000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_PROMPTING] = {30000, SESSION_STATUS_WAITING},
    [SESSION_STATUS_WAITING] = {120000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_WORKING] = {180000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_APPROVAL] = {600000, SESSION_STATUS_IDLE},
    [SESSION_STATUS_INPUT] = {600000, SESSION_STATUS_IDLE},
};

void idle_watch(struct turn *t) {
    int64_t timeout_ms = rules[t->conv->status].timeout_ms;
    deadline_set(t->state, t->worker, DEADLINE_IDLE, timeout_ms ? t->at_ms + timeout_ms : 0);
}

static void fall_quiet(struct turn *t) {
    struct conversation *c = t->conv;
    enum session_status next = rules[c->status].next;
    if (c->status == SESSION_STATUS_PROMPTING || c->status == SESSION_STATUS_CONNECTING)
        c->emote = EMOTE_NONE;
    status_move(t->state, t->worker, next, next == SESSION_STATUS_IDLE ? ANIMATION_IDLE : ANIMATION_WAITING,
                (struct reason){EVIDENCE_TIMER, "auto-idle", t->at_ms});
    idle_watch(t);
    turn_tell(t);
}

/* An answer that gets lost is asked for again; but a machine that slept for days has one question, not thousands. */
static void ask_again(struct turn *t) {
    int64_t every_ms = rules[t->conv->status].timeout_ms;
    int64_t missed = (t->until_ms - t->at_ms) / every_ms;
    deadline_set(t->state, t->worker, DEADLINE_IDLE, t->at_ms + (missed + 1) * every_ms);
}

/* A command that it left running may end, and bring the agent back, or be a server that never does. When nothing was heard for
 * a while its turn may be over, then. */
static void guess_finished(struct turn *t) {
    const struct conversation *c = t->conv;
    bool only_commands = c->background && !c->subagent_count && !c->call_count && !c->request_count;
    if (!only_commands || c->notice.kind) return;
    attention_finished(t, arena_dup(t->arena, span_str(c->last_words)));
    turn_tell(t);
}

void idle_due(struct turn *t) {
    const struct conversation *c = t->conv;
    if (status_is_asking(c->status) && c->evidence.source != EVIDENCE_TIMER) return;
    /* Of one whose work a server does, its hooks will tell the end: there is nothing to be guessed. */
    bool served = status_is_busy(c->status) && !c->pid && c->by_hook && c->runner_pid;
    if (served) {
        ask_again(t);
        return;
    }
    if (!status_is_busy(c->status) || !c->pid) {
        guess_finished(t);
        fall_quiet(t);
        return;
    }
    effects_add(t->fx, (struct effect){.kind = EFFECT_PROBE, .session = t->session, .probe = PROBE_IDLE});
    ask_again(t);
}

/* Does something of it go on that will tell when it is over? A call that our hooks announced ends by a hook, too. */
static bool goes_on(const struct conversation *c) {
    return (c->by_hook && c->call_count) || c->background || c->subagent_count;
}

/* It lives. A prompt is being thought about however long that takes; a tool without a process is not being used. */
void idle_probed(struct turn *t, bool has_child) {
    const struct conversation *c = t->conv;
    if (!status_is_busy(c->status)) return;
    if (t->at_ms < c->last_activity_ms + rules[c->status].timeout_ms)
        return; /* something was heard meanwhile */
    guess_finished(t);
    if (has_child || c->status == SESSION_STATUS_PROMPTING || goes_on(c))
        idle_watch(t);
    else
        fall_quiet(t);
}
