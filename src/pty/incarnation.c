/* How a terminal comes to life: its directory is made, its keeper started and connected to. The second time it goes on
 * below what the first one left on the screen. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strv.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_LOOK_MS = 20, LAST_LOOKS = 250 }; /* at a keeper that is about to go */

static const char *user_shell(void) {
    const char *shell = getenv("SHELL");
    return shell && shell[0] == '/' && access(shell, X_OK) == 0 ? shell : "/bin/sh";
}

/* What an agent around the daemon told its own children is not meant for those that are hosted here. */
static bool is_inherited(const char *variable) {
    static const char *const not_ours[] = {"CLAUDECODE=",    "CLAUDE_CODE_",   "AGENT_MANAGER_",
                                           "OSTLER_WORKER=", "OSTLER_HOSTED=", "OSTLER_TERMINAL=",
                                           "TERM=",          "COLORTERM=",     "TERM_PROGRAM",
                                           "TMUX",           "STY=",           "NO_COLOR=",
                                           "COLUMNS=",       "LINES=",         "HISTFILE=",
                                           "INSIDE_EMACS="};
    for (size_t i = 0; i < ARRAY_LEN(not_ours); i++)
        if (span_starts(span_str(variable), span_str(not_ours[i]))) return false;
    return true;
}

static void add_all(char ***env, char *const *additions) {
    for (size_t i = 0; additions && additions[i]; i++) {
        struct span value = span_str(additions[i]), name = span_split(&value, '=');
        AUTO(free) char *key = str_dup(name);
        AUTO(free) char *text = str_dup(value);
        strv_set_env(env, key, text);
    }
}

/* The shell's own history, terminal by terminal; bash is asked to keep it up to date. */
static void add_history(char ***env, const struct terminal *t) {
    char history[PATH_BYTES];
    if (t->meta.kind == TERMINAL_AGENT || path_join(history, t->dir, "history") < 0) return;
    strv_set_env(env, "HISTFILE", history);
    if (!getenv("PROMPT_COMMAND")) strv_set_env(env, "PROMPT_COMMAND", "history -a");
}

static char **environment(const struct terminal *t) {
    char **env = NULL;
    for (size_t i = 0; environ[i]; i++)
        if (is_inherited(environ[i])) strv_push(&env, span_str(environ[i]));
    strv_set_env(&env, "TERM", "xterm-256color");
    strv_set_env(&env, "COLORTERM", "truecolor");
    /* A daemon that a system started may know no language; programs would take bytes for characters. */
    if (!getenv("LANG") && !getenv("LC_ALL") && !getenv("LC_CTYPE")) strv_set_env(&env, "LANG", "C.UTF-8");
    strv_set_env(&env, "AGENT_MANAGER_TERMINAL_ID", t->meta.id);
    strv_set_env(&env, "OSTLER_WORKER", t->meta.id);
    strv_set_env(&env, "OSTLER_TERMINAL", t->meta.id);
    add_history(&env, t);
    add_all(&env, t->meta.env);
    add_all(&env, t->secrets);
    return env;
}

static void fail(struct terminal *t, const struct err *err) {
    terminal_done *done = TAKE(t->done);
    if (done) terminals_fail(t->owner, done, t->done_user, err);
    if (!t->vt) {
        terminal_discard(t);
        return;
    }
    /* It was there before and can be brought back another time. */
    t->meta.ended = t->meta.rested = true;
    t->meta.ended_ms = terminals_now_ms(t->owner);
    terminal_move(t, TERMINAL_RESTORED);
    saved_write(t);
    terminal_tell(t);
}

int incarnation_connect(struct terminal *t, uint64_t epoch, uint64_t offset, struct err *err) {
    const struct frame_hello hello = {.version = FRAME_VERSION,
                                      .role = FRAME_ROLE_DAEMON,
                                      .epoch = epoch,
                                      .offset = offset,
                                      .limit = credit_begin(t, offset)};
    t->welcomed = t->exit_known = false;
    return link_open(t->owner->loop, t->socket, &hello, &terminal_link_ops, t, &t->link, err);
}

/* The keeper runs: the screen and the journal begin anew, below what was there. */
static void on_launched(void *user, int r, const struct launch_result *result, const struct err *err) {
    struct terminal *t = user;
    struct terminals *ts = t->owner;
    t->launching = false;
    if (ts->closing) return;
    if (r < 0) {
        if (t->deleted)
            terminal_settle(t);
        else
            fail(t, err);
        return;
    }
    t->pid = result->child_pid;
    t->pid_start = result->child_start;
    bool again = t->vt != NULL;
    if (again) {
        vt_restart(t->vt);
        vt_resize(t->vt, t->meta.cols, t->meta.rows);
        vt_set_answering(t->vt, true);
        stream_restart(&t->stream, t->meta.epoch);
    } else {
        t->vt = vt_new(t->meta.cols, t->meta.rows, ts->options.scrollback, &terminal_vt_ops, t);
        stream_init(&t->stream, t->meta.epoch, 0);
        t->has_stream = true;
    }
    t->written = t->answered = 0;
    terminal_open_journal(t);
    journal_begin(t->journal, t->meta.epoch, again ? NULL : t->vt);
    if (again) journal_resized(t->journal, 0, t->meta.cols, t->meta.rows);
    struct err why = {0};
    if (incarnation_connect(t, t->meta.epoch, 0, &why) < 0) {
        fail(t, &why);
        return;
    }
    if (t->meta.typed) {
        t->ready = xrealloc(t->ready, sizeof *t->ready);
        shell_ready_init(t->ready, terminals_now_ms(ts), SHELL_READY_LOCAL_MS);
        terminal_set_due(t, DUE_READY, SHELL_READY_LOCAL_MS);
    }
    if (t->deleted) (void)link_send(t->link, FRAME_END, NULL, 0);
    terminal_screen_ready(t);
    terminal_wake(t);
    saved_write(t);
}

