/* The table of known events, and what each of them does beside moving the status. */
#include "base/jscan.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/approval.h"
#include "core/attention.h"
#include "core/conversation.h"
#include "core/request.h"
#include "core/subagent.h"
#include "core/team.h"
#include "core/text.h"
#include "core/title.h"
#include "core/tool.h"

static struct span or_else(struct span s, struct span fallback) {
    return s.n ? s : fallback;
}

/* SessionStart */

static void session_start(struct turn *t, const struct event *ev) {
    /* /clear begins something else, under a title of its own. */
    if (span_eq(ev->start_source, SPAN("clear")) && !t->session->titled &&
        str_set(&t->session->title, SPAN_NONE))
        session_touch(t->state, t->session, FACET_IDENTITY);
    if (event_is_compaction(ev)) return;
    t->conv->turn_over = false;
    conversation_clear_tool(t);
    conversation_clear_error(t);
    attention_clear(t);
}

static struct span describe_session_start(const struct turn *t, const struct event *ev) {
    struct span source = or_else(ev->start_source, SPAN("startup"));
    if (!t->session->team_joined || t->session->team_joined != t->pos)
        return arena_printf(t->arena, "Session started (%.*s)", SPAN_ARG(source));
    return arena_printf(t->arena, "Session started (%.*s) [Team: %s%s]", SPAN_ARG(source),
                        t->session->team->id, ev->parent_session.n ? " via env" : "");
}

/* UserPromptSubmit */

/* Claude Code tells its model that a task in the background is over by a prompt that nobody typed. */
static bool is_task_notice(const struct event *ev) {
    return ev->cli == CLI_CLAUDE && span_starts(span_trim(ev->prompt), SPAN("<task-notification>"));
}

static void user_prompt(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    struct span prompt = text_cut(ev->prompt, APPLY_PROMPT_UNITS, t->arena);
    conversation_clear_tool(t);
    conversation_clear_error(t);
    c->background = 0;
    c->turn_over = false;
    if (is_task_notice(ev)) return;
    (void)str_set(&c->current_prompt, prompt);
    c->prompt_count++;
    conversation_log(t, HISTORY_PROMPT, prompt, SPAN_NONE);
    session_touch(t->state, t->session, FACET_PROMPT);
    if (!t->session->title) {
        (void)str_set(&t->session->title, title_make(t->session, prompt, t->arena));
        session_touch(t->state, t->session, FACET_IDENTITY);
    }
}

static struct span describe_prompt(const struct turn *t, const struct event *ev) {
    if (is_task_notice(ev)) return SPAN("A task in the background is over");
    return text_cut(ev->prompt, APPLY_DETAIL_UNITS, t->arena);
}

/* PreToolUse */

static void count_tool(struct conversation *c, struct span tool) {
    c->turn_tool_calls++;
    c->tool_calls++;
    for (size_t i = 0; i < c->tool_usage_count; i++) {
        if (!span_eq_str(tool, c->tool_usage[i].tool)) continue;
        c->tool_usage[i].count++;
        return;
    }
    if (c->tool_usage_count == APPLY_TOOL_NAMES_MAX) return;
    c->tool_usage = xreallocarray(c->tool_usage, c->tool_usage_count + 1, sizeof *c->tool_usage);
    c->tool_usage[c->tool_usage_count++] = (struct tool_count){str_dup(tool), 1};
}

static void pre_tool(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    struct span tool = or_else(ev->tool_name, SPAN("Unknown"));
    struct span summary = tool_summary(tool, ev->tool_input, t->arena);
    conversation_clear_error(t);
    count_tool(c, tool);
    conversation_log(t, HISTORY_TOOL, tool, summary);
    call_begin(t, ev, t->pos);
    session_touch(t->state, t->session, FACET_TOOLS);
    if (ev->subagent_id.n) return; /* the card shows the main conversation's tool */
    c->turn_over = false;
    (void)str_set(&c->tool_now, tool);
    (void)str_set(&c->tool_now_input, summary);
    c->tool_now_ms = t->at_ms;
    if (!ev->by_hook) approval_watch(t, tool); /* our own hooks say when it asks */
}

