/*
 * A record is {"ostler":{what the hook added},"payload":{what the agent sent}}. The first part is ours and strict; the second is
 * everything between its key and the record's last byte, whatever it holds, so that nothing in it can be taken for the first. Both
 * objects are looked at with the span scanner in one pass each; nothing is copied unless it contains escapes or has to be mended.
 */
#include "core/event.h"

#include "base/jmend.h"
#include "base/jscan.h"
#include "base/utf8.h"
#include "core/command.h"
#include "core/tool.h"

#include <errno.h>

/* What the hook adds. For records that came by HTTP the same names are looked for in the payload. */
enum added {
    ADDED_VIA,
    ADDED_CLI,
    ADDED_SENT_AT,
    ADDED_KEY,
    ADDED_PID,
    ADDED_TERM_PROGRAM,
    ADDED_VSCODE_PID,
    ADDED_IS_GHOSTTY,
    ADDED_TMUX,
    ADDED_TAB_ID,
    ADDED_OVERSIZED,
    ADDED_GEMINI_SESSION,
    ADDED_GEMINI_CWD,
    ADDED_PID_START,
    ADDED_PROBE,
    ADDED_COMMAND,
    ADDED_PARENT_PID,
    ADDED_PID_NAMESPACE,
    ADDED_PID_AGE,
    ADDED_TERMINAL,
    ADDED_WORKER,
    ADDED_PARENT_SESSION,
    ADDED_TEAM_NAME,
    ADDED_AGENT_NAME,
    ADDED_AGENT_TYPE,
    ADDED_AGENT_COLOR,
    ADDED_ATTENDED,
    ADDED_ENTRYPOINT,
    ADDED_JOB,
    ADDED_SHARED,
    ADDED_DETACHED,
    ADDED_STATE,
    ADDED_ELSEWHERE,
    ADDED_HOLD,
    ADDED_N_
};

static const struct jmember added_members[ADDED_N_] = {
    [ADDED_VIA] = {SPAN("via"), {0}},
    [ADDED_CLI] = {SPAN("cli"), {0}},
    [ADDED_SENT_AT] = {SPAN("hook_sent_at"), {0}},
    [ADDED_KEY] = {SPAN("key"), {0}},
    [ADDED_PID] = {SPAN("claude_pid"), {0}},
    [ADDED_TERM_PROGRAM] = {SPAN("term_program"), {0}},
    [ADDED_VSCODE_PID] = {SPAN("vscode_pid"), {0}},
    [ADDED_IS_GHOSTTY] = {SPAN("is_ghostty"), {0}},
    [ADDED_TMUX] = {SPAN("tmux"), {0}},
    [ADDED_TAB_ID] = {SPAN("tab_id"), {0}},
    [ADDED_OVERSIZED] = {SPAN("oversized"), {0}},
    [ADDED_GEMINI_SESSION] = {SPAN("gemini_session_id"), {0}},
    [ADDED_GEMINI_CWD] = {SPAN("gemini_cwd"), {0}},
    [ADDED_PID_START] = {SPAN("claude_start"), {0}},
    [ADDED_PROBE] = {SPAN("probe"), {0}},
    [ADDED_COMMAND] = {SPAN("command"), {0}},
    [ADDED_PARENT_PID] = {SPAN("claude_ppid"), {0}},
    [ADDED_PID_NAMESPACE] = {SPAN("pid_ns"), {0}},
    [ADDED_PID_AGE] = {SPAN("claude_age"), {0}},
    [ADDED_TERMINAL] = {SPAN("agent_terminal_id"), {0}},
    [ADDED_WORKER] = {SPAN("worker"), {0}},
    [ADDED_PARENT_SESSION] = {SPAN("parent_session_id"), {0}},
    [ADDED_TEAM_NAME] = {SPAN("team_name"), {0}},
    [ADDED_AGENT_NAME] = {SPAN("agent_name"), {0}},
    [ADDED_AGENT_TYPE] = {SPAN("agent_type"), {0}},
    [ADDED_AGENT_COLOR] = {SPAN("agent_color"), {0}},
    [ADDED_ATTENDED] = {SPAN("attended"), {0}},
    [ADDED_ENTRYPOINT] = {SPAN("entrypoint"), {0}},
    [ADDED_JOB] = {SPAN("job"), {0}},
    [ADDED_SHARED] = {SPAN("shared"), {0}},
    [ADDED_DETACHED] = {SPAN("detached"), {0}},
    [ADDED_STATE] = {SPAN("state"), {0}},
    [ADDED_ELSEWHERE] = {SPAN("elsewhere"), {0}},
    [ADDED_HOLD] = {SPAN("hold"), {0}},
};

