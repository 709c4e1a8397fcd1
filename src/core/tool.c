#include "core/tool.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "core/text.h"

enum { COMMAND_UNITS = 120, FIELD_UNITS = 1000, LIST_BYTES_MAX = 16 << 20 };

#define PATHS "file_path filePath filepath path notebook_path absolute_path dir_path directory paths patterns"
#define AGENTS "description name agent_name subagent_type agent_type patterns"
static const struct tool_row rows[] = {
    /* Claude Code, and those who call theirs the same */
    {"Bash", TOOL_COMMAND, "Run a command", "Run", "command"},
    {"BashOutput", TOOL_LINE, "Read a command's output", "Read the output of", "bash_id"},
    {"KillShell", TOOL_LINE, "End a command", "End the command", "shell_id"},
    {"Read", TOOL_LINE, "Read a file", "Read", PATHS},
    {"Write", TOOL_WRITE, "Write a file", "Write", PATHS},
    {"Edit", TOOL_EDIT, "Edit a file", "Edit", PATHS},
    {"MultiEdit", TOOL_EDITS, "Edit a file", "Edit", PATHS},
    {"NotebookEdit", TOOL_EDIT, "Edit a notebook", "Edit", PATHS},
    {"Glob", TOOL_LINE, "Look for files", "Look for files", "pattern"},
    {"Grep", TOOL_LINE, "Search in files", "Search for", "pattern"},
    {"LS", TOOL_LINE, "List a directory", "List", PATHS},
    {"WebFetch", TOOL_LINE, "Fetch a page", "Fetch", "url"},
    {"WebSearch", TOOL_LINE, "Search the web", "Search the web for", "query"},
    {"Task", TOOL_AGENT, "Start an agent", "Start an agent", AGENTS},
    {"Agent", TOOL_AGENT, "Start an agent", "Start an agent", AGENTS},
    {"Skill", TOOL_LINE, "Use a skill", "Use the skill", "skill command"},
    {"AskUserQuestion", TOOL_QUESTION, "Ask a question", "", ""},
    {"EnterPlanMode", TOOL_PLAN, "Plan before working", "", ""},
    {"ExitPlanMode", TOOL_PLAN, "Review a plan", "", ""},
    {"TodoWrite", TOOL_LINE, "Write its list of tasks", "Write its list of tasks", ""},
    {"TaskCreate", TOOL_LINE, "Add a task to its list", "Add to its list of tasks", "subject"},
    {"TaskUpdate", TOOL_LINE, "Change its list of tasks", "Change the task", "taskId"},
    {"TaskList", TOOL_LINE, "Read its list of tasks", "Read its list of tasks", ""},
    {"TaskGet", TOOL_LINE, "Read its list of tasks", "Read the task", "taskId"},
    {"TaskOutput", TOOL_LINE, "Read a task's output", "Read the output of", "task_id"},
    {"TaskStop", TOOL_LINE, "End a task", "End the task", "task_id"},
    {"SendMessage", TOOL_LINE, "Write to another agent", "Write to", "to recipient"},
    {"SlashCommand", TOOL_LINE, "Use a command", "Use the command", "command"},
    {"PowerShell", TOOL_COMMAND, "Run a command", "Run", "command"},
    {"Monitor", TOOL_COMMAND, "Watch a command", "Watch", "command"},
    {"EnterWorktree", TOOL_LINE, "Work in a worktree", "Work in the worktree", "name path"},
    {"ExitWorktree", TOOL_LINE, "Leave its worktree", "Leave its worktree", ""},
    {"ListMcpResourcesTool", TOOL_LINE, "List what a server offers", "List what is offered by", "server"},
    {"ReadMcpResourceTool", TOOL_LINE, "Read what a server offers", "Read", "uri"},
    /* Gemini CLI */
    {"run_shell_command", TOOL_COMMAND, "Run a command", "Run", "command"},
    {"read_file", TOOL_LINE, "Read a file", "Read", PATHS},
    {"read_many_files", TOOL_LINE, "Read files", "Read", "include paths"},
    {"write_file", TOOL_WRITE, "Write a file", "Write", PATHS},
    {"replace", TOOL_EDIT, "Edit a file", "Edit", PATHS},
    {"list_directory", TOOL_LINE, "List a directory", "List", PATHS},
    {"search_file_content", TOOL_LINE, "Search in files", "Search for", "pattern"},
    {"grep_search", TOOL_LINE, "Search in files", "Search for", "pattern"},
    {"google_web_search", TOOL_LINE, "Search the web", "Search the web for", "query"},
    {"web_fetch", TOOL_LINE, "Fetch a page", "Fetch", "url prompt"},
    {"write_todos", TOOL_LINE, "Write its list of tasks", "Write its list of tasks", ""},
    {"activate_skill", TOOL_LINE, "Use a skill", "Use the skill", "name"},
    {"invoke_agent", TOOL_AGENT, "Start an agent", "Start an agent", AGENTS},
    {"get_internal_docs", TOOL_LINE, "Read its own documentation", "Read its own documentation", "path"},
    {"list_mcp_resources", TOOL_LINE, "List what a server offers", "List what is offered by", "serverName"},
    {"read_mcp_resource", TOOL_LINE, "Read what a server offers", "Read", "uri"},
    {"save_memory", TOOL_LINE, "Remember something", "Remember", "fact"},
    {"ask_user", TOOL_QUESTION, "Ask a question", "", ""},
    {"enter_plan_mode", TOOL_PLAN, "Plan before working", "", ""},
    {"exit_plan_mode", TOOL_PLAN, "Review a plan", "", ""},
    /* Codex CLI */
    {"shell", TOOL_COMMAND, "Run a command", "Run", "command cmd"},
    {"local_shell", TOOL_COMMAND, "Run a command", "Run", "command cmd"},
    {"exec_command", TOOL_COMMAND, "Run a command", "Run", "cmd command"},
    {"apply_patch", TOOL_PATCH, "Change files", "Change files", ""},
    {"spawn_agent", TOOL_AGENT, "Start an agent", "Start an agent", AGENTS},
    {"request_user_input", TOOL_QUESTION, "Ask a question", "", ""},
    {"update_plan", TOOL_LINE, "Write its plan", "Write its plan", "explanation"},
    /* opencode and Copilot CLI */
    {"bash", TOOL_COMMAND, "Run a command", "Run", "command"},
    {"powershell", TOOL_COMMAND, "Run a command", "Run", "command"},
    {"read", TOOL_LINE, "Read a file", "Read", PATHS},
    {"view", TOOL_LINE, "Read a file", "Read", PATHS},
    {"write", TOOL_WRITE, "Write a file", "Write", PATHS},
    {"create", TOOL_WRITE, "Write a file", "Write", PATHS},
    {"edit", TOOL_EDIT, "Edit a file", "Edit", PATHS},
    {"multiedit", TOOL_EDITS, "Edit a file", "Edit", PATHS},
    {"str_replace_editor", TOOL_EDIT, "Edit a file", "Edit", PATHS},
    {"str_replace", TOOL_EDIT, "Edit a file", "Edit", PATHS},
    {"insert", TOOL_EDIT, "Edit a file", "Edit", PATHS},
    {"git_apply_patch", TOOL_PATCH, "Change files", "Change files", ""},
    {"patch", TOOL_PATCH, "Change files", "Change files", ""},
    {"glob", TOOL_LINE, "Look for files", "Look for files", "pattern"},
    {"grep", TOOL_LINE, "Search in files", "Search for", "pattern"},
    {"rg", TOOL_LINE, "Search in files", "Search for", "pattern"},
    {"lsp", TOOL_LINE, "Ask a language server", "Ask a language server about", PATHS},
    {"skill", TOOL_LINE, "Use a skill", "Use the skill", "name skill patterns"},
    {"todowrite", TOOL_LINE, "Write its list of tasks", "Write its list of tasks", ""},
    {"todoread", TOOL_LINE, "Read its list of tasks", "Read its list of tasks", ""},
    {"update_todo", TOOL_LINE, "Write its list of tasks", "Write its list of tasks", ""},
    {"plan_enter", TOOL_PLAN, "Plan before working", "", ""},
    {"plan_exit", TOOL_PLAN, "Review a plan", "", ""},
    {"write_bash", TOOL_LINE, "Type into a command", "Type", "input"},
    {"read_bash", TOOL_LINE, "Read a command's output", "Read the output of", "shellId"},
    {"stop_bash", TOOL_LINE, "End a command", "End the command", "shellId"},
    {"list_bash", TOOL_LINE, "List its commands", "List its commands", ""},
    {"store_memory", TOOL_LINE, "Remember something", "Remember", "fact"},
    {"sql", TOOL_COMMAND, "Ask a database", "Ask a database", "query"},
    {"web_search", TOOL_LINE, "Search the web", "Search the web for", "query"},
    {"websearch", TOOL_LINE, "Search the web", "Search the web for", "query patterns"},
    {"report_intent", TOOL_LINE, "Say what it does", "Say what it does:", "intent"},
    {"list", TOOL_LINE, "List a directory", "List", PATHS},
    {"webfetch", TOOL_LINE, "Fetch a page", "Fetch", "url patterns"},
    {"task", TOOL_AGENT, "Start an agent", "Start an agent", AGENTS},
    {"question", TOOL_QUESTION, "Ask a question", "", ""},
    {"external_directory", TOOL_LINE, "Work outside the project", "Work in", PATHS " parentDir directories"},
    {"doom_loop", TOOL_LINE, "Go on though it repeats itself", "Go on though it repeats itself", ""},
};