static struct span describe_pre_tool(const struct turn *t UNUSED, const struct event *ev) {
    return or_else(ev->tool_name, SPAN("Unknown"));
}

/* PostToolUse, PostToolUseFailure */

static struct span describe_failure(const struct turn *t, const struct event *ev) {
    struct span tool = or_else(ev->tool_name, SPAN("Tool"));
    if (!ev->error.n) return arena_printf(t->arena, "%.*s failed", SPAN_ARG(tool));
    return arena_printf(t->arena, "%.*s failed: %.*s", SPAN_ARG(tool),
                        SPAN_ARG(text_cut(ev->error, APPLY_DETAIL_UNITS, t->arena)));
}

static void post_tool(struct turn *t, const struct event *ev) {
    if (!ev->subagent_id.n) conversation_clear_tool(t);
    if (ev->failed) conversation_mark_failed(t, ev->tool_name, ev->error);
}

static void post_tool_failure(struct turn *t, const struct event *ev) {
    if (!ev->subagent_id.n) conversation_clear_tool(t);
    conversation_mark_failed(t, ev->tool_name, ev->error);
}

static struct span describe_post_tool(const struct turn *t, const struct event *ev) {
    if (ev->failed) return describe_failure(t, ev);
    return arena_printf(t->arena, "%.*s completed", SPAN_ARG(or_else(ev->tool_name, SPAN("Tool"))));
}

/* PermissionRequest */

static bool says_something(struct span input) {
    struct span rest = input, key, value;
    return jscan_kind(input) != JKIND_NULL && jscan_kind(input) != JKIND_NONE &&
           !(jscan_kind(input) == JKIND_OBJECT && jscan_member_next(&rest, &key, &value) != 1);
}

static void permission_request(struct turn *t, const struct event *ev) {
    if (ev->unattended) return; /* the CLI says no by itself */
    struct asking a = {.tool = or_else(ev->tool_name, SPAN("Unknown")),
                       .input = ev->tool_input,
                       .agent = ev->subagent_id,
                       .call = ev->request_id,
                       .hold = ev->hold,
                       .suggestions = ev->suggestions,
                       .certain = true};
    /* opencode may leave it to the call to say what is asked for. */
    const struct tool_call *call = says_something(a.input) ? NULL : call_find(t->conv, ev->call_id);
    if (call) a.tool = span_str(call->tool);
    if (call) a.input = span_str(call->input);
    bool approval = request_add(t, &a)->kind == ATTENTION_APPROVAL;
    if (!approval) status_set(t, ev, SESSION_STATUS_INPUT, ANIMATION_WAITING);
}

static struct span describe_permission_request(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Permission request: %.*s",
                        SPAN_ARG(or_else(ev->tool_name, SPAN("Unknown"))));
}

/* Stop */

static void stop(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    if (c->turn_tool_calls > APPLY_HEAVY_TOOL_CALLS && t->was == SESSION_STATUS_WORKING) {
        c->animation = ANIMATION_DANCE;
        c->emote = EMOTE_NONE;
    }
    conversation_clear_tool(t);
    c->turn_tool_calls = 0;
    c->background = ev->background;
    c->turn_over = !ev->background;
    session_touch(t->state, t->session, FACET_TOOLS);
    if (ev->response.n)
        conversation_log(t, HISTORY_RESPONSE, text_cut(ev->response, APPLY_RESPONSE_UNITS, t->arena),
                         SPAN_NONE);
    attention_heard(t, ev->response);
    /* With work in the background it is nobody's turn: the agent will be back by itself. */
    if (c->background && !c->request_count) status_set(t, ev, SESSION_STATUS_WORKING, ANIMATION_RUNNING);
    if (!c->background && !ev->broken_off) attention_finished(t, ev->response);
}

static struct span describe_stop(const struct turn *t, const struct event *ev UNUSED) {
    bool heavy = t->conv->animation == ANIMATION_DANCE;
    if (t->conv->background) return SPAN("Goes on in the background");
    return heavy ? SPAN("Heavy work done — ready for input") : SPAN("Ready for your input");
}