/* What the agent sends. */
enum sent {
    SENT_SESSION_ID,
    SENT_EVENT,
    SENT_CWD,
    SENT_TRANSCRIPT,
    SENT_PERMISSION_MODE,
    SENT_MODEL,
    SENT_PROMPT,
    SENT_RESPONSE,
    SENT_LAST_MESSAGE,
    SENT_MESSAGE,
    SENT_STOP_REASON,
    SENT_TITLE,
    SENT_ERROR,
    SENT_REASON,
    SENT_SOURCE,
    SENT_TOOL_NAME,
    SENT_TOOL_INPUT,
    SENT_AGENT_ID,
    SENT_AGENT_TYPE,
    SENT_AGENT_NAME,
    SENT_TASK_DESCRIPTION,
    SENT_TASK_SUBJECT,
    SENT_TASK_ID,
    SENT_TEAMMATE_NAME,
    SENT_TEAMMATE_ID,
    SENT_TIMESTAMP,
    SENT_NOTIFICATION_TYPE,
    SENT_ERROR_DETAILS,
    SENT_NEW_CWD,
    SENT_TO_MODEL,
    SENT_MCP_SERVER,
    SENT_PROMPT_RESPONSE,
    SENT_DETAILS,
    SENT_COPILOT_SESSION,
    SENT_NOTIFY_TYPE,
    SENT_NOTIFY_THREAD,
    SENT_NOTIFY_MESSAGES,
    SENT_NOTIFY_LAST,
    SENT_CALL_ID,
    SENT_REQUEST_ID,
    SENT_BACKGROUND,
    SENT_TOOL_RESPONSE,
    SENT_TOOL_RESULT,
    SENT_PARENT_AGENT,
    SENT_SUGGESTIONS,
    SENT_N_
};

static const struct jmember sent_members[SENT_N_] = {
    [SENT_SESSION_ID] = {SPAN("session_id"), {0}},
    [SENT_EVENT] = {SPAN("hook_event_name"), {0}},
    [SENT_CWD] = {SPAN("cwd"), {0}},
    [SENT_TRANSCRIPT] = {SPAN("transcript_path"), {0}},
    [SENT_PERMISSION_MODE] = {SPAN("permission_mode"), {0}},
    [SENT_MODEL] = {SPAN("model"), {0}},
    [SENT_PROMPT] = {SPAN("prompt"), {0}},
    [SENT_RESPONSE] = {SPAN("response"), {0}},
    [SENT_LAST_MESSAGE] = {SPAN("last_assistant_message"), {0}},
    [SENT_MESSAGE] = {SPAN("message"), {0}},
    [SENT_STOP_REASON] = {SPAN("stop_reason_str"), {0}},
    [SENT_TITLE] = {SPAN("title"), {0}},
    [SENT_ERROR] = {SPAN("error"), {0}},
    [SENT_REASON] = {SPAN("reason"), {0}},
    [SENT_SOURCE] = {SPAN("source"), {0}},
    [SENT_TOOL_NAME] = {SPAN("tool_name"), {0}},
    [SENT_TOOL_INPUT] = {SPAN("tool_input"), {0}},
    [SENT_AGENT_ID] = {SPAN("agent_id"), {0}},
    [SENT_AGENT_TYPE] = {SPAN("agent_type"), {0}},
    [SENT_AGENT_NAME] = {SPAN("agent_name"), {0}},
    [SENT_TASK_DESCRIPTION] = {SPAN("task_description"), {0}},
    [SENT_TASK_SUBJECT] = {SPAN("task_subject"), {0}},
    [SENT_TASK_ID] = {SPAN("task_id"), {0}},
    [SENT_TEAMMATE_NAME] = {SPAN("teammate_name"), {0}},
    [SENT_TEAMMATE_ID] = {SPAN("teammate_id"), {0}},
    [SENT_TIMESTAMP] = {SPAN("timestamp"), {0}},
    [SENT_NOTIFICATION_TYPE] = {SPAN("notification_type"), {0}},
    [SENT_ERROR_DETAILS] = {SPAN("error_details"), {0}},
    [SENT_NEW_CWD] = {SPAN("new_cwd"), {0}},
    [SENT_TO_MODEL] = {SPAN("to_model"), {0}},
    [SENT_MCP_SERVER] = {SPAN("mcp_server_name"), {0}},
    [SENT_PROMPT_RESPONSE] = {SPAN("prompt_response"), {0}},
    [SENT_DETAILS] = {SPAN("details"), {0}},
    [SENT_COPILOT_SESSION] = {SPAN("sessionId"), {0}},
    /* Codex' notify form has a spelling of its own. */
    [SENT_NOTIFY_TYPE] = {SPAN("type"), {0}},
    [SENT_NOTIFY_THREAD] = {SPAN("thread-id"), {0}},
    [SENT_NOTIFY_MESSAGES] = {SPAN("input-messages"), {0}},
    [SENT_NOTIFY_LAST] = {SPAN("last-assistant-message"), {0}},
    [SENT_CALL_ID] = {SPAN("tool_use_id"), {0}},
    [SENT_REQUEST_ID] = {SPAN("request_id"), {0}},
    [SENT_TOOL_RESPONSE] = {SPAN("tool_response"), {0}},
    [SENT_TOOL_RESULT] = {SPAN("tool_result"), {0}},
    [SENT_PARENT_AGENT] = {SPAN("parent_agent_id"), {0}},
    [SENT_SUGGESTIONS] = {SPAN("permission_suggestions"), {0}},
    [SENT_BACKGROUND] = {SPAN("background_tasks"), {0}},
};

