#include "api/agent_launch.h"

#include "api/agent_hooks.h"
#include "api/agent_words.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "core/agent.h"
#include "pty/environment.h"
#include "setup/here.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void agent_launch_fini(struct agent_launch *l) {
    strv_free(l->words);
    strv_free(l->argv);
    strv_free(l->env);
    strv_free(l->secrets);
    buf_fini(&l->typed);
}

/* The program that a name means there. */
static bool find_in(const char *path, const char *name, char ret[PATH_BYTES]) {
    struct span rest = span_str(path);
    while (rest.n) {
        struct span dir = span_split(&rest, ':');
        struct stat st;
        int n = snprintf(ret, PATH_BYTES, "%.*s/%s", SPAN_ARG(dir), name);
        if (dir.n && dir.p[0] == '/' && n > 0 && n < PATH_BYTES && stat(ret, &st) == 0 &&
            S_ISREG(st.st_mode) && access(ret, X_OK) == 0)
            return true;
    }
    return false;
}

char **agent_launch_argv(const struct agent_place *place, const char *const *words, const char *path,
                         bool *ret_marked) {
    char **all = strv_dup(words), found[PATH_BYTES];
    const struct agent *agent = agent_find(span_str(all[0]));
    const char *program = strchr(words[0], '/') ? words[0] : NULL;
    if (!path && place->path) path = place->path(place->user);
    if (!program && path && find_in(path, words[0], found)) program = found;
    *ret_marked = agent && place->hooks_dir &&
                  agent_hooks_add(agent, place->hook, place->hooks_dir, place->notes, program, &all);
    return all;
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

/* A model or an effort that was asked for beside the command. */
static int choose(struct agent_launch *l, const struct agent *agent, const struct terminal_request *req,
                  struct err *err) {
    if (!req->model.n && !req->effort.n) return 0;
    if (!agent)
        return err_set(err, -EINVAL, "%s is for agents, and the command is none that is known",
                       req->model.n ? "model" : "effortLevel");
    return agent_words_choose(&l->words, agent, req->model, req->effort, err);
}

/* An agent that cannot be found is not started: how to get it is said instead. Where the PATH is not known yet, trying will tell. */
static int check_installed(const struct agent_place *place, const struct agent *agent, const char *word,
                           const char *path, struct err *err) {
    char found[PATH_BYTES];
    if (!agent || agent->cli == CLI_N_ || strchr(word, '/')) return 0;
    if (!path && place->path) path = place->path(place->user);
    if (!path || find_in(path, word, found)) return 0;
    if (setup_find_program(place->notes ? place->notes->seen : NULL, agent->cli, found))
        return err_set(err, -EINVAL, "%s is not in PATH there: say %s", word, found);
    return err_set(err, -EINVAL, "%s is not installed: %s does that", word, setup_how_to_install(agent->cli));
}

/* Decides what is executed, and what is typed. */
static int find_program(struct agent_launch *l, const struct agent_place *place,
                        const struct terminal_request *req, struct arena *arena, const struct agent **ret,
                        struct err *err) {
    const char **words = req->words;
    int r = words ? 0 : terminal_request_split(req->command, arena, &words, err);
    if (r < 0) return r;
    const struct agent *agent = words ? agent_find(span_str(words[0])) : NULL;
    bool executed = agent || req->words;
    *ret = agent;
    l->spec.kind = agent ? TERMINAL_AGENT : req->words ? TERMINAL_COMMAND : TERMINAL_SHELL;
    if (executed) l->words = strv_dup(words);
    r = choose(l, agent, req, err);
    if (r < 0) return r;
    if (executed) {
        const char *path = req->environment ? environment_get((char *const *)req->environment, "PATH") : NULL;
        r = check_installed(place, agent, words[0], path, err);
        if (r < 0) return r;
        l->argv = agent_launch_argv(place, (const char *const *)l->words, path, &l->spec.marked);
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
    ret->spec.words = (const char *const *)ret->words;
    ret->spec.environment = req->environment;
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

/* The program and the options of before, or the CLI's own name where that is not known to be it. */
static char **words_of(const struct conversation *c, const struct agent_before *before,
                       const struct agent **ret) {
    struct span rest = before->command, first = span_split(&rest, ' ');
    if (before->words) first = span_str(before->words[0]);
    const struct agent *was = agent_find(first);
    char **words = NULL;
    if (!was || (was->cli != c->cli && c->session_id)) {
        *ret = agent_of(c->cli);
        strv_push(&words, span_str((*ret)->name));
        return words;
    }
    *ret = was;
    if (before->words && was->cli < CLI_N_) return agent_words_again(was->cli, before->words);
    strv_push(&words, first);
    return words;
}

char **agent_launch_resume_words(const struct conversation *c, const struct agent_before *before, bool *fresh,
                                 const char **ret_message) {
    const struct agent *agent;
    char **words = words_of(c, before, &agent);
    struct span id = span_str(c->session_id);
    *ret_message = NULL;
    if (*fresh) return words;
    *fresh = !is_id(id) || agent->cli == CLI_N_;
    if (*fresh)
        *ret_message = "There is no conversation to go on with: it starts fresh.";
    else
        agent_words_resume(&words, agent->cli, id);
    return words;
}
