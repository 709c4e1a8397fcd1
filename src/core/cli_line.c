#include "core/cli_line.h"

#include "base/iso8601.h"
#include "base/jmend.h"
#include "base/jscan.h"
#include "core/tool.h"

enum { DEPTH_MAX = 256 };

bool cli_line_has_any(enum cli cli) {
    return cli == CLI_CLAUDE || cli == CLI_CODEX || cli == CLI_GEMINI || cli == CLI_COPILOT;
}

static struct span member(struct span object, const char *name) {
    return tool_member(object, span_str(name));
}

static struct span member_text(struct span object, const char *name, struct arena *arena) {
    return jscan_text(member(object, name), arena);
}

/* Codex: {"type":"event_msg","payload":{"type":…}} */

static bool codex_line(struct span type, struct span line, struct arena *arena, struct cli_line *ret) {
    if (!span_eq(type, SPAN("event_msg"))) return false;
    struct span payload = member(line, "payload"), what = member_text(payload, "type", arena);
    if (span_eq(what, SPAN("turn_aborted"))) {
        ret->activity = ACTIVITY_IDLE;
        return true;
    }
    if (span_eq(what, SPAN("task_complete"))) {
        struct span error = member(payload, "error");
        ret->activity = ACTIVITY_ERROR;
        ret->text = member_text(error, "message", arena);
        return jscan_kind(error) == JKIND_OBJECT;
    }
    struct span item = member(payload, "item");
    if (!span_eq(what, SPAN("item_completed")) ||
        !span_eq(member_text(item, "type", arena), SPAN("CommandExecution")))
        return false;
    int64_t code = 0;
    ret->activity = ACTIVITY_FAILED;
    ret->call = member_text(item, "id", arena);
    if (!jscan_i64(member(item, "exit_code"), &code) || code == 0) return false;
    ret->text = arena_printf(arena, "Exit code %lld", (long long)code);
    return true;
}

/* Gemini: {"type":"info"|"error"|"gemini",…} */

static bool gemini_line(struct span type, struct span line, struct arena *arena, struct cli_line *ret) {
    if (span_eq(type, SPAN("gemini"))) {
        ret->activity = ACTIVITY_MODEL;
        ret->text = member_text(line, "model", arena);
        return ret->text.n > 0;
    }
    bool error = span_eq(type, SPAN("error"));
    if (!error && !span_eq(type, SPAN("info"))) return false;
    ret->text = member_text(line, "content", arena);
    ret->activity = error ? ACTIVITY_ERROR : ACTIVITY_IDLE;
    return error ? ret->text.n > 0 : span_eq(ret->text, SPAN("Request cancelled."));
}

/* Copilot: {"type":…,"data":{…}} */

/* A tool that is not Copilot's own: a server's, an extension's, one that a hook wants to be asked about; or its memory. */
static void copilot_tool(struct span kind, struct span request, struct arena *arena, struct cli_line *ret) {
    struct span server = member_text(request, "serverName", arena);
    struct span name = member_text(request, "toolName", arena);
    struct span args = member(request, "args");
    if (!args.n) args = member(request, "toolArgs");
    bool memory = span_eq(kind, SPAN("memory"));
    if (!name.n && !memory) return;
    ret->tool = memory ? SPAN("store_memory") : name;
    if (server.n && name.n)
        ret->tool = arena_printf(arena, "mcp__%.*s__%.*s", SPAN_ARG(server), SPAN_ARG(name));
    ret->input = jscan_kind(args) == JKIND_OBJECT ? args : request;
}

/* What is asked for, as the tool that a hook would name, with the member of its input that says it all. */
static void copilot_request(struct span request, struct arena *arena, struct cli_line *ret) {
    static const struct {
        struct span kind;
        const char *from, *tool, *to;
    } kinds[] = {
        {SPAN("shell"), "fullCommandText", "bash", "command"},
        {SPAN("write"), "diff", "apply_patch", "patch"},
        {SPAN("read"), "path", "view", "path"},
        {SPAN("read"), "paths", "view", "paths"},
        {SPAN("url"), "url", "webfetch", "url"},
    };
    struct span kind = member_text(request, "kind", arena);
    ret->text = member_text(request, "intention", arena);
    if (!ret->text.n) ret->text = arena_printf(arena, "Permission needed: %.*s", SPAN_ARG(kind));
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct span value = member(request, kinds[i].from);
        if (!span_eq(kind, kinds[i].kind) || !value.n) continue;
        ret->tool = span_str(kinds[i].tool);
        bool outside = span_eq(member(request, "requestSandboxBypass"), SPAN("true"));
        ret->input = arena_printf(arena, "{\"%s\":%.*s%s}", kinds[i].to, SPAN_ARG(value),
                                  outside ? ",\"requestSandboxBypass\":true" : "");
        return;
    }
    copilot_tool(kind, request, arena, ret);
}