/* Names and paths: long enough for every real one, and no way to fill the memory with one. */
enum { NAME_UNITS = 200, PATH_UNITS = 4096 };

static struct span name_text(struct span value, struct arena *arena) {
    return utf8_cut_units(jscan_text(value, arena), NAME_UNITS);
}

static struct span path_text(struct span value, struct arena *arena) {
    return utf8_cut_units(jscan_text(value, arena), PATH_UNITS);
}

static bool is_set(struct span value) {
    enum jkind kind = jscan_kind(value);
    return kind != JKIND_NONE && kind != JKIND_NULL;
}

static struct span first_text(const struct jmember *m, const int *which, size_t count, struct arena *arena) {
    for (size_t i = 0; i < count; i++) {
        struct span s = jscan_text(m[which[i]].value, arena);
        if (s.n) return s;
    }
    return SPAN_NONE;
}
#define FIRST_TEXT(m, arena, ...) \
    first_text(m, (const int[]){__VA_ARGS__}, ARRAY_LEN(((const int[]){__VA_ARGS__})), arena)

/* Puts what a CLI says in its own way where everybody else says it. */
static void translate(struct jmember *sent, const struct jmember *added, enum cli cli) {
    if (cli == CLI_GEMINI) {
        if (!is_set(sent[SENT_SESSION_ID].value))
            sent[SENT_SESSION_ID].value = added[ADDED_GEMINI_SESSION].value;
        if (!is_set(sent[SENT_CWD].value)) sent[SENT_CWD].value = added[ADDED_GEMINI_CWD].value;
        if (!is_set(sent[SENT_RESPONSE].value)) sent[SENT_RESPONSE].value = sent[SENT_PROMPT_RESPONSE].value;
    }
    if (cli == CLI_COPILOT && !is_set(sent[SENT_SESSION_ID].value))
        sent[SENT_SESSION_ID].value = sent[SENT_COPILOT_SESSION].value; /* in its notices */
    /* A subagent of Copilot's speaks like a session of its own. */
    if (cli == CLI_COPILOT && is_set(sent[SENT_PARENT_AGENT].value)) {
        sent[SENT_SESSION_ID].value = sent[SENT_PARENT_AGENT].value;
        if (span_eq(sent[SENT_EVENT].value, SPAN("\"UserPromptSubmit\"")))
            sent[SENT_EVENT].value = SPAN("\"SubagentStart\"");
        if (span_eq(sent[SENT_EVENT].value, SPAN("\"Stop\"")))
            sent[SENT_EVENT].value = SPAN("\"SubagentStop\"");
    }
    if (cli == CLI_CODEX && !is_set(sent[SENT_EVENT].value)) {
        sent[SENT_EVENT].value = sent[SENT_NOTIFY_TYPE].value;
        sent[SENT_SESSION_ID].value = sent[SENT_NOTIFY_THREAD].value;
        sent[SENT_LAST_MESSAGE].value = sent[SENT_NOTIFY_LAST].value;
        /* Of all messages so far the newest one is the prompt. */
        struct span rest = sent[SENT_NOTIFY_MESSAGES].value, message;
        while (rest.n && jscan_array_next(&rest, &message) == 1)
            sent[SENT_PROMPT].value = message;
    }
}

