/*
 * Terminals of earlier daemons. Each has a directory with what is known of it. Where its keeper answers, it is caught up with:
 * the screen from the journal, the rest from the keeper's ring. Where none does, the machine went down, and the terminal can
 * be brought back. A directory without that knowledge was being deleted.
 */
#define LOG_TAG "terminal"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/strv.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

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
    struct err err = {0};
    if (incarnation_connect(t, t->meta.epoch, t->stream.newest, &err) < 0) {
        journal_close(TAKE(t->journal), NULL, NULL);
        restore(t);
        return;
    }
    if (!t->meta.typed) return;
    t->ready = xcalloc(1, sizeof *t->ready);
    shell_ready_init(t->ready, terminals_now_ms(t->owner), SHELL_READY_LOCAL_MS);
    terminal_set_due(t, DUE_READY, SHELL_READY_LOCAL_MS);
}

static void adopt(struct terminals *ts, const char *name) {
    char dir[PATH_BYTES], socket[PATH_BYTES];
    if (path_join(dir, ts->dir, name) < 0 || path_join(socket, dir, "keeper.sock") < 0) return;
    struct meta meta = {0};
    struct err err = {0};
    int64_t keeper = 0;
    int r = meta_load(dir, &meta, &err);
    if (r == -ENOENT) { /* its deletion was begun */
        if (link_answers(socket, &keeper) && keeper > 1) (void)kill((pid_t)keeper, SIGTERM);
        saved_remove(ts, dir);
        return;
    }
    if (r < 0 || strcmp(meta.id, name) != 0) {
        log_warn("%s is left alone: %s", dir, r < 0 ? err.msg : "it is another terminal's");
        meta_fini(&meta);
        return;
    }
    struct terminal *t = terminal_new(ts, &meta);
    if (!link_answers(socket, &keeper)) {
        restore(t);
        return;
    }
    terminal_move(t, TERMINAL_STARTING);
    t->catching_up = true;
    saved_load(t, catch_up);
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
    if (!names) return;
    size_t n = strv_count((const char *const *)names);
    qsort(names, n, sizeof *names, by_name); /* the names begin with the time */
    for (size_t i = 0; i < n; i++)
        adopt(ts, names[i]);
}
