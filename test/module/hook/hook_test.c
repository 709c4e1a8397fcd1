/* Runs the hook as an agent would and reads what it left in the spool. OSTLER_HOOK names the program. */
#include "base/cleanup.h"
#include "spool/record.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

DEFINE_CLEANUP(json, json_t *, json_decref);

enum { ARGS_MAX = 8, ENV_MAX = 64 };

struct call {
    const char *home;
    const char *args[ARGS_MAX]; /* behind the program's name */
    const char *env[ENV_MAX];   /* beside OSTLER_HOME */
    struct span payload;
    bool by_shell; /* through sh, as `sh -c "ostler-hook; :"` */
    int hosted;    /* the agent has a hook of its own: 1 this very one, 2 the one that it runs inside of */
    int terminal;  /* slave of a pty that becomes the caller's terminal, 0 for none */
    bool apart;    /* the agent is in a session of its own, so that our terminal is not its */
};

static void write_all(int fd, struct span s) {
    while (s.n) {
        ssize_t n = write(fd, s.p, s.n);
        if (n < 0) return;
        s = span_skip(s, (size_t)n);
    }
}

/* The agent: starts the hook with pipes and waits. Its exit status is the hook's. */
static void play_agent(const struct call *c, int in, int out) {
    if (c->terminal || c->apart) (void)setsid();
    if (c->terminal) {
        (void)ioctl(c->terminal, TIOCSCTTY, 0);
    }
    char home[PATH_MAX], mark[32];
    const char *argv[ARGS_MAX + 2] = {getenv("OSTLER_HOOK")},
                                *envp[ENV_MAX + 4] = {home, "ASAN_OPTIONS=detect_leaks=0", mark};
    (void)snprintf(mark, sizeof mark, c->hosted ? "OSTLER_HOSTED=%d" : "X=%d",
                   c->hosted == 1 ? getpid() : getppid());
    (void)snprintf(home, sizeof home, "OSTLER_HOME=%s", c->home);
    for (size_t i = 0; i < ARGS_MAX && c->args[i]; i++)
        argv[i + 1] = c->args[i];
    for (size_t i = 0; i < ENV_MAX && c->env[i]; i++)
        envp[i + 3] = c->env[i];
    char command[PATH_MAX];
    (void)snprintf(command, sizeof command, "%s; exit $?", argv[0]);
    const char *const shell[] = {"sh", "-c", command, NULL};
    pid_t pid = fork();
    if (pid == 0) {
        (void)setsid(); /* hooks run without a terminal of their own */
        (void)dup2(in, STDIN_FILENO);
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(out, STDERR_FILENO);
        if (c->by_shell)
            (void)execve("/bin/sh", (char **)shell, (char **)envp);
        else
            (void)execve(argv[0], (char **)argv, (char **)envp);
        _exit(99);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid) _exit(98);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 97);
}

/* Runs the hook; checks that it exits 0 and, unless `said` is given, prints nothing. Returns the agent's
 * pid. */