/* An unknown event is refused with these words and its name. */
#define UNKNOWN "unknown event type: "

struct span event_unknown_name(int code, const struct err *err) {
    return code == -ENOTSUP ? span_skip(span_str(err->msg), sizeof UNKNOWN - 1) : SPAN_NONE;
}

bool event_is_compaction(const struct event *ev) {
    return (ev->kind->flags & EVENT_STARTS) && span_eq(ev->start_source, SPAN("compact"));
}

void event_forget_process(struct event *ev) {
    ev->pid = ev->parent_pid = 0;
    ev->pid_start = 0;
}

static int refuse(struct event *ev, struct err *err, enum event_refusal why, const char *words) {
    ev->refusal = why;
    return err_set(err, -EINVAL, "%s", words);
}

/* The checks on a payload, in the order and the words that clients know. */
static int check_session(struct span id, struct arena *arena, struct event *ev, struct err *err) {
    if (!is_set(id)) return refuse(ev, err, REFUSAL_SESSION_ID, "missing session_id");
    if (jscan_kind(id) != JKIND_STRING)
        return refuse(ev, err, REFUSAL_SESSION_ID, "session_id must be a string");
    ev->session_id = jscan_text(id, arena);
    /* Also when there was no memory to decode it: a card without an id could never be found again. */
    if (!ev->session_id.n) return refuse(ev, err, REFUSAL_SESSION_ID, "missing session_id");
    if (utf8_cut_units(ev->session_id, EVENT_SESSION_ID_MAX).n == ev->session_id.n) return 0;
    ev->refusal = REFUSAL_SESSION_ID;
    return err_set(err, -EINVAL, "session_id too long (max %d chars)", EVENT_SESSION_ID_MAX);
}

static int check_name(struct span name, struct arena *arena, struct event *ev, struct err *err) {
    if (!is_set(name) || span_eq(name, SPAN("\"\"")))
        return refuse(ev, err, REFUSAL_EVENT_NAME, "missing hook_event_name");
    ev->kind = event_kind_find(jscan_text(name, arena));
    if (ev->kind) return 0;
    struct span shown = jscan_kind(name) == JKIND_STRING ? jscan_text(name, arena) : name;
    ev->refusal = REFUSAL_UNKNOWN_EVENT;
    return err_set(err, -ENOTSUP, UNKNOWN "%.*s", SPAN_ARG(utf8_cut_units(shown, 64)));
}

static int check_payload(const struct jmember *sent, struct span pid, struct arena *arena, struct event *ev,
                         struct err *err) {
    int r = check_session(sent[SENT_SESSION_ID].value, arena, ev, err);
    if (r == 0) r = check_name(sent[SENT_EVENT].value, arena, ev, err);
    if (r < 0) return r;
    if (is_set(pid) && (!jscan_i64(pid, &ev->pid) || ev->pid <= 0))
        return refuse(ev, err, REFUSAL_FIELD, "claude_pid must be a positive integer");
    /* Who sends by HTTP is told. An agent is not, and what it writes here is not needed: some send an ISO date. */
    struct span stamp = sent[SENT_TIMESTAMP].value;
    if (!ev->by_hook && is_set(stamp) && jscan_kind(stamp) != JKIND_NUMBER && ev->cli != CLI_GEMINI &&
        ev->cli != CLI_COPILOT)
        return refuse(ev, err, REFUSAL_FIELD, "timestamp must be a valid number");
    return 0;
}

/* Gemini's notices have the subject of the question in `details`, under a name for each kind. */
static struct span asked_about(struct span details, struct arena *arena) {
    struct jmember m[] = {JMEMBER("command"), JMEMBER("filePath"), JMEMBER("toolName"), JMEMBER("prompt")};
    if (jscan_kind(details) != JKIND_OBJECT || jscan_object(details, m, ARRAY_LEN(m)) < 0) return SPAN_NONE;
    return FIRST_TEXT(m, arena, 0, 1, 2, 3);
}

