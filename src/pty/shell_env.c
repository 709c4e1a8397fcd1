#define LOG_TAG "shell"
#include "pty/shell_env.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "platform/proc.h"
#include "pty/environment.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OUTPUT_BYTES_MAX = 8 << 20,
    MARK_BYTES = 2 * 16 + 1,
    LOGIN_PART = 4, /* a login shell gets this part of the interactive one's time */
};

/* `exec`, so that no file that is read at a shell's end has a say, in words that every shell understands. */
#define COMMAND "exec \"$OSTLER_RESOLVE_WITH\" print-environment"

/* The files that shells read. When one of them has changed, what was found out is old. */
static const char *const files[] = {".profile",
                                    ".bash_profile",
                                    ".bash_login",
                                    ".bashrc",
                                    ".zshenv",
                                    ".zprofile",
                                    ".zshrc",
                                    ".zlogin",
                                    ".config/fish/config.fish",
                                    ".config/fish/fish_variables",
                                    ".kshrc",
                                    ".cshrc",
                                    ".tcshrc",
                                    ".login",
                                    "/etc/profile",
                                    "/etc/environment",
                                    "/etc/bash.bashrc",
                                    "/etc/zsh/zshrc"};

struct shell_env {
    uv_loop_t *loop;
    char printer[PATH_BYTES];
    uint64_t limit_ms;
    mode_t umask;
    void (*known)(void *user);
    void *user;
    char **env; /* what was found, or our own */
    char **own; /* ours, as terminals may have it */
    struct shell_env_report report;
    uint64_t seen;   /* what the files were like */
    struct run *run; /* NULL: none is under way */
    uint64_t began;
    bool closing;
};

/* One run of a shell. It lives until its handles are closed. */
struct run {
    struct shell_env *of; /* NULL: nobody is interested any more */
    uv_process_t process;
    uv_pipe_t out;
    uv_timer_t timer;
    unsigned open;
    pid_t pid;
    bool interactive, exited;
    char mark[MARK_BYTES];
    struct buf output;
};

const char *shell_env_from_to_str(enum shell_env_from from) {
    static const char *const names[] = {
        [SHELL_ENV_OWN] = "daemon", [SHELL_ENV_LOGIN] = "login", [SHELL_ENV_INTERACTIVE] = "interactive"};
    return names[from];
}

/* Shells */

static bool is_usable(const char *path) {
    return path && path[0] == '/' && strlen(path) < PATH_BYTES && access(path, X_OK) == 0;
}

void shell_find(char *const *env, char ret[PATH_BYTES]) {
    const char *shell = environment_get(env, "SHELL");
    if (!is_usable(shell)) {
        const struct passwd *account = getpwuid(geteuid());
        shell = account ? account->pw_shell : NULL;
    }
    (void)snprintf(ret, PATH_BYTES, "%s", is_usable(shell) ? shell : "/bin/sh");
}

const char *shell_env_flags(const char *shell, bool interactive) {
    static const char *const posix[] = {"sh",    "bash", "dash", "zsh",  "ksh",
                                        "ksh93", "mksh", "ash",  "yash", "fish"};
    const char *slash = strrchr(shell, '/'), *name = slash ? slash + 1 : shell;
    for (size_t i = 0; i < ARRAY_LEN(posix); i++)
        if (strcmp(name, posix[i]) == 0) return interactive ? "-lic" : "-lc";
    if (strcmp(name, "csh") == 0 || strcmp(name, "tcsh") == 0)
        return interactive ? "-ic" : "-c"; /* no -l beside others */
    return NULL;
}