static pid_t call_hook(const struct call *c, char said[256]) {
    int in[2], out[2];
    CHECK_INT(pipe2(in, O_CLOEXEC), 0);
    CHECK_INT(pipe2(out, O_CLOEXEC), 0);
    pid_t agent = fork();
    CHECK(agent >= 0);
    if (agent == 0) {
        (void)close(in[1]); /* or the hook would wait for the end of its own stdin */
        play_agent(c, in[0], out[1]);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    write_all(in[1], c->payload);
    (void)close(in[1]);
    char text[256];
    ssize_t n = read(out[0], text, sizeof text - 1);
    CHECK(n >= 0);
    text[n] = '\0';
    (void)close(out[0]);
    if (said)
        memcpy(said, text, sizeof text);
    else
        CHECK_STR(text, "");
    int status;
    CHECK_INT(waitpid(agent, &status, 0), agent);
    CHECK_INT(status, 0);
    return agent;
}

/* The active segment; the caller frees. Empty when there is none. */
static char *read_spool(const char *home, size_t *ret_n) {
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/spool/active", home);
    AUTO(fd) int fd = open(path, O_RDONLY);
    struct stat st = {0};
    if (fd >= 0) CHECK_INT(fstat(fd, &st), 0);
    char *p = malloc((size_t)st.st_size + 1);
    CHECK(p != NULL);
    if (fd >= 0) CHECK_INT(read(fd, p, (size_t)st.st_size), st.st_size);
    *ret_n = (size_t)st.st_size;
    return p;
}

/* The only record in the spool. */
static json_t *only_record(const char *home) {
    size_t n, used, more;
    AUTO(free) char *text = read_spool(home, &n);
    struct span record, none;
    CHECK_INT(record_next(span_of(text, n), &record, &used), 1);
    CHECK_INT(record_next(span_skip(span_of(text, n), used), &none, &more), 0);
    json_error_t error;
    json_t *root = json_loadb(record.p, record.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!root) fail_msg("%s: %.*s", error.text, (int)MIN(record.n, 2000), record.p);
    CHECK_INT(json_object_size(root), 2);
    CHECK_INT(json_integer_value(json_object_get(json_object_get(root, "ostler"), "v")), 1);
    return root;
}

static const char *text_of(json_t *root, const char *key) {
    const char *s = json_string_value(json_object_get(json_object_get(root, "ostler"), key));
    return s ? s : "(missing)";
}

static json_int_t number_of(json_t *root, const char *key) {
    json_t *v = json_object_get(json_object_get(root, "ostler"), key);
    return json_is_integer(v) ? json_integer_value(v) : -1;
}

static bool has(json_t *root, const char *key) {
    return json_object_get(json_object_get(root, "ostler"), key) != NULL;
}

TEST(a_bare_event_is_enveloped) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct timespec before, after;
    (void)clock_gettime(CLOCK_REALTIME, &before);
    pid_t agent = call_hook(
        &(struct call){.home = t.path, .payload = SPAN("{\"session_id\":\"s\",\n \"x\":\r\n[1]}\n")}, NULL);
    (void)clock_gettime(CLOCK_REALTIME, &after);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_STR(text_of(root, "via"), "hook");
    CHECK_STR(text_of(root, "cli"), "claude");
    CHECK_INT(number_of(root, "claude_pid"), agent);
    CHECK_INT(number_of(root, "hook_ppid"), agent);
    CHECK(number_of(root, "claude_ppid") > 0);
    CHECK(number_of(root, "pid_ns") > 0);
    CHECK(number_of(root, "claude_start") > 0);
    double sent = json_real_value(json_object_get(json_object_get(root, "ostler"), "hook_sent_at"));
    CHECK(sent >= (double)before.tv_sec * 1e3 + (double)before.tv_nsec / 1e6 - 1);
    CHECK(sent <= (double)after.tv_sec * 1e3 + (double)after.tv_nsec / 1e6 + 1);
    /* Nothing else is said about what is not known. */
    CHECK_INT(json_object_size(json_object_get(root, "ostler")), 10);
    json_t *payload = json_object_get(root, "payload");
    CHECK_STR(json_string_value(json_object_get(payload, "session_id")), "s");
    CHECK_INT(json_array_size(json_object_get(payload, "x")), 1);
}