/* How many of the tasks that it left behind still run. */
static uint64_t count_running(struct span tasks) {
    uint64_t n = 0;
    struct span rest = tasks, task;
    while (jscan_kind(tasks) == JKIND_ARRAY && jscan_array_next(&rest, &task) == 1) {
        struct jmember status = JMEMBER("status");
        bool told = jscan_kind(task) == JKIND_OBJECT && jscan_object(task, &status, 1) == 1;
        n += !told || span_eq(status.value, SPAN("\"running\""));
    }
    return n;
}

/* The number behind the last such mark in a text, for what the command printed stands before it; 0 when there is none. */
static int64_t number_after(struct span text, struct span mark) {
    struct span rest = SPAN_NONE;
    for (const char *at; (at = text.n ? memmem(text.p, text.n, mark.p, mark.n) : NULL);)
        rest = text = span_skip(text, (size_t)(at - text.p) + mark.n);
    int64_t n = 0;
    for (size_t i = 0; i < rest.n && i < 9 && rest.p[i] >= '0' && rest.p[i] <= '9'; i++)
        n = n * 10 + (rest.p[i] - '0');
    return n;
}

/* With what a command ended, where a CLI says so only in the words for its model. */
static int64_t exit_code(const struct jmember *sent, enum cli cli, struct arena *arena) {
    struct jmember m[] = {JMEMBER("llmContent"), JMEMBER("text_result_for_llm")};
    struct span result = sent[cli == CLI_COPILOT ? SENT_TOOL_RESULT : SENT_TOOL_RESPONSE].value;
    /* Other tools tell what others wrote. */
    const struct tool_row *row = tool_find(jscan_text(sent[SENT_TOOL_NAME].value, arena));
    if (!row || row->style != TOOL_COMMAND) return 0;
    if (jscan_kind(result) != JKIND_OBJECT || jscan_object(result, m, ARRAY_LEN(m)) < 1) return 0;
    if (cli == CLI_GEMINI) return number_after(jscan_text(m[0].value, arena), SPAN("\nExit Code: "));
    if (cli == CLI_COPILOT)
        return number_after(jscan_text(m[1].value, arena), SPAN(" completed with exit code "));
    return 0;
}

/* The call that ends went wrong though its event has the name of success. */
static void take_failure(const struct jmember *sent, struct arena *arena, struct event *ev) {
    int64_t code = exit_code(sent, ev->cli, arena);
    if (code) {
        ev->failed = true;
        ev->error = arena_printf(arena, "Exit code %lld", (long long)code);
    }
    struct jmember error = JMEMBER("error");
    struct span response = sent[SENT_TOOL_RESPONSE].value;
    if (ev->cli != CLI_GEMINI || jscan_kind(response) != JKIND_OBJECT ||
        jscan_object(response, &error, 1) != 1)
        return;
    ev->failed = is_set(error.value);
    struct jmember message = JMEMBER("message");
    if (jscan_kind(error.value) == JKIND_OBJECT && jscan_object(error.value, &message, 1) == 1)
        ev->error = jscan_text(message.value, arena);
}