/* Subagents and tasks */

static void subagent_start(struct turn *t, const struct event *ev) {
    subagent_began(t->conv, ev->subagent_id);
    (void)str_set(&t->conv->last_subagent_name, or_else(ev->subagent_name, ev->agent_type));
    team_announced(t, ev->agent_type);
    session_touch(t->state, t->session, FACET_AGENTS);
}

static struct span describe_subagent_start(const struct turn *t, const struct event *ev) {
    struct span type = or_else(ev->agent_type, SPAN("unknown")), id = utf8_cut_units(ev->subagent_id, 8);
    return arena_printf(t->arena, "Subagent spawned (%.*s%s%.*s%s%.*s)", SPAN_ARG(type),
                        ev->subagent_name.n ? " " : "", SPAN_ARG(ev->subagent_name), id.n ? " #" : "",
                        SPAN_ARG(id));
}

static void subagent_stop(struct turn *t, const struct event *ev) {
    subagent_ended(t->conv, ev->subagent_id);
    session_touch(t->state, t->session, FACET_AGENTS);
    if (t->answered && !t->conv->request_count && status_is_asking(t->was)) status_answered(t, ev);
}

static struct span describe_subagent_stop(const struct turn *t UNUSED, const struct event *ev UNUSED) {
    return SPAN("Subagent finished");
}

static struct span describe_teammate_idle(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Teammate idle: %.*s", SPAN_ARG(or_else(ev->teammate, SPAN("unknown"))));
}

static struct span describe_task_completed(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Task completed: %.*s",
                        SPAN_ARG(text_cut(or_else(ev->task, SPAN("unknown")), 200, t->arena)));
}

/* The rest */

static struct span describe_pre_compact(const struct turn *t UNUSED, const struct event *ev UNUSED) {
    return SPAN("Context compaction starting");
}

/* A notice says that something is asked, but hardly what: the tool in flight does. */
static void explain_notice(struct turn *t, const struct event *ev, enum session_status status) {
    const struct conversation *c = t->conv;
    bool approval = status == SESSION_STATUS_APPROVAL;
    struct asking a = {.agent = ev->subagent_id,
                       .kind = approval ? ATTENTION_APPROVAL : ATTENTION_QUESTION,
                       .text = or_else(ev->message, SPAN("Waiting for your answer")),
                       .certain = true};
    const struct tool_call *call = call_of(c, ev->subagent_id);
    if (approval && call) {
        a.kind = ATTENTION_NONE; /* the tool says what it is */
        a.tool = span_str(call->tool);
        a.input = span_str(call->input);
    } else if (ev->asked.n) {
        a.text = arena_printf(t->arena, "%.*s: %.*s", SPAN_ARG(or_else(ev->message, SPAN("Approve"))),
                              SPAN_ARG(ev->asked));
    }
    (void)request_add(t, &a);
}

/* Some notices tell what no other event does: that the agent asks, or that it stopped without a Stop (Esc). */
static void notification(struct turn *t, const struct event *ev) {
    static const struct {
        struct span type;
        enum session_status status;
    } meanings[] = {
        {SPAN("permission_prompt"), SESSION_STATUS_APPROVAL},
        {SPAN("ToolPermission"), SESSION_STATUS_APPROVAL},
        {SPAN("elicitation_dialog"), SESSION_STATUS_INPUT},
        {SPAN("elicitation_url_dialog"), SESSION_STATUS_INPUT},
        {SPAN("agent_needs_input"), SESSION_STATUS_INPUT},
        {SPAN("idle_prompt"), SESSION_STATUS_WAITING},
    };
    if (span_eq(ev->notification, SPAN("retry"))) attention_retrying(t, ev->message);
    if (span_eq(ev->notification, SPAN("retry_over")) && status_is_busy(t->was)) attention_clear(t);
    for (size_t i = 0; i < ARRAY_LEN(meanings); i++) {
        if (!span_eq(ev->notification, meanings[i].type)) continue;
        bool asks = meanings[i].status != SESSION_STATUS_WAITING;
        if (!asks && t->was == SESSION_STATUS_IDLE) return; /* no news */
        if (asks && status_is_asking(t->was)) return;       /* known already, and in more detail */
        if (!asks) request_end_all(t, ENDING_OVER);
        if (!asks) conversation_clear_tool(t);
        status_set(t, ev, meanings[i].status, ANIMATION_WAITING);
        if (asks) explain_notice(t, ev, meanings[i].status);
        return;
    }
}