TEST(the_environment_enriches) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    const struct call call = {
        .home = t.path,
        .payload = SPAN("{}"),
        .env = {"TERM_PROGRAM=iTerm.app",
                "TERM_PROGRAM_VERSION=3.5",
                "VSCODE_PID=123",
                "TERM=xterm-256color",
                "ITERM_SESSION_ID=w0t1",
                "KITTY_WINDOW_ID=9",
                "WINDOWID=77",
                "TMUX=/tmp/tmux-0/default,1,0",
                "TMUX_PANE=%3",
                "GHOSTTY_RESOURCES_DIR=/g",
                "KITTY_PID=55",
                "AGENT_MANAGER_TERMINAL_ID=term-1",
                "OSTLER_WORKER=w1",
                "CLAUDE_PROJECT_DIR=/home/u/p",
                "CLAUDE_CODE_PARENT_SESSION_ID=ps",
                "CLAUDE_CODE_TEAM_NAME=team",
                "CLAUDE_CODE_AGENT_NAME=name",
                "CLAUDE_CODE_AGENT_TYPE=task",
                "CLAUDE_CODE_AGENT_ID=id",
                "CLAUDE_CODE_AGENT_COLOR=blue",
                "GEMINI_SESSION_ID=not for claude"},
    };
    (void)call_hook(&call, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    static const char *const texts[][2] = {
        {"term_program", "iTerm.app"},
        {"term_program_version", "3.5"},
        {"term", "xterm-256color"},
        {"tab_id", "w0t1"},
        {"agent_terminal_id", "term-1"},
        {"worker", "w1"},
        {"claude_project_dir", "/home/u/p"},
        {"parent_session_id", "ps"},
        {"team_name", "team"},
        {"agent_name", "name"},
        {"agent_type", "task"},
        {"agent_id", "id"},
        {"agent_color", "blue"},
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        CHECK_STR(text_of(root, texts[i][0]), texts[i][1]);
    CHECK_INT(number_of(root, "vscode_pid"), 123);
    CHECK_INT(number_of(root, "window_id"), 77);
    CHECK_INT(number_of(root, "kitty_pid"), 55);
    json_t *ostler = json_object_get(root, "ostler"), *tmux = json_object_get(ostler, "tmux");
    CHECK_STR(json_string_value(json_object_get(tmux, "session")), "/tmp/tmux-0/default,1,0");
    CHECK_STR(json_string_value(json_object_get(tmux, "pane")), "%3");
    CHECK(json_is_true(json_object_get(ostler, "is_ghostty")));
    CHECK(!has(root, "gemini_session_id"));
}

TEST(tabs_have_an_order_and_prefixes) {
    static const struct {
        const char *env[3];
        const char *tab;
    } cases[] = {{{"KITTY_WINDOW_ID=9", "TERM_SESSION_ID=x"}, "kitty:9"},
                 {{"WARP_SESSION_ID=8", "WEZTERM_PANE=1"}, "warp:8"},
                 {{"WEZTERM_PANE=7", "TERM_SESSION_ID=x"}, "wezterm:7"},
                 {{"ITERM_SESSION_ID=", "TERM_SESSION_ID=x"}, "x"}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        AUTO(temp_dir) struct temp_dir t = temp_dir_make();
        struct call call = {.home = t.path, .payload = SPAN("{}"), .env = {cases[i].env[0], cases[i].env[1]}};
        (void)call_hook(&call, NULL);
        AUTO(json) json_t *root = only_record(t.path);
        CHECK_STR(text_of(root, "tab_id"), cases[i].tab);
    }
}

TEST(strange_values_stay_json) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    const struct call call = {
        .home = t.path,
        .payload = SPAN("{}"),
        .env = {"TERM=\"quoted\\\"\n\t\x01\x7f", "TERM_PROGRAM=\xff\xc3", "OSTLER_WORKER=gr\xc3\xbc\xc3\x9f",
                "VSCODE_PID=12x", "WINDOWID=-1", "KITTY_PID=99999999999999999999"},
    };
    (void)call_hook(&call, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_STR(text_of(root, "term"), "\"quoted\\\"\n\t\x01\x7f");
    CHECK_STR(text_of(root, "term_program"), "\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK_STR(text_of(root, "worker"), "gr\xc3\xbc\xc3\x9f");
    CHECK(!has(root, "vscode_pid") && !has(root, "window_id") && !has(root, "kitty_pid"));
}

TEST(large_values_are_cut_between_characters) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    static char worker[20000] = "OSTLER_WORKER=", tab[20000] = "ITERM_SESSION_ID=x";
    for (size_t i = strlen(worker); i + 3 < sizeof worker; i += 3)
        memcpy(worker + i, "\xe2\x82\xac", 3);
    for (size_t i = strlen(tab); i + 3 < sizeof tab; i += 3)
        memcpy(tab + i, "\xe2\x82\xac", 3);
    (void)call_hook(&(struct call){.home = t.path, .payload = SPAN("{}"), .env = {worker, tab}}, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_INT(strlen(text_of(root, "worker")), 1023);
    CHECK_INT(strlen(text_of(root, "tab_id")), 1024);
    CHECK(strchr(text_of(root, "tab_id"), '?') == NULL);
}

TEST(an_environment_too_large_still_makes_a_record) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    static const char *const names[] = {"AGENT_MANAGER_TERMINAL_ID",
                                        "OSTLER_WORKER",
                                        "CLAUDE_PROJECT_DIR",
                                        "CLAUDE_CODE_PARENT_SESSION_ID",
                                        "CLAUDE_CODE_TEAM_NAME",
                                        "CLAUDE_CODE_AGENT_NAME",
                                        "CLAUDE_CODE_AGENT_TYPE",
                                        "CLAUDE_CODE_AGENT_ID",
                                        "CLAUDE_CODE_AGENT_COLOR",
                                        "TERM_PROGRAM",
                                        "TERM_PROGRAM_VERSION",
                                        "TERM",
                                        "TMUX",
                                        "TMUX_PANE"};
    static char values[ARRAY_LEN(names)][2000];
    struct call call = {.home = t.path, .payload = SPAN("{\"kept\":1}")};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        memset(values[i], 1, sizeof values[i] - 1); /* each byte becomes six */
        memcpy(values[i], names[i], strlen(names[i]));
        values[i][strlen(names[i])] = '=';
        call.env[i] = values[i];
    }
    (void)call_hook(&call, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK(has(root, "worker"));
    CHECK(!has(root, "tmux"));
    CHECK_INT(json_integer_value(json_object_get(json_object_get(root, "payload"), "kept")), 1);
}

TEST(each_cli_is_named) {
    static const struct {
        const char *args[3];
        const char *cli;
    } cases[] = {{{"--cli", "gemini"}, "gemini"},
                 {{"--cli", "codex"}, "codex"},
                 {{"--cli", "nobody"}, "claude"},
                 {{"--cli"}, "claude"},
                 {{"--unknown", "x"}, "claude"}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        AUTO(temp_dir) struct temp_dir t = temp_dir_make();
        struct call call = {.home = t.path,
                            .payload = SPAN("{}"),
                            .args = {cases[i].args[0], cases[i].args[1]},
                            .env = {"GEMINI_SESSION_ID=g", "GEMINI_CWD=/c"}};
        (void)call_hook(&call, NULL);
        AUTO(json) json_t *root = only_record(t.path);
        CHECK_STR(text_of(root, "cli"), cases[i].cli);
        CHECK_INT(has(root, "gemini_session_id") && has(root, "gemini_cwd"), i == 0);
    }
}

TEST(codex_notify_comes_as_an_argument) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    (void)call_hook(&(struct call){.home = t.path,
                                   .payload = SPAN("{\"ignored\":1}"),
                                   .args = {"--cli", "codex",
                                            "{\"type\":\"agent-turn-complete\",\n\"thread-id\":\"t\"}"}},
                    NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_STR(text_of(root, "cli"), "codex");
    CHECK_STR(json_string_value(json_object_get(json_object_get(root, "payload"), "thread-id")), "t");
}

TEST(a_shell_between_is_not_the_agent) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    pid_t agent = call_hook(&(struct call){.home = t.path, .payload = SPAN("{}"), .by_shell = true}, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_INT(number_of(root, "claude_pid"), agent);
    CHECK(number_of(root, "hook_ppid") != agent);
}

TEST(nothing_comes_of_nothing) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    (void)call_hook(&(struct call){.home = t.path}, NULL);
    (void)call_hook(&(struct call){.home = t.path, .payload = SPAN(" \n\r\t ")}, NULL);
    size_t n;
    free(read_spool(t.path, &n));
    CHECK_INT(n, 0);
}