/* What the files are like, as one number. */
static uint64_t look_at_files(char *const *env) {
    const char *home = environment_get(env, "HOME");
    uint64_t sum = 0;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char path[PATH_BYTES];
        struct stat st;
        bool absolute = files[i][0] == '/';
        int n = snprintf(path, sizeof path, "%s%s%s", absolute ? "" : str_or_empty(home), absolute ? "" : "/",
                         files[i]);
        if (n < 0 || (size_t)n >= sizeof path || stat(path, &st) < 0) continue;
        const uint64_t facts[] = {i + 1, st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
                                  (uint64_t)st.st_mtim.tv_nsec};
        for (size_t k = 0; k < ARRAY_LEN(facts); k++)
            sum = (sum ^ facts[k]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

/* What they print */

char **shell_env_parse(struct span output, struct span mark) {
    const char *first = output.n ? memmem(output.p, output.n, mark.p, mark.n) : NULL;
    if (!first) return NULL;
    struct span rest = span_skip(output, (size_t)(first - output.p) + mark.n);
    const char *last = rest.n ? memmem(rest.p, rest.n, mark.p, mark.n) : NULL;
    if (!last) return NULL;
    rest = span_take(rest, (size_t)(last - rest.p));
    char **env = strv_dup((const char *const[]){NULL});
    while (rest.n) {
        struct span variable = span_split(&rest, '\0');
        if (variable.n) strv_push(&env, variable);
    }
    return env;
}

/* Ending */

static int kill_in_session(void *user, pid_t pid) {
    const pid_t *session = user;
    struct proc_usage p;
    if (proc_usage_read(pid, &p) == 0 && p.session == *session) (void)kill(pid, SIGKILL);
    return 0;
}

/* A shell that gives its jobs groups of their own has them in its session all the same. */
static void kill_all(const struct run *r) {
    pid_t session = r->pid;
    if (r->pid <= 0 || r->exited) return;
    (void)kill(-r->pid, SIGKILL);
    (void)proc_each(kill_in_session, &session);
}

static void on_closed(uv_handle_t *handle) {
    struct run *r = handle->data;
    if (--r->open) return;
    buf_fini(&r->output);
    free(r);
}

/* A process is waited for until it has ended: killed, or by itself. */
static void let_go(struct run *r) {
    if (r->of) r->of->run = NULL;
    r->of = NULL;
    if (!uv_is_closing((uv_handle_t *)&r->out)) uv_close((uv_handle_t *)&r->out, on_closed);
    if (!uv_is_closing((uv_handle_t *)&r->timer)) uv_close((uv_handle_t *)&r->timer, on_closed);
    if (r->exited && !uv_is_closing((uv_handle_t *)&r->process))
        uv_close((uv_handle_t *)&r->process, on_closed);
}

static void start(struct shell_env *e, bool interactive);

static void finish(struct shell_env *e, char **env, enum shell_env_from from) {
    strv_free(e->env);
    e->env = env ? environment_pass((const char *const *)env) : strv_dup((const char *const *)e->own);
    strv_free(env);
    e->seen = look_at_files(e->own); /* reading them may have changed one */
    const char *path = environment_get(e->env, "PATH"), *ours = environment_get(e->own, "PATH");
    e->report.from = from;
    e->report.resolving = false;
    e->report.has_path = path && (!ours || strcmp(path, ours) != 0);
    e->report.took_ms = (int64_t)(uv_now(e->loop) - e->began);
    e->report.at_ms = usec_to_msec(clock_wall(&clock_system));
    if (from == SHELL_ENV_INTERACTIVE)
        log_debug("%s told its environment within %lld ms", e->report.shell, (long long)e->report.took_ms);
    else
        log_warn("%s: terminals get %s environment", e->report.problem,
                 from == SHELL_ENV_LOGIN ? "a login shell's" : "the daemon's own");
    e->known(e->user);
}

/* It gave nothing: the next one is asked, or none. */
static void fail(struct run *r, const char *why) {
    struct shell_env *e = r->of;
    bool interactive = r->interactive;
    if (interactive)
        (void)snprintf(e->report.problem, sizeof e->report.problem, "%.128s %s %s", e->report.shell,
                       shell_env_flags(e->report.shell, true), why);
    let_go(r);
    if (interactive)
        start(e, false);
    else
        finish(e, NULL, SHELL_ENV_OWN);
}

static void on_time(uv_timer_t *timer) {
    struct run *r = timer->data;
    char why[64];
    (void)snprintf(why, sizeof why, "did not answer within %g s",
                   (double)r->of->limit_ms / (r->interactive ? 1 : LOGIN_PART) / 1000);
    kill_all(r);
    fail(r, why);
}

/* Everything is there: what it does now is its own affair. */
static bool take(struct run *r) {
    struct shell_env *e = r->of;
    char **env = shell_env_parse(buf_span(&r->output), span_str(r->mark));
    if (!env) return false;
    enum shell_env_from from = r->interactive ? SHELL_ENV_INTERACTIVE : SHELL_ENV_LOGIN;
    if (r->interactive) e->report.problem[0] = '\0';
    let_go(r);
    finish(e, env, from);
    return true;
}

/* Running */

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *ret) {
    struct run *r = handle->data;
    char *room = buf_reserve(&r->output, size);
    *ret = uv_buf_init(room, room ? (unsigned)size : 0);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf UNUSED) {
    struct run *r = stream->data;
    if (!r->of) return;
    if (n > 0) {
        buf_grew(&r->output, (size_t)n);
        (void)take(r);
    } else if (n == UV_ENOBUFS) {
        kill_all(r);
        fail(r, "prints without end");
    } else if (n < 0) {
        (void)uv_read_stop(stream);
        if (r->exited) fail(r, "ended without having told its environment");
    }
}

/* What it printed last may still be in the pipe, and what it has started may hold that open for ever. */
static void read_rest(struct run *r) {
    uv_os_fd_t fd;
    if (uv_is_closing((uv_handle_t *)&r->out) || uv_fileno((uv_handle_t *)&r->out, &fd) < 0) return;
    (void)uv_read_stop((uv_stream_t *)&r->out);
    for (;;) {
        char *room = buf_reserve(&r->output, 64 << 10);
        ssize_t n = room ? read(fd, room, 64 << 10) : -1;
        if (n <= 0) return;
        buf_grew(&r->output, (size_t)n);
    }
}

static void on_exit_(uv_process_t *process, int64_t status UNUSED, int signal UNUSED) {
    struct run *r = process->data;
    r->exited = true;
    if (!r->of) {
        uv_close((uv_handle_t *)process, on_closed);
        return;
    }
    read_rest(r);
    if (!take(r)) fail(r, "ended without having told its environment");
}

/* Ours, as a shell that somebody opened would find it. Files that start a terminal multiplexer do so unless they are in one. */
static char **environment_for(const struct shell_env *e, const struct run *r) {
    char **env = strv_dup((const char *const *)e->own);
    strv_set_env(&env, "TERM", "xterm-256color");
    strv_set_env(&env, "OSTLER_RESOLVING_ENVIRONMENT", "1");
    strv_set_env(&env, "VSCODE_RESOLVING_ENVIRONMENT", "1"); /* what people's files may know already */
    strv_set_env(&env, "TMUX", "/nonexistent,0,0");
    strv_set_env(&env, "OSTLER_RESOLVE_WITH", e->printer);
    strv_set_env(&env, "OSTLER_RESOLVE_MARK", r->mark);
    return env;
}

static bool make_mark(char ret[MARK_BYTES]) {
    unsigned char random[(MARK_BYTES - 1) / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(ret + 2 * i, 3, "%02x", random[i]);
    return true;
}

static int spawn(struct run *r, const char *shell, const char *flags) {
    AUTO(strv) char **env = environment_for(r->of, r);
    AUTO(strv) char **args = NULL;
    const char *const words[] = {shell, flags, COMMAND};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        strv_push(&args, span_str(words[i]));
    const char *home = environment_get(env, "HOME");
    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&r->out},
        {.flags = UV_IGNORE},
    };
    const uv_process_options_t options = {
        .file = shell,
        .args = args,
        .env = env,
        .cwd = home && access(home, X_OK) == 0 ? home : NULL,
        .exit_cb = on_exit_,
        .flags = UV_PROCESS_DETACHED, /* a session of its own: there is no terminal to ask at */
        .stdio_count = 3,
        .stdio = stdio,
    };
    mode_t ours = umask(r->of->umask);
    int s = uv_spawn(r->of->loop, &r->process, &options);
    (void)umask(ours);
    return s;
}