static void take_payload(const struct jmember *sent, struct arena *arena, struct event *ev) {
    ev->cwd = path_text(sent[SENT_CWD].value, arena);
    ev->transcript_path = path_text(sent[SENT_TRANSCRIPT].value, arena);
    ev->permission_mode = name_text(sent[SENT_PERMISSION_MODE].value, arena);
    ev->model = name_text(sent[SENT_MODEL].value, arena);
    ev->prompt = jscan_text(sent[SENT_PROMPT].value, arena);
    ev->response = FIRST_TEXT(sent, arena, SENT_RESPONSE, SENT_LAST_MESSAGE, SENT_MESSAGE, SENT_STOP_REASON);
    ev->message = FIRST_TEXT(sent, arena, SENT_MESSAGE, SENT_TITLE);
    ev->asked = asked_about(sent[SENT_DETAILS].value, arena);
    ev->notification = name_text(sent[SENT_NOTIFICATION_TYPE].value, arena);
    ev->error_detail = jscan_text(sent[SENT_ERROR_DETAILS].value, arena);
    ev->new_cwd = path_text(sent[SENT_NEW_CWD].value, arena);
    ev->to_model = name_text(sent[SENT_TO_MODEL].value, arena);
    ev->server = name_text(sent[SENT_MCP_SERVER].value, arena);
    ev->error = FIRST_TEXT(sent, arena, SENT_ERROR, SENT_MESSAGE);
    ev->reason = name_text(sent[SENT_REASON].value, arena);
    ev->start_source = name_text(sent[SENT_SOURCE].value, arena);
    ev->tool_name = name_text(sent[SENT_TOOL_NAME].value, arena);
    ev->tool_input = sent[SENT_TOOL_INPUT].value;
    struct span suggestions = sent[SENT_SUGGESTIONS].value;
    ev->suggestions = jscan_kind(suggestions) == JKIND_ARRAY ? suggestions : SPAN_NONE;
    ev->call_id = name_text(sent[SENT_CALL_ID].value, arena);
    ev->request_id = name_text(sent[SENT_REQUEST_ID].value, arena);
    ev->background = count_running(sent[SENT_BACKGROUND].value);
    if (ev->kind->flags & EVENT_RETURNS) take_failure(sent, arena, ev);
    /* What Gemini says when a turn was broken off, by a person or by an error. */
    ev->broken_off = ev->cli == CLI_GEMINI && span_eq(ev->response, SPAN("[no response text]"));
    if (ev->broken_off) ev->response = SPAN_NONE;
    ev->subagent_id = name_text(sent[SENT_AGENT_ID].value, arena);
    ev->agent_type = name_text(sent[SENT_AGENT_TYPE].value, arena);
    ev->subagent_name = name_text(sent[SENT_AGENT_NAME].value, arena);
    ev->task = FIRST_TEXT(sent, arena, SENT_TASK_DESCRIPTION, SENT_TASK_SUBJECT, SENT_TASK_ID);
    ev->teammate = utf8_cut_units(
        FIRST_TEXT(sent, arena, SENT_TEAMMATE_NAME, SENT_AGENT_NAME, SENT_TEAMMATE_ID, SENT_AGENT_ID),
        NAME_UNITS);
}

static void take_added(const struct jmember *added, struct arena *arena, struct event *ev) {
    ev->term_program = name_text(added[ADDED_TERM_PROGRAM].value, arena);
    ev->in_vscode = is_set(added[ADDED_VSCODE_PID].value);
    ev->in_ghostty =
        is_set(added[ADDED_IS_GHOSTTY].value) && !span_eq(added[ADDED_IS_GHOSTTY].value, SPAN("false"));
    ev->in_tmux = is_set(added[ADDED_TMUX].value);
    ev->in_wezterm = span_starts(jscan_text(added[ADDED_TAB_ID].value, arena), SPAN("wezterm:"));
    int64_t start, ns;
    if (jscan_i64(added[ADDED_PID_START].value, &start) && start > 0) ev->pid_start = (uint64_t)start;
    if (jscan_i64(added[ADDED_PID_NAMESPACE].value, &ns) && ns > 0) ev->pid_namespace = (uint64_t)ns;
    if (!jscan_i64(added[ADDED_PID_AGE].value, &ev->pid_age_ms)) ev->pid_age_ms = -1;
    (void)jscan_i64(added[ADDED_PARENT_PID].value, &ev->parent_pid);
    ev->terminal_id = name_text(added[ADDED_TERMINAL].value, arena);
    ev->worker_id = name_text(added[ADDED_WORKER].value, arena);
    ev->parent_session = name_text(added[ADDED_PARENT_SESSION].value, arena);
    ev->team_name = name_text(added[ADDED_TEAM_NAME].value, arena);
    ev->agent_name = name_text(added[ADDED_AGENT_NAME].value, arena);
    ev->agent_role = name_text(added[ADDED_AGENT_TYPE].value, arena);
    ev->agent_color = name_text(added[ADDED_AGENT_COLOR].value, arena);
    ev->is_job = is_set(added[ADDED_JOB].value);
    ev->unattended = span_eq(added[ADDED_ATTENDED].value, SPAN("\"0\"")) &&
                     span_eq(added[ADDED_ENTRYPOINT].value, SPAN("\"sdk-cli\"")); /* claude -p */
    /* What runs in the background has the marks of whoever started it, and a server those of whoever came first. */
    bool shared = is_set(added[ADDED_SHARED].value);
    if (ev->is_job || shared || is_set(added[ADDED_DETACHED].value))
        ev->terminal_id = ev->worker_id = SPAN_NONE;
    if (!shared) return;
    ev->server_pid = ev->pid;
    event_forget_process(ev);
}