/* A question is a tool, and so is a plan. Hooks tell at most that there is one, not what it is; that it was answered
 * they do tell. */
static bool copilot_question(struct span data, struct arena *arena, struct cli_line *ret) {
    ret->activity = ACTIVITY_WAITING;
    ret->tool = member_text(data, "toolName", arena);
    ret->call = member_text(data, "toolCallId", arena);
    ret->input = member(data, "arguments");
    return span_eq(ret->tool, SPAN("ask_user")) || span_eq(ret->tool, SPAN("exit_plan_mode"));
}

static bool copilot_line(struct span type, struct span line, struct arena *arena, struct cli_line *ret) {
    struct span data = member(line, "data");
    if (member(line, "agentId").n) return false; /* a subagent's */
    ret->call = member_text(data, "requestId", arena);
    if (span_eq(type, SPAN("permission.requested"))) {
        ret->activity = ACTIVITY_WAITING;
        copilot_request(member(data, "permissionRequest"), arena, ret);
        return true;
    }
    if (span_eq(type, SPAN("permission.completed"))) {
        struct span how = member_text(member(data, "result"), "kind", arena);
        ret->activity = span_eq(how, SPAN("cancelled")) ? ACTIVITY_IDLE : ACTIVITY_BUSY;
        return true;
    }
    if (span_eq(type, SPAN("tool.execution_start"))) return copilot_question(data, arena, ret);
    if (span_eq(type, SPAN("abort"))) {
        ret->activity = ACTIVITY_IDLE;
        return true;
    }
    if (span_eq(type, SPAN("session.error"))) {
        ret->activity = ACTIVITY_ERROR;
        ret->text = member_text(data, "message", arena);
        return true;
    }
    if (span_eq(type, SPAN("assistant.message"))) {
        ret->activity = ACTIVITY_SAID;
        ret->text = member_text(data, "content", arena);
        return ret->text.n > 0;
    }
    static const char *const names[] = {"selectedModel", "newModel"};
    ret->activity = ACTIVITY_MODEL;
    for (size_t i = 0; span_starts(type, SPAN("session.")) && i < ARRAY_LEN(names) && !ret->text.n; i++)
        ret->text = member_text(data, names[i], arena);
    return ret->text.n > 0;
}

/* Claude Code: {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":…}]},"permissionDecision":{"source":…}} */

static bool claude_tells(struct span line) {
    static const struct span words[] = {SPAN("\"permissionDecision\""), SPAN("\"toolDenialKind\"")};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (line.n && memmem(line.p, line.n, words[i].p, words[i].n)) return true;
    return false;
}

static bool claude_line(struct span type, struct span line, struct arena *arena, struct cli_line *ret) {
    struct span rest = member(member(line, "message"), "content"), block;
    if (!span_eq(type, SPAN("user")) || jscan_kind(rest) != JKIND_ARRAY) return false;
    bool hook = span_eq(member_text(member(line, "permissionDecision"), "source", arena), SPAN("hook"));
    ret->activity = ACTIVITY_DECIDED;
    ret->text = hook ? SPAN("hook") : SPAN("desk");
    while (!ret->call.n && jscan_array_next(&rest, &block) == 1)
        ret->call = member_text(block, "tool_use_id", arena);
    return ret->call.n > 0;
}

bool cli_line_read(enum cli cli, struct span line, struct arena *arena, struct cli_line *ret) {
    struct jmember m[] = {JMEMBER("type"), JMEMBER("timestamp")};
    if (cli == CLI_CLAUDE && !claude_tells(line)) return false; /* a conversation may be long */
    /* Parts of it go on into a record of ours as they are. */
    if (jmend(line, DEPTH_MAX, arena, &line) < 0) return false;
    if (jscan_kind(line) != JKIND_OBJECT || jscan_object(line, m, ARRAY_LEN(m)) < 1) return false;
    *ret = (struct cli_line){0};
    struct span type = jscan_text(m[0].value, arena);
    (void)iso8601_parse(jscan_text(m[1].value, arena), &ret->at_ms);
    if (cli == CLI_CLAUDE) return claude_line(type, line, arena, ret);
    if (cli == CLI_CODEX) return codex_line(type, line, arena, ret);
    if (cli == CLI_GEMINI) return gemini_line(type, line, arena, ret);
    return cli == CLI_COPILOT && copilot_line(type, line, arena, ret);
}
