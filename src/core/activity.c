#include "core/activity.h"

#include "core/attention.h"
#include "core/conversation.h"
#include "core/idle.h"
#include "core/request.h"

static struct reason by_itself(const struct event *ev) {
    return (struct reason){ev->by_screen ? EVIDENCE_SCREEN : EVIDENCE_FILE, activity_to_str(ev->activity),
                           ev->at_ms};
}

static void move(struct turn *t, const struct event *ev, enum session_status status,
                 enum animation animation) {
    status_move(t->state, t->worker, status, animation, by_itself(ev));
    idle_watch(t);
    turn_tell(t);
}

static bool is_asking(enum session_status s) {
    return s == SESSION_STATUS_APPROVAL || s == SESSION_STATUS_INPUT;
}

/* It works: whatever was asked before is answered. */
static void busy(struct turn *t, const struct event *ev) {
    request_end_before(t, ev->since_ms);
    if (t->conv->request_count || status_is_busy(t->was)) return;
    if (!is_asking(t->was) && ev->since_ms <= t->conv->last_activity_ms)
        return; /* older than its last event */
    attention_clear(t);
    move(t, ev, SESSION_STATUS_WORKING, ANIMATION_RUNNING);
}

/* It waits for a person. A hook has said, or will say in a moment, for what; where none does the call under way tells. */
static void waiting(struct turn *t, const struct event *ev) {
    if (t->conv->request_count || ev->since_ms < t->conv->last_activity_ms) return;
    const struct tool_call *call = call_of(t->conv, SPAN_NONE);
    bool approval = !span_eq(ev->message, SPAN("input needed"));
    struct asking a = {.text = ev->message.n ? ev->message : SPAN("Waiting for your answer"),
                       .kind = approval ? ATTENTION_APPROVAL : ATTENTION_QUESTION,
                       .certain = true};
    if (call) {
        a.tool = span_str(call->tool);
        a.input = span_str(call->input);
        a.kind = ATTENTION_NONE;
    }
    request_add(t, &a);
    attention_clear(t);
    move(t, ev, approval ? SESSION_STATUS_APPROVAL : SESSION_STATUS_INPUT, ANIMATION_WAITING);
}

/* It does nothing. When no hook has told that its turn is over, a person broke it off and knows. */
static void idle(struct turn *t, const struct event *ev) {
    request_end_before(t, ev->since_ms);
    bool over = status_is_busy(t->was) || is_asking(t->was);
    if (!over || t->conv->request_count || ev->since_ms < t->conv->last_activity_ms) return;
    call_forget_all(t->conv);
    conversation_clear_tool(t);
    t->conv->background = 0;
    t->conv->turn_tool_calls = 0;
    session_touch(t->state, t->session, FACET_TOOLS);
    move(t, ev, SESSION_STATUS_WAITING, ANIMATION_WAITING);
}

void activity_told(struct turn *t, const struct event *ev) {
    static void (*const told[ACTIVITY_N_])(struct turn *, const struct event *) = {
        [ACTIVITY_BUSY] = busy,
        [ACTIVITY_WAITING] = waiting,
        [ACTIVITY_IDLE] = idle,
    };
    if (t->was == SESSION_STATUS_ENDED || t->was == SESSION_STATUS_CONNECTING) return;
    told[ev->activity](t, ev);
}
