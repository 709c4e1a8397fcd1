#include "api/agent_launch.h"

#include "api/agent_hooks.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "core/agent.h"
#include "core/find.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

void agent_launch_fini(struct agent_launch *l) {
    strv_free(l->argv);
    strv_free(l->env);
    strv_free(l->secrets);
    buf_fini(&l->typed);
}

/* Shells that understand what we say to them. */
enum shell { SHELL_SH, SHELL_FISH, SHELL_OTHER };

static enum shell shell_of(const char *path) {
    static const char *const known[] = {"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "yash"};
    struct span name = find_program_name(span_str(path));
    if (span_eq(name, SPAN("fish"))) return SHELL_FISH;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (span_eq_str(name, known[i])) return SHELL_SH;
    return SHELL_OTHER;
}

/* The shell's process becomes the agent's, so that its number marks the one that has hooks of its own. */
static const char *script(enum shell shell, bool hooked) {
    if (shell == SHELL_FISH)
        return hooked ? "set -gx " AGENT_HOOKS_MARK " $fish_pid; exec $argv" : "exec $argv";
    return hooked ? "export " AGENT_HOOKS_MARK "=$$; exec \"$@\"" : "exec \"$@\"";
}

char **agent_launch_argv(const struct agent_place *place, const char *const *words) {
    AUTO(strv) char **all = strv_dup(words);
    const struct agent *agent = agent_find(span_str(all[0]));
    bool hooked = agent && place->hooks_dir &&
                  agent_hooks_add(agent, place->hook, place->hooks_dir, place->versions, &all);
    const char *path = place->shell && shell_of(place->shell) != SHELL_OTHER ? place->shell : "/bin/sh";
    enum shell shell = shell_of(path);
    char **argv = NULL;
    strv_push(&argv, span_str(path));
    strv_push(&argv, SPAN("-lc"));
    strv_push(&argv, span_str(script(shell, hooked)));
    if (shell == SHELL_SH) strv_push(&argv, find_program_name(span_str(path))); /* $0 */
    for (size_t i = 0; all[i]; i++)
        strv_push(&argv, span_str(all[i]));
    return argv;
}

/* "~" is the daemon's home. */
static int find_directory(struct agent_launch *l, const struct agent_place *place, const char *asked,
                          struct err *err) {
    bool home = asked[0] == '~' && (asked[1] == '\0' || asked[1] == '/');
    if (home && !place->home) return err_set(err, -EINVAL, "workingDir: there is no home directory");
    int n = snprintf(l->directory, sizeof l->directory, "%s%s", home ? place->home : "",
                     home ? asked + 1 : asked);
    if (n < 0 || (size_t)n >= sizeof l->directory) return err_set(err, -EINVAL, "workingDir is too long");
    if (l->directory[0] != '/')
        return err_set(err, -EINVAL, "workingDir must begin with / or ~/, not be %s", asked);
    struct stat st;
    if (stat(l->directory, &st) < 0)
        return err_set(err, -EINVAL, "workingDir %s cannot be used: %s", l->directory, strerror(errno));
    if (!S_ISDIR(st.st_mode)) return err_set(err, -EINVAL, "workingDir %s is no directory", l->directory);
    return 0;
}

/* Decides what is executed, and what is typed. */
static int find_program(struct agent_launch *l, const struct agent_place *place,
                        const struct terminal_request *req, struct arena *arena, const struct agent **ret,
                        struct err *err) {
    const char **words = req->words;
    int r = words ? 0 : terminal_request_split(req->command, arena, &words, err);
    if (r < 0) return r;
    const struct agent *agent = words ? agent_find(span_str(words[0])) : NULL;
    *ret = agent;
    l->spec.kind = agent ? TERMINAL_AGENT : req->words ? TERMINAL_COMMAND : TERMINAL_SHELL;
    if (agent || req->words) {
        l->argv = agent_launch_argv(place, words);
    } else if (words) {
        (void)buf_append_span(&l->typed, req->command);
        (void)buf_append_char(&l->typed, '\r');
    }
    return 0;
}

int agent_launch_prepare(struct agent_launch *ret, const struct agent_place *place,
                         const struct terminal_request *req, struct arena *arena, struct err *err) {
    *ret = (struct agent_launch){.typed = BUF_INIT(TERMINAL_REQUEST_BYTES_MAX)};
    const struct agent *agent = NULL;
    int r = find_directory(ret, place, req->directory, err);
    if (r == 0) r = find_program(ret, place, req, arena, &agent, err);
    if (r < 0) {
        agent_launch_fini(ret);
        return r;
    }
    if (req->env) ret->env = strv_dup(req->env);
    if (req->api_key.n) {
        AUTO(free) char *key = str_dup(req->api_key);
        strv_set_env(&ret->secrets, agent ? agent->api_key : "ANTHROPIC_API_KEY", key);
    }
    ret->spec.cols = req->cols;
    ret->spec.rows = req->rows;
    ret->spec.directory = ret->directory;
    ret->spec.argv = (const char *const *)ret->argv;
    ret->spec.env = (const char *const *)ret->env;
    ret->spec.secrets = (const char *const *)ret->secrets;
    ret->spec.typed = buf_span(&ret->typed);
    ret->spec.command = req->command;
    ret->spec.title = req->title;
    ret->spec.label = req->label;
    return 0;
}

/* An id that a CLI can be given as a word: agents send theirs through hooks, and anybody can call a hook. */
static bool is_id(struct span id) {
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (i == 0 || (c != '-' && c != '_' && c != '.'))) return false;
    }
    return id.n > 0;
}

char **agent_launch_resume_words(const struct conversation *c, bool fresh, struct span program,
                                 const char **ret_message) {
    char **words = NULL;
    struct span rest = program, first = span_split(&rest, ' '), id = span_str(c->session_id);
    const struct agent *was = agent_find(first);
    bool same = was && (was->cli == c->cli || !c->session_id);
    strv_push(&words, same ? first : span_str(agent_of(c->cli)->name));
    *ret_message = NULL;
    if (fresh || !is_id(id) || (same && was->cli == CLI_N_)) {
        if (!fresh) *ret_message = "There is no conversation to go on with: it starts fresh.";
        return words;
    }
    switch (c->cli) {
    case CLI_CLAUDE:
    case CLI_COPILOT: strv_push(&words, SPAN("--resume")); break;
    case CLI_OPENCODE: strv_push(&words, SPAN("--session")); break;
    case CLI_CODEX: strv_push(&words, SPAN("resume")); break;
    case CLI_GEMINI:
        strv_push(&words, SPAN("--resume"));
        id = SPAN("latest");
        *ret_message = "Gemini CLI goes on with the newest conversation of the directory: it takes no ids.";
        break;
    case CLI_N_: break;
    }
    strv_push(&words, id);
    return words;
}