static int prepare(struct terminal *t, struct err *err) {
    struct terminals *ts = t->owner;
    int r = path_make_dirs(t->dir);
    if (r < 0) return err_sys(err, r, "cannot create %s", t->dir);
    (void)chmod(t->dir, 0700);
    if (strlen(t->dir) + sizeof "/keeper.sock" > PATH_BYTES)
        return err_set(err, -ENAMETOOLONG, "the state directory's path is too long");
    t->meta.started_ms = terminals_now_ms(ts);
    t->meta.epoch = MAX((uint64_t)t->meta.started_ms, t->meta.epoch + 1);
    t->meta.ended = t->meta.rested = false;
    t->meta.ended_ms = 0;
    t->meta.code = -1;
    t->meta.signal = 0;
    /* Before the keeper is there: a daemon that dies now leaves what the next one adopts it by. */
    AUTO(buf) struct buf json = BUF_INIT(META_BYTES_MAX);
    meta_write(&t->meta, &json);
    if (json.failed) return err_set(err, -EINVAL, "the command and its environment are too long");
    r = meta_save(t->dir, buf_span(&json), false);
    return r < 0 ? err_sys(err, r, "cannot write in %s", t->dir) : 0;
}

void incarnation_start(struct terminal *t, terminal_done *done, void *user) {
    t->done = done;
    t->done_user = user;
    t->resting = false;
    struct err err = {0};
    int64_t keeper = 0;
    bool busy = link_answers(t->socket, &keeper);
    if (busy && t->exit_known && t->looks++ < LAST_LOOKS) {
        terminal_set_due(t, DUE_START, LAST_LOOK_MS); /* it only waits for its last bytes to be on disk */
        return;
    }
    t->looks = 0;
    if (busy) {
        (void)err_set(&err, -EBUSY,
                      "its program still runs, in a keeper that does not answer this daemon (pid %lld)",
                      (long long)keeper);
        terminals_fail(t->owner, TAKE(t->done), user, &err);
        return;
    }
    terminal_move(t, TERMINAL_STARTING);
    int r = prepare(t, &err);
    if (r == 0) {
        const char *const shell[] = {user_shell(), NULL};
        AUTO(strv) char **env = environment(t);
        char unit[TERMINAL_ID_BYTES + 32];
        (void)snprintf(unit, sizeof unit, "ostler-%s-%llu", t->meta.id, (unsigned long long)t->meta.epoch);
        const struct launch_spec spec = {
            .keeper = t->owner->keeper,
            .unit = unit,
            .socket = t->socket,
            .directory = t->meta.cwd ? t->meta.cwd : t->meta.directory,
            .epoch = t->meta.epoch,
            .cols = t->meta.cols,
            .rows = t->meta.rows,
            .argv = t->meta.argv ? (const char *const *)t->meta.argv : shell,
            .env = (const char *const *)env,
            .umask = t->owner->options.umask,
        };
        (void)unlink(t->socket); /* a dead keeper's */
        r = launch_keeper(t->owner->loop, &spec, on_launched, t, &err);
    }
    if (r < 0)
        fail(t, &err);
    else
        t->launching = true;
}

struct resume_wait {
    struct terminals *owner;
    terminal_done *done;
    void *user;
    char **argv;
    char *typed;
};

static void on_screen_for_resume(void *user, struct terminal *t) {
    struct resume_wait *w = user;
    struct err err = {0};
    if (!t) {
        (void)err_set(&err, -ENOENT, "it was deleted");
        terminals_fail(w->owner, w->done, w->user, &err);
    } else if (t->connection == TERMINAL_LIVE || t->connection == TERMINAL_STARTING || t->done) {
        (void)err_set(&err, -EBUSY, "it is running");
        terminals_fail(t->owner, w->done, w->user, &err);
    } else if (t->owner->live >= t->owner->options.max) {
        (void)err_set(&err, -ENOSPC, "Terminal limit reached (max %u)", t->owner->options.max);
        terminals_fail(t->owner, w->done, w->user, &err);
    } else {
        if (w->argv) {
            strv_free(t->meta.argv);
            t->meta.argv = TAKE(w->argv);
        }
        (void)str_set(&t->meta.typed, span_str(w->typed));
        struct stat st;
        if (t->meta.cwd && (stat(t->meta.cwd, &st) < 0 || !S_ISDIR(st.st_mode)))
            (void)str_set(&t->meta.cwd, SPAN_NONE);
        incarnation_start(t, w->done, w->user);
    }
    strv_free(w->argv);
    free(w->typed);
    free(w);
}

void terminal_resume(struct terminal *t, const char *const *argv, struct span typed, terminal_done *done,
                     void *user) {
    struct resume_wait *w = xmalloc(sizeof *w);
    *w = (struct resume_wait){.owner = t->owner, .done = done, .user = user, .argv = strv_dup(argv)};
    (void)str_set(&w->typed, typed);
    terminal_with_screen(t, on_screen_for_resume, w);
}