static void start(struct shell_env *e, bool interactive) {
    struct run *r = xcalloc(1, sizeof *r);
    *r = (struct run){.of = e, .open = 3, .interactive = interactive, .output = BUF_INIT(OUTPUT_BYTES_MAX)};
    e->run = r;
    (void)uv_pipe_init(e->loop, &r->out, 0);
    (void)uv_timer_init(e->loop, &r->timer);
    r->process.data = r->out.data = r->timer.data = r;
    const char *flags = shell_env_flags(e->report.shell, interactive);
    const char *shell = flags ? e->report.shell : "/bin/sh";
    int s = make_mark(r->mark) ? spawn(r, shell, flags ? flags : "-lc") : -EIO;
    if (s < 0) {
        r->exited = true; /* its handle was begun even so */
        fail(r, uv_strerror(s));
        return;
    }
    r->pid = r->process.pid;
    (void)uv_read_start((uv_stream_t *)&r->out, on_alloc, on_read);
    (void)uv_timer_start(&r->timer, on_time,
                         interactive ? e->limit_ms : MAX(e->limit_ms / LOGIN_PART, (uint64_t)1), 0);
}

void shell_env_resolve(struct shell_env *e) {
    if (e->run || e->closing || !e->limit_ms) return;
    e->began = uv_now(e->loop);
    e->report.resolving = true;
    e->report.problem[0] = '\0';
    shell_find(e->own, e->report.shell);
    bool known = shell_env_flags(e->report.shell, true) != NULL;
    if (!known)
        (void)snprintf(e->report.problem, sizeof e->report.problem,
                       "%.128s is a shell that is not known here", e->report.shell);
    start(e, known);
}

/* Opening */

struct shell_env *shell_env_open(uv_loop_t *loop, const struct shell_env_options *options,
                                 void (*known)(void *user), void *user) {
    struct shell_env *e = xcalloc(1, sizeof *e);
    *e = (struct shell_env){
        .loop = loop, .limit_ms = options->limit_ms, .umask = options->umask, .known = known, .user = user};
    (void)snprintf(e->printer, sizeof e->printer, "%s", options->printer);
    e->own = environment_pass((const char *const *)environ);
    environment_unset(e->own, "NO_COLOR"); /* whoever started the daemon said so of its log */
    return e;
}

void shell_env_close(struct shell_env *e) {
    e->closing = true;
    if (!e->run) return;
    kill_all(e->run);
    let_go(e->run);
}

void shell_env_free(struct shell_env *e) {
    if (!e) return;
    strv_free(e->env);
    strv_free(e->own);
    free(e);
}

int shell_env_get(struct shell_env *e, char *const **ret) {
    if (!e->limit_ms) {
        *ret = e->own;
        return 0;
    }
    if (!e->closing && (!e->env || e->seen != look_at_files(e->own))) shell_env_resolve(e);
    if (e->run) return -EAGAIN;
    *ret = e->env ? e->env : e->own;
    return 0;
}

void shell_env_report(const struct shell_env *e, struct shell_env_report *ret) {
    *ret = e->report;
}