static struct span describe_notification(const struct turn *t, const struct event *ev) {
    return text_cut(or_else(ev->message, SPAN("Notification")), APPLY_WAITING_UNITS, t->arena);
}

/* StopFailure, Interrupt, PermissionDenied */

static void stop_failure(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    stop(t, ev);
    attention_error(t, ev->error, or_else(ev->error_detail, ev->response));
    c->animation = ANIMATION_WAITING; /* nothing to dance about */
    (void)str_set(&c->error_kind, text_cut(or_else(ev->error, SPAN("unknown")), 64, t->arena));
    (void)str_set(&c->error_detail, text_cut(ev->error_detail, APPLY_RESPONSE_UNITS, t->arena));
    c->error_ms = t->at_ms;
}

static struct span describe_stop_failure(const struct turn *t, const struct event *ev UNUSED) {
    return arena_printf(t->arena, "Stopped by an error: %s", t->conv->error_kind);
}

static void interrupt(struct turn *t, const struct event *ev UNUSED) {
    conversation_clear_tool(t);
    t->conv->turn_tool_calls = 0;
    session_touch(t->state, t->session, FACET_TOOLS);
}

static struct span describe_interrupt(const struct turn *t UNUSED, const struct event *ev UNUSED) {
    return SPAN("Interrupted");
}

static struct span describe_permission_replied(const struct turn *t UNUSED, const struct event *ev UNUSED) {
    return SPAN("Permission answered");
}

/* A rule or a classifier said no: the call did not run. */
static void permission_denied(struct turn *t, const struct event *ev) {
    struct span why = or_else(ev->reason, ev->error);
    post_tool(t, ev);
    conversation_mark_failed(
        t, ev->tool_name,
        arena_printf(t->arena, "Permission denied%s%.*s", why.n ? ": " : "", SPAN_ARG(why)));
}

static struct span describe_permission_denied(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Permission denied: %.*s",
                        SPAN_ARG(or_else(ev->tool_name, SPAN("Unknown"))));
}

/* Elicitation: an MCP server asks */

static void elicitation(struct turn *t, const struct event *ev) {
    const struct asking a = {.agent = ev->subagent_id,
                             .kind = ATTENTION_QUESTION,
                             .text = or_else(ev->message, SPAN("Waiting for your answer")),
                             .certain = true};
    (void)request_add(t, &a);
}

static struct span describe_elicitation(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Question from %.*s", SPAN_ARG(or_else(ev->server, SPAN("a server"))));
}

static struct span describe_elicitation_result(const struct turn *t UNUSED, const struct event *ev UNUSED) {
    return SPAN("Question answered");
}

/* What is only noted */

static struct span describe_post_compact(const struct turn *t UNUSED, const struct event *ev UNUSED) {
    return SPAN("Context compacted");
}

static struct span describe_cwd_changed(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Directory changed to %.*s", SPAN_ARG(ev->new_cwd));
}

static struct span describe_task_created(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Task created: %.*s",
                        SPAN_ARG(text_cut(or_else(ev->task, SPAN("unknown")), 200, t->arena)));
}

static void post_model_switch(struct turn *t, const struct event *ev) {
    if (ev->to_model.n && str_set(&t->conv->model, ev->to_model))
        session_touch(t->state, t->session, FACET_IDENTITY);
}

static struct span describe_model_switch(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Model switched to %.*s", SPAN_ARG(or_else(ev->to_model, SPAN("another"))));
}

/* agent-turn-complete: all that Codex' notify form ever says, so it brings the prompt along. */

static void turn_complete(struct turn *t, const struct event *ev) {
    if (ev->prompt.n) user_prompt(t, ev);
    stop(t, ev);
}

