#include "core/approval.h"

#include "core/conversation.h"
#include "core/deadline.h"
#include "core/idle.h"
#include "core/request.h"

enum category { FAST, USER_INPUT, MEDIUM, SLOW, CATEGORY_N_ };

static const struct {
    int64_t timeout_ms;
    enum session_status status;
} categories[CATEGORY_N_] = {
    [FAST] = {3000, SESSION_STATUS_APPROVAL},
    [USER_INPUT] = {3000, SESSION_STATUS_INPUT},
    [MEDIUM] = {15000, SESSION_STATUS_APPROVAL},
    [SLOW] = {8000, SESSION_STATUS_APPROVAL},
};

static const struct {
    struct span tool;
    enum category category;
    const char *label; /* what it waits for; NULL: "Approve TOOL: …" */
} tools[] = {
    {SPAN("Read"), FAST, NULL},
    {SPAN("Write"), FAST, NULL},
    {SPAN("Edit"), FAST, NULL},
    {SPAN("Grep"), FAST, NULL},
    {SPAN("Glob"), FAST, NULL},
    {SPAN("NotebookEdit"), FAST, NULL},
    {SPAN("AskUserQuestion"), USER_INPUT, "Waiting for your answer"},
    {SPAN("EnterPlanMode"), USER_INPUT, "Review plan mode request"},
    {SPAN("ExitPlanMode"), USER_INPUT, "Review plan"},
    {SPAN("WebFetch"), MEDIUM, NULL},
    {SPAN("WebSearch"), MEDIUM, NULL},
    {SPAN("Bash"), SLOW, NULL},
    {SPAN("Task"), SLOW, NULL},
};

/* Its place in the table; the table's length for a tool that cannot be judged. */
static size_t find(struct span tool) {
    size_t i = 0;
    while (i < ARRAY_LEN(tools) && !span_eq(tool, tools[i].tool))
        i++;
    return i;
}

void approval_watch(struct turn *t, struct span tool) {
    size_t i = find(tool);
    int64_t at_ms = i < ARRAY_LEN(tools) ? t->at_ms + categories[tools[i].category].timeout_ms : 0;
    deadline_set(t->state, t->worker, DEADLINE_APPROVAL, at_ms);
}

static void wait_for_person(struct turn *t, size_t i) {
    const struct tool_call *call = call_of(t->conv, SPAN_NONE);
    const struct asking a = {.tool = span_str(t->conv->tool_now),
                             .input = call ? span_str(call->input) : SPAN_NONE,
                             .label = tools[i].label};
    (void)request_add(t, &a);
    status_move(t->state, t->worker, categories[tools[i].category].status, ANIMATION_WAITING,
                (struct reason){EVIDENCE_TIMER, "approval", t->at_ms});
    idle_watch(t);
    turn_tell(t);
}

/* The tool that is watched, while the conversation is still busy with it. */
static bool still_open(const struct conversation *c, size_t *ret) {
    if (c->status != SESSION_STATUS_WORKING || !c->tool_now) return false;
    *ret = find(span_str(c->tool_now));
    return *ret < ARRAY_LEN(tools);
}

void approval_due(struct turn *t) {
    size_t i;
    if (!still_open(t->conv, &i)) return;
    if (tools[i].category == SLOW && t->conv->pid)
        effects_add(t->fx,
                    (struct effect){.kind = EFFECT_PROBE, .session = t->session, .probe = PROBE_APPROVAL});
    else
        wait_for_person(t, i);
}

void approval_probed(struct turn *t, bool has_child) {
    size_t i;
    if (!has_child && still_open(t->conv, &i)) wait_for_person(t, i);
}