TEST(a_payload_too_large_is_counted_not_kept) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    size_t n = (size_t)SPOOL_PAYLOAD_MAX + 100000;
    AUTO(free) char *text = malloc(n);
    memset(text, 'x', n);
    (void)call_hook(&(struct call){.home = t.path, .payload = span_of(text, n)}, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_INT(number_of(root, "oversized"), n);
    CHECK_INT(json_object_size(json_object_get(root, "payload")), 0);
}

TEST(the_largest_payload_is_kept) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    size_t n = SPOOL_PAYLOAD_MAX;
    AUTO(free) char *text = malloc(n);
    memset(text, 'x', n);
    memcpy(text, "{\"a\":\"", 6);
    memcpy(text + n - 2, "\"}", 2);
    (void)call_hook(&(struct call){.home = t.path, .payload = span_of(text, n)}, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK(!has(root, "oversized"));
    CHECK_INT(json_string_length(json_object_get(json_object_get(root, "payload"), "a")), n - 8);
}

TEST(no_place_to_write_is_no_failure) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char file[PATH_MAX];
    (void)snprintf(file, sizeof file, "%s/file", t.path);
    AUTO(fd) int fd = open(file, O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0);
    (void)call_hook(&(struct call){.home = file, .payload = SPAN("{}")}, NULL);
    (void)call_hook(&(struct call){.home = "relative", .payload = SPAN("{}")}, NULL);
}

TEST(version_and_help_speak) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char said[256];
    (void)call_hook(&(struct call){.home = t.path, .args = {"--version"}}, said);
    CHECK_STR(said, "ostler-hook " OSTLER_VERSION "\n");
    (void)call_hook(&(struct call){.home = t.path, .args = {"--help"}}, said);
    CHECK(strncmp(said, "usage: ", 7) == 0);
}