const struct tool_row *tool_find(struct span tool) {
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (span_eq_str(tool, rows[i].name)) return &rows[i];
    return NULL;
}

const struct tool_row *tool_row_of(struct span tool, struct span input, struct arena *arena) {
    bool several = span_eq(tool, SPAN("str_replace_editor"));
    const struct tool_row *one = several ? tool_find(tool_first_text(input, "command", arena)) : NULL;
    return one ? one : tool_find(tool);
}

/* A string's text, or a number or word as it stands; lists with a comma between two. Never braces. */
struct span tool_value_text(struct span value, struct arena *arena) {
    enum jkind kind = jscan_kind(value);
    if (kind == JKIND_STRING) return jscan_text(value, arena);
    if (kind == JKIND_BOOL || kind == JKIND_NUMBER) return value;
    if (kind != JKIND_ARRAY) return SPAN_NONE;
    AUTO(buf) struct buf out = BUF_INIT(LIST_BYTES_MAX);
    struct span rest = value, item;
    while (jscan_array_next(&rest, &item) == 1) {
        bool nested = jscan_kind(item) == JKIND_ARRAY || jscan_kind(item) == JKIND_OBJECT;
        struct span one = nested ? SPAN("…") : tool_value_text(item, arena);
        if (!one.n) continue;
        if (out.n) (void)buf_append_span(&out, SPAN(", "));
        (void)buf_append_span(&out, one);
    }
    return arena_dup(arena, buf_span(&out));
}