/* What the daemon noted about a process. */
static int parse_probe(struct span probe, struct arena *arena, struct event *ev, struct err *err) {
    enum { REQUIRED = 5 };
    struct jmember m[] = {JMEMBER("session"), JMEMBER("for"),   JMEMBER("pid"),
                          JMEMBER("alive"),   JMEMBER("child"), JMEMBER("start")};
    int64_t start = 0;
    if (jscan_kind(probe) != JKIND_OBJECT || jscan_object(probe, m, ARRAY_LEN(m)) < REQUIRED ||
        !probe_from_str(jscan_text(m[1].value, arena), &ev->probe) || !jscan_i64(m[2].value, &ev->pid) ||
        !jscan_bool(m[3].value, &ev->alive) || !jscan_bool(m[4].value, &ev->has_child))
        return err_set(err, -EINVAL, "not a probe");
    ev->session_id = name_text(m[0].value, arena);
    if (jscan_i64(m[5].value, &start) && start > 0) ev->pid_start = (uint64_t)start;
    ev->kind = &event_kind_probe;
    return 0;
}

/* What a CLI says of itself in a file of its own. */
static int parse_state(struct span state, struct arena *arena, struct event *ev, struct err *err) {
    enum { REQUIRED = 3 };
    struct jmember m[] = {JMEMBER("session"), JMEMBER("activity"), JMEMBER("since"), JMEMBER("for"),
                          JMEMBER("by"),      JMEMBER("call"),     JMEMBER("tool"),  JMEMBER("input")};
    if (jscan_kind(state) != JKIND_OBJECT || jscan_object(state, m, ARRAY_LEN(m)) < REQUIRED ||
        !activity_from_str(jscan_text(m[1].value, arena), &ev->activity) ||
        !jscan_i64(m[2].value, &ev->since_ms))
        return err_set(err, -EINVAL, "not a state");
    ev->session_id = name_text(m[0].value, arena);
    ev->message = jscan_text(m[3].value, arena);
    ev->by = EVIDENCE_FILE;
    (void)evidence_source_from_str(jscan_text(m[4].value, arena), &ev->by);
    ev->request_id = ev->call_id = name_text(m[5].value, arena);
    ev->tool_name = name_text(m[6].value, arena);
    ev->tool_input = jscan_kind(m[7].value) == JKIND_OBJECT ? m[7].value : SPAN_NONE;
    ev->kind = &event_kind_state;
    return 0;
}

static int parse_daemon(const struct jmember *added, struct arena *arena, struct event *ev, struct err *err) {
    if (is_set(added[ADDED_STATE].value)) return parse_state(added[ADDED_STATE].value, arena, ev, err);
    if (!is_set(added[ADDED_COMMAND].value)) return parse_probe(added[ADDED_PROBE].value, arena, ev, err);
    struct command *cmd = arena_zalloc(arena, sizeof *cmd);
    if (!cmd) return err_set(err, -EINVAL, "command too large");
    int r = command_parse(added[ADDED_COMMAND].value, arena, cmd, err);
    ev->kind = &event_kind_command;
    ev->command = cmd;
    return r;
}

static int parse_time(struct span value, struct event *ev, struct err *err) {
    double sent_at;
    if (!jscan_double(value, &sent_at) || !(sent_at >= 1 && sent_at < 1e15))
        return err_set(err, -EINVAL, "record without a time");
    ev->at_ms = (int64_t)sent_at;
    ev->sent_us = (usec_t)(sent_at * 1000);
    return 0;
}

static bool take_text(struct span *rest, struct span text) {
    *rest = span_trim(*rest);
    if (!span_starts(*rest, text)) return false;
    *rest = span_skip(*rest, text.n);
    return true;
}

/* Both parts of a record, unread. False when it was not written to its end. */
static bool split_record(struct span record, struct span *ret_added, struct span *ret_payload) {
    struct span rest = record;
    if (!take_text(&rest, SPAN("{")) || !take_text(&rest, SPAN("\"ostler\"")) || !take_text(&rest, SPAN(":")))
        return false;
    rest = span_trim(rest);
    size_t n = jscan_value(rest);
    *ret_added = span_take(rest, n);
    rest = span_skip(rest, n);
    if (!n || !take_text(&rest, SPAN(",")) || !take_text(&rest, SPAN("\"payload\"")) ||
        !take_text(&rest, SPAN(":")) || !span_ends(rest, SPAN("}")))
        return false;
    *ret_payload = span_trim(span_take(rest, rest.n - 1));
    return true;
}

struct span event_payload(struct span record) {
    struct span added, payload;
    return split_record(record, &added, &payload) ? payload : SPAN_NONE;
}

