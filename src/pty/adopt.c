/*
 * Terminals of earlier daemons. Each has a directory with what is known of it. Where its keeper answers, it is caught up with:
 * the screen from the journal, the rest from the keeper's ring. Where none does, the machine went down, and the terminal can
 * be brought back. A keeper that lives is adopted whatever became of the files beside it, and what is lost is told.
 */
#define LOG_TAG "terminal"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strv.h"
#include "platform/proc.h"
#include "pty/journal_files.h"
#include "pty/salvage.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody answers for it: what it showed is there, what ran in it is not. */
static void restore(struct terminal *t) {
    bool news = !t->meta.ended;
    if (news) {
        t->meta.ended = t->meta.rested = true; /* of itself it did not end */
        t->meta.ended_ms = t->meta.output_ms ? t->meta.output_ms : t->meta.started_ms;
        t->meta.code = -1;
        t->meta.signal = 0;
    }
    terminal_move(t, t->meta.rested ? TERMINAL_RESTORED : TERMINAL_ENDED);
    terminal_caught_up(t);
    if (!news) return;
    log_info("%s went down with its machine; it can be brought back", t->meta.id);
    t->owner->ops->gone(t->owner->user, t);
    saved_write(t);
    terminal_tell(t);
}

static void catch_up(struct terminal *t) {
    bool same = t->has_past && t->stream.epoch == t->meta.epoch;
    if (t->has_past && !same) { /* the daemon died before the first byte of this incarnation was on disk */
        vt_restart(t->vt);
        stream_restart(&t->stream, t->meta.epoch);
        t->written = 0;
    }
    terminal_open_journal(t);
    if (!same) journal_begin(t->journal, t->meta.epoch, t->has_past ? NULL : t->vt);
    if (!same) journal_resized(t->journal, 0, t->meta.cols, t->meta.rows);
    adopt_connect(t);
}

void adopt_connect(struct terminal *t) {
    struct err err = {0};
    int r = incarnation_connect(t, t->meta.epoch, t->stream.newest, &err);
    if (link_error_is_passing(r)) {
        if (str_set(&t->trouble, span_str(err.msg))) log_warn("%s waits: %s", t->meta.id, err.msg);
        terminal_set_due(t, DUE_CONNECT, CONNECT_AGAIN_MS);
        return;
    }
    (void)str_set(&t->trouble, SPAN_NONE);
    if (r < 0) {
        journal_close(TAKE(t->journal), NULL, NULL);
        if (t->done) terminals_fail(t->owner, TAKE(t->done), t->done_user, &err);
        restore(t);
        return;
    }
    if (!t->meta.typed || t->ready) return;
    t->ready = xcalloc(1, sizeof *t->ready);
    shell_ready_init(t->ready, terminals_now_ms(t->owner), SHELL_READY_LOCAL_MS);
    terminal_set_due(t, DUE_READY, SHELL_READY_LOCAL_MS);
}