struct span tool_member(struct span input, struct span name) {
    struct jmember m = {.name = name};
    return jscan_kind(input) == JKIND_OBJECT && jscan_object(input, &m, 1) == 1 ? m.value : SPAN_NONE;
}

/* The first of these members that says anything. */
struct span tool_first_text(struct span input, const char *names, struct arena *arena) {
    struct span rest = span_str(names);
    while (rest.n) {
        struct span text = tool_value_text(tool_member(input, span_split(&rest, ' ')), arena);
        if (text.n) return text;
    }
    return SPAN_NONE;
}

struct span tool_title(struct span tool, struct arena *arena) {
    const struct tool_row *row = tool_find(tool);
    if (row) return span_str(row->title);
    if (!span_starts(tool, SPAN("mcp_"))) return arena_printf(arena, "Use %.*s", SPAN_ARG(tool));
    /* mcp__server__tool, or mcp_server_tool */
    struct span rest = span_skip(tool, span_starts(tool, SPAN("mcp__")) ? 5 : 4);
    const char *at = rest.n ? memmem(rest.p, rest.n, "__", 2) : NULL;
    size_t gap = at ? 2 : 1;
    if (!at) at = rest.n ? memchr(rest.p, '_', rest.n) : NULL;
    if (!at) return arena_printf(arena, "Use %.*s", SPAN_ARG(rest));
    struct span server = span_take(rest, (size_t)(at - rest.p)), name = span_skip(rest, server.n + gap);
    return arena_printf(arena, "Use %.*s of %.*s", SPAN_ARG(name), SPAN_ARG(server));
}

struct span tool_summary(struct span tool, struct span input, struct arena *arena) {
    const struct tool_row *row = tool_row_of(tool, input, arena);
    struct span subject = row ? tool_first_text(input, row->subject, arena) : SPAN_NONE;
    if (row && span_eq_str(tool, "Grep")) {
        struct span path = tool_first_text(input, "path", arena);
        return arena_printf(arena, "%.*s in %.*s", SPAN_ARG(text_cut(subject, FIELD_UNITS, arena)),
                            SPAN_ARG(path.n ? text_cut(path, FIELD_UNITS, arena) : SPAN("cwd")));
    }
    if (row && row->subject[0])
        return text_cut(subject, row->style == TOOL_COMMAND ? COMMAND_UNITS : FIELD_UNITS, arena);
    /* Of others what they were called with: the values in a line. */
    AUTO(buf) struct buf out = BUF_INIT(LIST_BYTES_MAX);
    struct span rest = input, key, value;
    while (jscan_kind(input) == JKIND_OBJECT && jscan_member_next(&rest, &key, &value) == 1) {
        struct span text = tool_value_text(value, arena);
        if (text.n) (void)buf_printf(&out, "%s%.*s", out.n ? ", " : "", SPAN_ARG(text));
    }
    return text_cut(arena_dup(arena, buf_span(&out)), COMMAND_UNITS, arena);
}
