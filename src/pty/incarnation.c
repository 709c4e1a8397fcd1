/* How a terminal comes to life: its directory is made, its keeper started and connected to. The second time it goes on
 * below what the first one left on the screen. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/own.h"
#include "base/str.h"
#include "base/strv.h"
#include "pty/shell_env.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_LOOK_MS = 20, LAST_LOOKS = 250 }; /* at a keeper that is about to go */

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
    if (!environment_get(*env, "PROMPT_COMMAND")) strv_set_env(env, "PROMPT_COMMAND", "history -a");
}

/* Does it know a language? Otherwise programs would take bytes for characters, as where a system started the daemon. */
static bool has_language(char *const *env) {
    return environment_get(env, "LANG") || environment_get(env, "LC_ALL") || environment_get(env, "LC_CTYPE");
}

static char **environment(const struct terminal *t, const char *const *base, const char *directory) {
    char **env = environment_pass(base);
    strv_set_env(&env, "TERM", "xterm-256color");
    strv_set_env(&env, "COLORTERM", "truecolor");
    strv_set_env(&env, "PWD", directory);
    if (!has_language(env)) strv_set_env(&env, "LANG", "C.UTF-8");
    strv_set_env(&env, "AGENT_MANAGER_TERMINAL_ID", t->meta.id);
    strv_set_env(&env, "OSTLER_WORKER", t->meta.id);
    strv_set_env(&env, "OSTLER_TERMINAL", t->meta.id);
    strv_set_env(&env, TERMINAL_TTY, ""); /* the keeper fills these in */
    if (t->meta.marked) strv_set_env(&env, TERMINAL_MARK, "");
    add_history(&env, t);
    add_all(&env, t->meta.env);
    add_all(&env, t->secrets);
    return env;
}

/* The environment that it was given, out of its file, when an earlier daemon was given it. */
static char **saved_environment(const struct terminal *t, char *const *now) {
    AUTO(buf) struct buf bytes = BUF_INIT(ENVIRONMENT_BYTES_MAX);
    char path[PATH_BYTES];
    if (path_join(path, t->dir, "environment") < 0) return NULL;
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    if (fd < 0 || file_read_fd(fd, &bytes) < 0) return NULL;
    return environment_read(buf_span(&bytes), now);
}

/* 0 once it has an environment of its own or `*ret_base` is everybody's. -EAGAIN: that is being found out. */
static int find_environment(struct terminal *t, char *const **ret_base) {
    struct terminals *ts = t->owner;
    char *const *base = NULL;
    if (t->environment) return 0;
    int r = ts->ops->environment ? ts->ops->environment(ts->user, &base) : 0;
    if (r < 0) return r;
    *ret_base = base ? base : environ;
    t->environment = saved_environment(t, *ret_base);
    t->environment_kept = t->environment != NULL;
    return 0;
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
    int r = link_open(t->owner->loop, t->socket, &hello, &terminal_link_ops, t, &t->link, err);
    /* What an earlier daemon wrote and had no time to say: one that is killed soon has at least told this. */
    if (r == 0 && t->written) credit_acknowledge(t);
    return r;
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
    int connected = incarnation_connect(t, t->meta.epoch, 0, &why);
    if (link_error_is_passing(connected)) {
        terminal_set_due(t, DUE_CONNECT, CONNECT_AGAIN_MS);
    } else if (connected < 0) {
        fail(t, &why);
        return;
    }
    if (t->meta.typed) {
        t->ready = xrealloc(t->ready, sizeof *t->ready);
        shell_ready_init(t->ready, terminals_now_ms(ts), SHELL_READY_LOCAL_MS);
        terminal_set_due(t, DUE_READY, SHELL_READY_LOCAL_MS);
    }
    if (t->deleted && t->link) (void)link_send(t->link, FRAME_END, NULL, 0);
    terminal_screen_ready(t);
    terminal_wake(t);
    saved_write(t);
}

/* For a daemon that has to start it again; what is secret is not in it. */
static int save_environment(struct terminal *t) {
    AUTO(buf) struct buf bytes = BUF_INIT(ENVIRONMENT_BYTES_MAX);
    char path[PATH_BYTES];
    environment_write(t->environment, t->owner->options.redact, &bytes);
    if (bytes.failed) return -E2BIG;
    int r = path_join(path, t->dir, "environment");
    if (r == 0) r = file_replace(path, buf_span(&bytes), 0600, false);
    t->environment_kept = r == 0;
    return r;
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
    if (r == 0 && t->environment && !t->environment_kept) r = save_environment(t);
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
    char *const *base = NULL;
    if (find_environment(t, &base) < 0) {
        t->awaits_environment = true;
        return;
    }
    int r = prepare(t, &err);
    if (r == 0) {
        const char *directory = t->meta.cwd ? t->meta.cwd : t->meta.directory;
        const char *const *whole = (const char *const *)(t->environment ? t->environment : base);
        AUTO(strv) char **env = environment(t, whole, directory);
        char path[PATH_BYTES];
        shell_find(env, path);
        const char *const shell[] = {path, NULL};
        char unit[TERMINAL_ID_BYTES + 32];
        (void)snprintf(unit, sizeof unit, "ostler-%s-%llu", t->meta.id, (unsigned long long)t->meta.epoch);
        const struct launch_spec spec = {
            .keeper = t->owner->keeper,
            .unit = unit,
            .socket = t->socket,
            .directory = directory,
            .epoch = t->meta.epoch,
            .cols = t->meta.cols,
            .rows = t->meta.rows,
            .argv = t->meta.argv ? (const char *const *)t->meta.argv : shell,
            .env = (const char *const *)env,
            .pid_variable = t->meta.marked ? TERMINAL_MARK : NULL,
            .tty_variable = TERMINAL_TTY,
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
    bool marked;
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
            t->meta.marked = w->marked;
        }
        struct stat st;
        if (t->meta.cwd && (stat(t->meta.cwd, &st) < 0 || !S_ISDIR(st.st_mode)))
            (void)str_set(&t->meta.cwd, SPAN_NONE);
        incarnation_start(t, w->done, w->user);
    }
    strv_free(w->argv);
    free(w);
}

void terminal_resume(struct terminal *t, const char *const *argv, bool marked, terminal_done *done,
                     void *user) {
    struct resume_wait *w = xmalloc(sizeof *w);
    *w = (struct resume_wait){
        .owner = t->owner, .done = done, .user = user, .argv = strv_dup(argv), .marked = marked};
    t->told_to_end = false; /* that was the one before */
    terminal_with_screen(t, on_screen_for_resume, w);
}
