#include "hook/enrich.h"

#include "hook/agent.h"

/* Numbers above are not exact in every reader of JSON. */
#define NUMBER_MAX ((uint64_t)1 << 53)

static const char *const cli_names[] = {"claude", "gemini", "codex", "copilot", "opencode"};

enum enrich_cli enrich_cli_from_str(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(cli_names); i++)
        if (strcmp(name, cli_names[i]) == 0) return (enum enrich_cli)i;
    return ENRICH_CLAUDE;
}

const char *enrich_cli_to_str(enum enrich_cli cli) {
    return cli_names[cli];
}

static void add_string(struct out *o, const char *key, struct span value) {
    if (value.n) out_member_string(o, key, value);
}

static void add_number(struct out *o, const char *key, struct span value) {
    uint64_t v;
    if (span_u64(value, &v) && v <= NUMBER_MAX) out_member_u64(o, key, v);
}

static void add_time(struct out *o, uint64_t us) {
    size_t before = o->n;
    out_raw(o, SPAN(",\"hook_sent_at\":"));
    out_u64(o, us / 1000);
    uint64_t part = us % 1000;
    const char decimals[] = {'.', (char)('0' + part / 100), (char)('0' + part / 10 % 10),
                             (char)('0' + part % 10)};
    out_raw(o, span_of(decimals, sizeof decimals));
    if (o->full) out_rewind(o, before);
}

static void add_process(struct out *o, const struct enrich *e) {
    out_member_u64(o, "claude_pid", (uint64_t)e->agent.pid);
    if (e->agent.parent > 0) out_member_u64(o, "claude_ppid", (uint64_t)e->agent.parent);
    out_member_u64(o, "hook_ppid", (uint64_t)e->parent);
    if (e->pid_namespace) out_member_u64(o, "pid_ns", e->pid_namespace);
    if (e->agent.start) {
        out_member_u64(o, "claude_start", e->agent.start);
        int64_t age_ms = proc_age_ms(e->agent.start);
        out_member_u64(o, "claude_age", age_ms > 0 ? (uint64_t)age_ms : 0);
    }
    if (e->cli == ENRICH_CODEX && agent_is_shared(e->agent.pid)) out_member_true(o, "shared");
    char tty[PROC_TTY_BYTES];
    if (e->agent.tty && proc_tty_path(e->agent.tty, tty)) out_member_string(o, "tty_path", span_str(tty));
}

/* The terminal emulators that name their tabs, the most telling first. */
static void add_tab(struct out *o, const struct env *env) {
    static const struct {
        enum env_name name;
        const char *prefix;
    } tabs[] = {{ENV_ITERM_SESSION_ID, ""},
                {ENV_KITTY_WINDOW_ID, "kitty:"},
                {ENV_WARP_SESSION_ID, "warp:"},
                {ENV_WEZTERM_PANE, "wezterm:"},
                {ENV_TERM_SESSION_ID, ""}};
    for (size_t i = 0; i < ARRAY_LEN(tabs); i++) {
        struct span value = env->value[tabs[i].name];
        if (!value.n) continue;
        char text[OUT_VALUE_MAX + 16];
        struct out tab = {.p = text, .cap = sizeof text};
        out_raw(&tab, span_str(tabs[i].prefix));
        /* A little more than will stay, so that the cut to OUT_VALUE_MAX finds the end of a character. */
        out_raw(&tab, span_take(value, OUT_VALUE_MAX + 4));
        out_member_string(o, "tab_id", span_of(text, tab.n));
        return;
    }
}

static void add_tmux(struct out *o, const struct env *env) {
    struct span session = env->value[ENV_TMUX], pane = env->value[ENV_TMUX_PANE];
    if (!session.n) return;
    size_t before = o->n;
    out_raw(o, SPAN(",\"tmux\":{\"session\":"));
    out_string(o, session);
    if (pane.n) {
        out_raw(o, SPAN(",\"pane\":"));
        out_string(o, pane);
    }
    out_raw(o, SPAN("}"));
    if (o->full) out_rewind(o, before);
}

static void add_terminal(struct out *o, const struct env *env) {
    add_string(o, "term_program", env->value[ENV_TERM_PROGRAM]);
    add_string(o, "term_program_version", env->value[ENV_TERM_PROGRAM_VERSION]);
    add_number(o, "vscode_pid", env->value[ENV_VSCODE_PID]);
    add_string(o, "term", env->value[ENV_TERM]);
    add_tab(o, env);
    add_number(o, "window_id", env->value[ENV_WINDOWID]);
    add_tmux(o, env);
    if (env->value[ENV_GHOSTTY_RESOURCES_DIR].n) out_member_true(o, "is_ghostty");
    add_number(o, "kitty_pid", env->value[ENV_KITTY_PID]);
}

static void add_agent(struct out *o, const struct enrich *e) {
    const struct env *env = e->env;
    if (e->hold) out_member_string(o, "hold", span_str(e->hold));
    add_string(o, "agent_terminal_id", env->value[ENV_AGENT_MANAGER_TERMINAL_ID]);
    add_string(o, "worker", env->value[ENV_OSTLER_WORKER]);
    /* Who is not in the terminal whose mark it has was started there, or by something that was, and has gone its own way. */
    if (env->value[ENV_AGENT_MANAGER_TERMINAL_ID].n && !agent_is_in(&e->agent, env->value[ENV_OSTLER_TTY]))
        out_member_true(o, "detached");
    add_string(o, "claude_project_dir", env->value[ENV_CLAUDE_PROJECT_DIR]);
    add_string(o, "parent_session_id", env->value[ENV_CLAUDE_CODE_PARENT_SESSION_ID]);
    add_string(o, "team_name", env->value[ENV_CLAUDE_CODE_TEAM_NAME]);
    add_string(o, "agent_name", env->value[ENV_CLAUDE_CODE_AGENT_NAME]);
    add_string(o, "agent_type", env->value[ENV_CLAUDE_CODE_AGENT_TYPE]);
    add_string(o, "agent_id", env->value[ENV_CLAUDE_CODE_AGENT_ID]);
    add_string(o, "agent_color", env->value[ENV_CLAUDE_CODE_AGENT_COLOR]);
    add_string(o, "attended", env->value[ENV_CLAUDE_CODE_SESSION_ATTENDED]);
    add_string(o, "entrypoint", env->value[ENV_CLAUDE_CODE_ENTRYPOINT]);
    if (env->value[ENV_CLAUDE_JOB_DIR].n) out_member_true(o, "job");
    if (e->cli != ENRICH_GEMINI) return;
    add_string(o, "gemini_session_id", env->value[ENV_GEMINI_SESSION_ID]);
    add_string(o, "gemini_cwd", env->value[ENV_GEMINI_CWD]);
}

static const struct span payload_key = SPAN("},\"payload\":");

/* Kept for the end, whatever the environment holds: the count of an oversized payload, and the payload's
 * key. */
enum { END_BYTES = 64 };

void enrich_begin(struct out *o, const struct enrich *e) {
    assert(o->cap > END_BYTES * 2);
    o->cap -= END_BYTES;
    out_raw(o, SPAN("{\"ostler\":{\"v\":1,\"via\":\"hook\""));
    out_member_string(o, "cli", span_str(cli_names[e->cli]));
    add_time(o, e->sent_us);
    add_process(o, e);
    /* What binds a record to its card comes before what only decorates it, should the space run out. */
    add_agent(o, e);
    add_terminal(o, e->env);
    o->cap += END_BYTES;
}

void enrich_end(struct out *o, uint64_t oversized) {
    if (oversized) out_member_u64(o, "oversized", oversized);
    out_raw(o, payload_key);
}
