#include "core/activity.h"

#include "base/str.h"
#include "base/utf8.h"
#include "core/attention.h"
#include "core/conversation.h"
#include "core/idle.h"
#include "core/inbox.h"
#include "core/request.h"
#include "core/text.h"

enum { ERROR_LATE_MS = 5000 }; /* behind the hook that tells of the turn's end */

static struct reason by_itself(const struct event *ev) {
    return (struct reason){ev->by, activity_to_str(ev->activity), ev->at_ms};
}

static void move(struct turn *t, const struct event *ev, enum session_status status,
                 enum animation animation) {
    status_move(t->state, t->worker, status, animation, by_itself(ev));
    idle_watch(t);
    turn_tell(t);
}

/* It works: whatever was asked before is answered; or this one thing, where it is named. */
static void busy(struct turn *t, const struct event *ev) {
    if (!ev->call_id.n)
        request_end_before(t, ev->since_ms);
    else if (!request_end_one(t, ev->call_id))
        request_end_one(t, SPAN_NONE); /* what is asked was never heard of by name */
    if (t->conv->request_count || status_is_busy(t->was)) return;
    if (!status_is_asking(t->was) && ev->since_ms <= t->conv->last_activity_ms)
        return; /* older than its last event */
    attention_clear(t);
    move(t, ev, SESSION_STATUS_WORKING, ANIMATION_RUNNING);
}

/* It waits for a person. A hook has said, or will say in a moment, for what; where none does the call under way tells. */
static void waiting(struct turn *t, const struct event *ev) {
    bool whole = ev->tool_name.n; /* it says itself what is asked */
    if (!whole && (t->conv->request_count || ev->since_ms < t->conv->last_activity_ms)) return;
    const struct tool_call *call = whole ? NULL : call_of(t->conv, SPAN_NONE);
    bool question = ev->by == EVIDENCE_SCREEN || span_eq(ev->message, SPAN("input needed"));
    struct asking a = {.tool = call ? span_str(call->tool) : ev->tool_name,
                       .input = call ? span_str(call->input) : ev->tool_input,
                       .call = ev->request_id,
                       .text = ev->message.n ? ev->message : SPAN("Waiting for your answer"),
                       .kind = question ? ATTENTION_QUESTION : ATTENTION_APPROVAL,
                       .certain = true};
    if (a.tool.n) a.kind = ATTENTION_NONE; /* the tool says what it is */
    bool approval = request_add(t, &a)->kind == ATTENTION_APPROVAL;
    attention_clear(t);
    move(t, ev, approval ? SESSION_STATUS_APPROVAL : SESSION_STATUS_INPUT, ANIMATION_WAITING);
}

/* It does nothing. When no hook has told that its turn is over, a person broke it off and knows. */
static void idle(struct turn *t, const struct event *ev) {
    request_end_before(t, ev->since_ms);
    bool over = status_is_busy(t->was) || status_is_asking(t->was);
    if (!over || t->conv->request_count || ev->since_ms < t->conv->last_activity_ms) return;
    call_forget_all(t->conv);
    conversation_clear_tool(t);
    t->conv->background = 0;
    t->conv->turn_over = true;
    t->conv->turn_tool_calls = 0;
    session_touch(t->state, t->session, FACET_TOOLS);
    move(t, ev, SESSION_STATUS_WAITING, ANIMATION_WAITING);
}

/* A hook may be faster to say that the turn is over, and has no words for why. */
static bool ended_lately(const struct turn *t) {
    const struct conversation *c = t->conv;
    return t->was == SESSION_STATUS_WAITING && c->notice.kind == ATTENTION_NONE &&
           t->at_ms - c->status_since_ms < ERROR_LATE_MS;
}

/* Its model could not be reached, or would not answer: the turn is over. */
static void error(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    idle(t, ev);
    if (!status_is_busy(t->was) && !status_is_asking(t->was) && !ended_lately(t))
        return; /* a hook has told it, or it is an old one */
    (void)str_set(&c->error_kind, SPAN("error"));
    (void)str_set(&c->error_detail, text_cut(ev->message, APPLY_RESPONSE_UNITS, t->arena));
    c->error_ms = t->at_ms;
    attention_error(t, SPAN("error"), ev->message);
    turn_tell(t);
}

/* The command of a call went wrong. Its hook tells only what it printed. */
static void failed(struct turn *t, const struct event *ev) {
    if (ev->call_id.n) t->call_pos = call_pos(t->conv, ev->call_id);
    conversation_mark_failed(t, SPAN_NONE, ev->message);
    turn_tell(t);
}

/* Its last words, where its hooks do not tell them. */
static void said(struct turn *t, const struct event *ev) {
    attention_heard(t, ev->message);
    const struct notice *n = &t->conv->notice;
    if (n->kind == ATTENTION_FINISHED && !n->detail) attention_worded(t, ev->message);
    turn_tell(t);
}

static void model(struct turn *t, const struct event *ev) {
    if (!ev->message.n || !str_set(&t->conv->model, utf8_cut_units(ev->message, 200))) return;
    session_touch(t->state, t->session, FACET_IDENTITY);
    turn_tell(t);
}

/* The words of a plan that it asked about by the name of a file. */
static void plan(struct turn *t, const struct event *ev) {
    const struct asking a = {.tool = ev->tool_name, .input = ev->tool_input, .certain = true};
    if (request_explain_plan(t, &a)) turn_tell(t);
}

/* Who decided about a call. */
static void decided(struct turn *t, const struct event *ev) {
    inbox_decided(t, ev->call_id, span_eq(ev->message, SPAN("hook")));
    turn_tell(t);
}

void activity_told(struct turn *t, const struct event *ev) {
    static void (*const told[ACTIVITY_N_])(struct turn *, const struct event *) = {
        [ACTIVITY_BUSY] = busy,   [ACTIVITY_WAITING] = waiting, [ACTIVITY_IDLE] = idle,
        [ACTIVITY_ERROR] = error, [ACTIVITY_FAILED] = failed,   [ACTIVITY_SAID] = said,
        [ACTIVITY_MODEL] = model, [ACTIVITY_PLAN] = plan,       [ACTIVITY_DECIDED] = decided,
    };
    /* Before an agent has spoken only its screen can tell. */
    bool silent = t->was == SESSION_STATUS_CONNECTING && ev->by != EVIDENCE_SCREEN;
    if (t->was == SESSION_STATUS_ENDED || silent) return;
    told[ev->activity](t, ev);
    if (t->answered) turn_tell(t); /* also when it asks more, and its status stays */
}