/* A directory of ours, and no link to one. */
static bool is_directory(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static bool has_journal(const char *dir) {
    char journal[PATH_BYTES];
    AUTO(journal_files) struct journal_files files = {0};
    return path_join(journal, dir, "journal") == 0 && journal_files_list(journal, &files) == 0 && files.n > 0;
}

static void go_on_with(struct terminal *t, bool lives) {
    if (!lives) {
        restore(t);
        return;
    }
    terminal_move(t, TERMINAL_STARTING);
    t->catching_up = true;
    saved_load(t, catch_up);
}

/* What was noted of it cannot be used: its keeper knows what matters, and otherwise there is what it showed. */
static void adopt_without_notes(struct terminals *ts, const char *dir, const char *name, bool lives,
                                pid_t keeper, int r, const char *why) {
    if (r == -ENOENT && !lives && !has_journal(dir)) { /* nothing is left of it */
        saved_remove(ts, dir);
        return;
    }
    struct meta meta = {0};
    if (r != -ENOENT) meta_put_aside(dir);
    salvage_meta(name, keeper, &meta);
    struct terminal *t = terminal_new(ts, &meta);
    terminal_lose(
        t,
        "what was noted of it is lost (%s): its title, what was added to its environment, its command lines",
        r == -ENOENT ? "meta.json is not there" : why);
    go_on_with(t, lives);
}

static void adopt(struct terminals *ts, const char *name) {
    char dir[PATH_BYTES], socket[PATH_BYTES];
    if (path_join(dir, ts->dir, name) < 0 || path_join(socket, dir, "keeper.sock") < 0 ||
        !is_directory(dir) || strlen(name) >= TERMINAL_ID_BYTES)
        return;
    struct meta meta = {0};
    struct err err = {0};
    int64_t keeper = 0;
    bool lives = link_answers(socket, &keeper);
    if (meta_forgotten(dir)) {        /* its deletion was begun */
        if (lives && !keeper) return; /* the next daemon will know whom to end */
        if (lives) (void)kill((pid_t)keeper, SIGTERM);
        saved_remove(ts, dir);
        return;
    }
    int r = meta_load(dir, &meta, &err);
    if (r == 0 && strcmp(meta.id, name) != 0) {
        meta_fini(&meta);
        r = err_set(&err, -EBADMSG, "meta.json is another terminal's");
    }
    if (r < 0) {
        adopt_without_notes(ts, dir, name, lives, (pid_t)keeper, r, err.msg);
        return;
    }
    struct terminal *t = terminal_new(ts, &meta);
    uint64_t epoch = keeper ? salvage_epoch((pid_t)keeper) : 0;
    if (epoch && epoch != t->meta.epoch) { /* a state directory out of a backup */
        terminal_lose(t, "what was noted of it is of an earlier time than its program");
        t->meta.epoch = epoch;
    }
    go_on_with(t, lives);
}

/* Keepers whose sockets nobody can reach any more, because their directories are gone or others are in their place. */

struct keeper_seen {
    pid_t pid;
    bool has_directory;
    char id[TERMINAL_ID_BYTES];
};

struct keepers_seen {
    const char *dir;
    struct keeper_seen *v;
    size_t n;
};

static int see_keeper(void *user, pid_t pid) {
    struct keepers_seen *all = user;
    struct keeper_seen seen = {.pid = pid};
    char dir[PATH_BYTES];
    if (!salvage_name(pid, all->dir, seen.id) || path_join(dir, all->dir, seen.id) < 0) return 0;
    seen.has_directory = is_directory(dir);
    all->v = xreallocarray(all->v, all->n + 1, sizeof *all->v);
    all->v[all->n++] = seen;
    return 0;
}

static void adopt_unreachable(struct terminals *ts, const struct keeper_seen *seen) {
    struct terminal *t = terminals_find(ts, span_str(seen->id));
    if (t ? t->connection == TERMINAL_STARTING : seen->has_directory) return; /* adopted, or being removed */
    if (!t) {
        struct meta meta = {0};
        salvage_meta(seen->id, seen->pid, &meta);
        t = terminal_new(ts, &meta);
        (void)path_make_dirs(t->dir);
        restore(t);
    }
    terminal_lose(
        t,
        "its program still runs, but its keeper (pid %lld) cannot be reached: its socket is gone; kill %lld ends it",
        (long long)seen->pid, (long long)seen->pid);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void terminals_adopt(struct terminals *ts) {
    AUTO(dir) DIR *d = opendir(ts->dir);
    if (!d) return;
    AUTO(strv) char **names = NULL;
    for (struct dirent *entry; (entry = readdir(d));)
        if (span_starts(span_str(entry->d_name), SPAN("term-"))) strv_push(&names, span_str(entry->d_name));
    struct keepers_seen seen = {.dir = ts->dir};
    (void)proc_each(see_keeper, &seen);
    size_t n = strv_count((const char *const *)names);
    if (names) qsort(names, n, sizeof *names, by_name); /* the names begin with the time */
    for (size_t i = 0; names && i < n; i++)
        adopt(ts, names[i]);
    for (size_t i = 0; i < seen.n; i++)
        adopt_unreachable(ts, &seen.v[i]);
    free(seen.v);
}