/* A person who ends it knows that it has ended. What broke off, or is done and was not seen, stays to be seen. */
static void session_end(struct turn *t, const struct event *ev) {
    static const struct span by_person[] = {
        SPAN("prompt_input_exit"), SPAN("logout"), SPAN("exit"), SPAN("clear"), SPAN("resume"),
        SPAN("user_exit")};
    bool asked_to = false;
    for (size_t i = 0; i < ARRAY_LEN(by_person); i++)
        asked_to |= span_eq(ev->reason, by_person[i]);
    bool broke_off = status_is_busy(t->was) || t->answered;
    /* Gemini says the same of a turn without a person, which ends with its answer. */
    bool unread = t->conv->notice.kind && t->at_ms - t->conv->notice.since_ms < APPLY_READING_MS;
    if (asked_to && !unread)
        attention_clear(t);
    else if (broke_off && !asked_to)
        attention_exited(t, SPAN("Ended in the middle of its work"));
    conversation_forget_work(t);
}

static struct span describe_session_end(const struct turn *t, const struct event *ev) {
    return arena_printf(t->arena, "Session ended (%.*s)", SPAN_ARG(or_else(ev->reason, SPAN("unknown"))));
}

/* clang-format off */
#define STATUS(s, a) SESSION_STATUS_##s, ANIMATION_##a
#define KEEPS EVENT_KEEPS, EVENT_KEEPS
enum {
    CLAUDE = 1 << CLI_CLAUDE, CODEX = 1 << CLI_CODEX, GEMINI = 1 << CLI_GEMINI, COPILOT = 1 << CLI_COPILOT, OPENCODE = 1 << CLI_OPENCODE,
    EACH = (1 << CLI_N_) - 1,
};
static const struct event_kind kinds[] = {
    /* name                 flags                                           status, animation           emote            whose                        apply               describe */

    /* Claude Code; the others use many of the names, too */
    {"SessionStart",        EVENT_REVIVES | EVENT_STARTS,                   STATUS(IDLE, IDLE),         EVENT_KEEPS,     EACH,                        session_start,      describe_session_start},
    {"UserPromptSubmit",    EVENT_REVIVES | EVENT_TURNS,                    STATUS(PROMPTING, WALKING), EMOTE_WAVE,      EACH & ~GEMINI,              user_prompt,        describe_prompt},
    {"PreToolUse",          EVENT_REVIVES | EVENT_CALLS,                    STATUS(WORKING, RUNNING),   EVENT_KEEPS,     CLAUDE | CODEX | OPENCODE,   pre_tool,           describe_pre_tool},
    {"PostToolUse",         EVENT_SURVIVES | EVENT_RETURNS,                 STATUS(WORKING, RUNNING),   EVENT_KEEPS,     EACH & ~GEMINI,              post_tool,          describe_post_tool},
    {"PostToolUseFailure",  EVENT_SURVIVES | EVENT_RETURNS,                 STATUS(WORKING, RUNNING),   EVENT_KEEPS,     CLAUDE | COPILOT | OPENCODE, post_tool_failure,  describe_failure},
    {"PermissionRequest",   EVENT_REVIVES,                                  STATUS(APPROVAL, WAITING),  EVENT_KEEPS,     CLAUDE | CODEX | OPENCODE,   permission_request, describe_permission_request},
    {"PermissionReplied",   EVENT_RETURNS,                                  STATUS(WORKING, RUNNING),   EVENT_KEEPS,     OPENCODE,                    NULL,               describe_permission_replied},
    {"PermissionDenied",    EVENT_RETURNS,                                  STATUS(WORKING, RUNNING),   EVENT_KEEPS,     CLAUDE,                      permission_denied,  describe_permission_denied},
    {"Elicitation",         0,                                              STATUS(INPUT, WAITING),     EVENT_KEEPS,     CLAUDE,                      elicitation,        describe_elicitation},
    {"ElicitationResult",   EVENT_RETURNS,                                  STATUS(WORKING, RUNNING),   EVENT_KEEPS,     CLAUDE,                      post_tool,          describe_elicitation_result},
    {"Stop",                EVENT_SURVIVES | EVENT_TURNS,                   STATUS(WAITING, WAITING),   EMOTE_THUMBS_UP, EACH & ~GEMINI,              stop,               describe_stop},
    {"StopFailure",         EVENT_TURNS,                                    STATUS(WAITING, WAITING),   EMOTE_NONE,      CLAUDE | OPENCODE,           stop_failure,       describe_stop_failure},
    {"Notification",        0,                                              KEEPS,                      EVENT_KEEPS,     EACH & ~CODEX,               notification,       describe_notification},
    {"SubagentStart",       0,                                              KEEPS,                      EMOTE_JUMP,      CLAUDE | CODEX,              subagent_start,     describe_subagent_start},
    {"SubagentStop",        EVENT_PARTS,                                    KEEPS,                      EVENT_KEEPS,     CLAUDE | CODEX,              subagent_stop,      describe_subagent_stop},
    {"TeammateIdle",        0,                                              KEEPS,                      EVENT_KEEPS,     CLAUDE,                      NULL,               describe_teammate_idle},
    {"TaskCreated",         0,                                              KEEPS,                      EVENT_KEEPS,     CLAUDE,                      NULL,               describe_task_created},
    {"TaskCompleted",       0,                                              KEEPS,                      EMOTE_THUMBS_UP, CLAUDE,                      NULL,               describe_task_completed},
    {"PreCompact",          0,                                              KEEPS,                      EVENT_KEEPS,     CLAUDE | CODEX | COPILOT,    NULL,               describe_pre_compact},
    {"PostCompact",         0,                                              KEEPS,                      EVENT_KEEPS,     CLAUDE | CODEX | OPENCODE,   NULL,               describe_post_compact},
    {"CwdChanged",          0,                                              KEEPS,                      EVENT_KEEPS,     CLAUDE,                      NULL,               describe_cwd_changed},
    {"PostModelSwitch",     0,                                              KEEPS,                      EVENT_KEEPS,     CLAUDE,                      post_model_switch,  describe_model_switch},
    {"SessionEnd",          0,                                              STATUS(ENDED, DEATH),       EVENT_KEEPS,     EACH,                        session_end,        describe_session_end},

    /* Codex */
    {"Interrupt",           EVENT_TURNS,                                    STATUS(WAITING, WAITING),   EMOTE_NONE,      CODEX | OPENCODE,            interrupt,          describe_interrupt},
    {"agent-turn-complete", EVENT_REVIVES | EVENT_TURNS,                    STATUS(WAITING, WAITING),   EMOTE_THUMBS_UP, 0,                           turn_complete,      describe_stop},

    /* Gemini */
    {"BeforeAgent",         EVENT_REVIVES | EVENT_TURNS,                    STATUS(PROMPTING, WALKING), EMOTE_WAVE,      GEMINI,                      user_prompt,        describe_prompt},
    {"BeforeTool",          EVENT_REVIVES | EVENT_CALLS,                    STATUS(WORKING, RUNNING),   EVENT_KEEPS,     GEMINI,                      pre_tool,           describe_pre_tool},
    {"AfterTool",           EVENT_SURVIVES | EVENT_RETURNS,                 STATUS(WORKING, RUNNING),   EVENT_KEEPS,     GEMINI,                      post_tool,          describe_post_tool},
    {"AfterAgent",          EVENT_SURVIVES | EVENT_TURNS,                   STATUS(WAITING, WAITING),   EMOTE_THUMBS_UP, GEMINI,                      stop,               describe_stop},
    {"PreCompress",         0,                                              KEEPS,                      EVENT_KEEPS,     0,                           NULL,               describe_pre_compact},
};
/* clang-format on */

const struct event_kind *event_kind_find(struct span name) {
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (span_eq_str(name, kinds[i].name)) return &kinds[i];
    return NULL;
}

const struct event_kind *event_kind_next(const struct event_kind *after, enum cli cli) {
    for (size_t i = after ? (size_t)(after - kinds) + 1 : 0; i < ARRAY_LEN(kinds); i++)
        if (kinds[i].clis & 1U << cli) return &kinds[i];
    return NULL;
}