TEST(the_agents_terminal_is_named_and_titled) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    AUTO(fd) int master = -1;
    AUTO(fd) int slave = -1;
    char name[64];
    CHECK_INT(openpty(&master, &slave, name, NULL, NULL), 0);
    struct call call = {.home = t.path,
                        .payload = SPAN("{\"hook_event_name\":\"Stop\"}"),
                        .terminal = slave,
                        .env = {"CLAUDE_PROJECT_DIR=/home/u/my\x1bproject/"}};
    (void)call_hook(&call, NULL);
    AUTO(json) json_t *root = only_record(t.path);
    CHECK_STR(text_of(root, "tty_path"), name);
    CHECK_INT(fcntl(master, F_SETFL, O_NONBLOCK), 0);
    char text[100];
    CHECK_INT(read(master, text, sizeof text), -1); /* off unless asked for */
    call.env[1] = "OSTLER_TAB_TITLE=1";
    (void)call_hook(&call, NULL);
    ssize_t n = read(master, text, sizeof text);
    CHECK_SPAN(span_of(text, n > 0 ? (size_t)n : 0), "\033]0;Claude: my\xEF\xBF\xBDproject\a");
    call.payload = SPAN("{\"hook_event_name\":\"PreToolUse\"}");
    (void)call_hook(&call, NULL);
    CHECK_INT(read(master, text, sizeof text), -1);
}

/* A tmux server that was started in a hosted terminal gives its mark to every agent in every window for ever after. */
TEST(the_mark_of_a_terminal_counts_only_in_that_terminal) {
    AUTO(fd) int master = -1;
    AUTO(fd) int slave = -1;
    char name[64], there[80];
    CHECK_INT(openpty(&master, &slave, name, NULL, NULL), 0);
    (void)snprintf(there, sizeof there, "OSTLER_TTY=%s", name);
    const struct {
        int terminal;
        const char *variable;
        bool detached;
    } cases[] = {{slave, there, false},
                 {slave, "OSTLER_TTY=/dev/pts/999999", true},
                 {slave, "X=", false}, /* a keeper of before */
                 {0, there, true}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        AUTO(temp_dir) struct temp_dir t = temp_dir_make();
        (void)call_hook(&(struct call){.home = t.path,
                                       .payload = SPAN("{\"hook_event_name\":\"Stop\"}"),
                                       .terminal = cases[i].terminal,
                                       .apart = true,
                                       .env = {"AGENT_MANAGER_TERMINAL_ID=term-1", cases[i].variable}},
                        NULL);
        AUTO(json) json_t *root = only_record(t.path);
        CHECK_STR(text_of(root, "agent_terminal_id"), "term-1");
        if (has(root, "detached") != cases[i].detached) fail_msg("%zu", i);
    }
}

/* An agent that ostler hosts has a hook for the run, called with --hosted: the installed one leaves the telling to it. Not so
 * for an agent inside that agent. */
TEST(an_installed_hook_is_quiet_where_one_for_the_run_speaks) {
    const struct span payload = SPAN("{\"session_id\":\"a\"}");
    AUTO(temp_dir) struct temp_dir home = temp_dir_make();
    size_t n;
    (void)call_hook(&(struct call){.home = home.path, .payload = payload, .hosted = 1}, NULL);
    (void)call_hook(&(struct call){.home = home.path, .payload = payload, .hosted = 1, .by_shell = true},
                    NULL);
    (void)call_hook(
        &(struct call){.home = home.path, .payload = payload, .hosted = 2, .args = {"--cli", "codex"}}, NULL);
    free(read_spool(home.path, &n));
    CHECK_INT(n, 0);
    pid_t agent = call_hook(
        &(struct call){.home = home.path, .payload = payload, .hosted = 1, .args = {"--hosted"}}, NULL);
    AUTO(json) json_t *told = only_record(home.path);
    CHECK_INT(number_of(told, "claude_pid"), agent);
    AUTO(temp_dir) struct temp_dir other = temp_dir_make();
    (void)call_hook(&(struct call){.home = other.path, .payload = payload, .hosted = 2}, NULL);
    AUTO(json) json_t *nested = only_record(other.path);
    CHECK_STR(text_of(nested, "cli"), "claude");
}

TESTS(RUN(a_bare_event_is_enveloped), RUN(the_environment_enriches), RUN(tabs_have_an_order_and_prefixes),
      RUN(strange_values_stay_json), RUN(large_values_are_cut_between_characters),
      RUN(an_environment_too_large_still_makes_a_record), RUN(each_cli_is_named),
      RUN(codex_notify_comes_as_an_argument), RUN(a_shell_between_is_not_the_agent),
      RUN(nothing_comes_of_nothing), RUN(a_payload_too_large_is_counted_not_kept),
      RUN(the_largest_payload_is_kept), RUN(no_place_to_write_is_no_failure), RUN(version_and_help_speak),
      RUN(the_agents_terminal_is_named_and_titled), RUN(the_mark_of_a_terminal_counts_only_in_that_terminal),
      RUN(an_installed_hook_is_quiet_where_one_for_the_run_speaks))