static int mend_payload(struct span raw, struct arena *arena, struct span *ret, struct event *ev,
                        struct err *err) {
    switch (jmend(raw, EVENT_DEPTH_MAX, arena, ret)) {
    case 0: break;
    case -ENODATA: return refuse(ev, err, REFUSAL_CUT_OFF, "payload ends too early");
    case -ENOBUFS: return refuse(ev, err, REFUSAL_TOO_LARGE, "payload too large");
    default: return refuse(ev, err, REFUSAL_NOT_JSON, "payload is not JSON");
    }
    if (jscan_kind(*ret) == JKIND_ARRAY) return refuse(ev, err, REFUSAL_SESSION_ID, "missing session_id");
    if (jscan_kind(*ret) != JKIND_OBJECT)
        return refuse(ev, err, REFUSAL_NOT_AN_OBJECT, "payload must be a JSON object");
    return 0;
}

/* What an agent sent, by our hook or by HTTP. */
static int parse_sent(struct span payload, const struct jmember *envelope, struct arena *arena,
                      struct event *ev, struct err *err) {
    struct jmember flat[ADDED_N_], sent[SENT_N_];
    const struct jmember *added = envelope;
    struct span via = jscan_text(envelope[ADDED_VIA].value, arena);
    bool by_http = span_eq(via, SPAN("http"));
    int r = mend_payload(payload, arena, &payload, ev, err);
    if (r < 0) return r;
    memcpy(sent, sent_members, sizeof sent);
    (void)jscan_object(payload, sent, SENT_N_);
    if (by_http) {
        memcpy(flat, added_members, sizeof flat);
        (void)jscan_object(payload, flat, ADDED_N_);
        if (!is_set(flat[ADDED_PID_START].value)) /* then the daemon looked it up */
            flat[ADDED_PID_START].value = envelope[ADDED_PID_START].value;
        added = flat;
    }
    (void)cli_from_str(jscan_text(envelope[ADDED_CLI].value, arena), &ev->cli);
    ev->key = name_text(envelope[ADDED_KEY].value, arena);
    ev->by_hook = span_eq(via, SPAN("hook"));

    translate(sent, added, ev->cli);
    if (span_eq(sent[SENT_EVENT].value, SPAN("\"" EVENT_PROBE_NAME "\""))) {
        ev->session_id = name_text(sent[SENT_SESSION_ID].value, arena);
        return err_set(err, -ENOMSG, "a probe of the hooks is no event");
    }
    r = check_payload(sent, added[ADDED_PID].value, arena, ev, err);
    if (r < 0) return r;
    take_payload(sent, arena, ev);
    take_added(added, arena, ev);
    if (ev->by_hook) ev->hold = name_text(envelope[ADDED_HOLD].value, arena);
    if (is_set(envelope[ADDED_ELSEWHERE].value)) {
        event_forget_process(ev);
        ev->server_pid = 0;
    }
    /* Flat payloads of other hook scripts carry the environment's agent_id under the payload's name. */
    if (by_http && is_set(flat[ADDED_SENT_AT].value)) ev->subagent_id = SPAN_NONE;
    return 0;
}

int event_parse(struct span record, uint64_t pos, struct arena *arena, struct event *ret, struct err *err) {
    struct event ev = {.pos = pos, .cli = CLI_CLAUDE};
    struct jmember envelope[ADDED_N_];
    struct span added, payload;
    if (!split_record(record, &added, &payload))
        return err_set(err, -EPIPE, "a record that was not written to its end");
    memcpy(envelope, added_members, sizeof envelope);
    int r = 0;
    if (jvalid(added, EVENT_DEPTH_MAX) < 0 || jscan_object(added, envelope, ADDED_N_) < 0)
        r = err_set(err, -EINVAL, "not a hook record");
    struct span via = jscan_text(envelope[ADDED_VIA].value, arena);
    if (span_eq(via, SPAN("spool"))) return -ENODATA;
    if (is_set(envelope[ADDED_OVERSIZED].value)) return -EMSGSIZE;
    if (r == 0) r = parse_time(envelope[ADDED_SENT_AT].value, &ev, err);
    if (r == 0 && span_eq(via, SPAN("daemon")))
        r = parse_daemon(envelope, arena, &ev, err);
    else if (r == 0)
        r = parse_sent(payload, envelope, arena, &ev, err);
    if (r == -EINVAL && ev.refusal == REFUSAL_NONE) ev.refusal = REFUSAL_DAMAGED;
    *ret = ev;
    return r;
}
