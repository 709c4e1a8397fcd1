#define LOG_TAG "terminal"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strv.h"
#include "loop/doing.h"
#include "pty/rest.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>

/* The clock was set: what is quiet has been so for as long as before. */
static void move_times(struct terminals *ts, int64_t by_ms) {
    list_for_each(pos, &ts->all) {
        struct terminal *t = list_entry(pos, struct terminal, in_terminals);
        clock_step_move(&t->meta.output_ms, by_ms);
        clock_step_move(&t->seen_ms, by_ms);
        if (!t->rests_ms) continue;
        t->rests_ms += by_ms;
        terminal_set_due(t, DUE_TELL, 1);
    }
}

int64_t terminals_now_ms(struct terminals *ts) {
    int64_t by_ms, now_ms = clock_step_now_ms(&ts->step, ts->options.clock, &by_ms);
    if (by_ms) move_times(ts, by_ms);
    return now_ms;
}

/* One timer a terminal, for everything */

static void arm(struct terminal *t) {
    uint64_t next = 0, now = uv_now(t->owner->loop);
    for (size_t i = 0; i < DUE_N_; i++)
        if (t->due[i] && (!next || t->due[i] < next)) next = t->due[i];
    if (next)
        (void)uv_timer_start(&t->timer, t->timer.timer_cb, next > now ? next - now : 0, 0);
    else
        (void)uv_timer_stop(&t->timer);
}

void terminal_tell(struct terminal *t) {
    t->due[DUE_TELL] = 0;
    t->told_at = uv_now(t->owner->loop);
    if (!t->deleted) t->owner->ops->changed(t->owner->user, t);
}

static void trim_if_quiet(struct terminal *t) {
    int64_t now_ms = terminals_now_ms(t->owner), quiet = now_ms - t->meta.output_ms;
    if (quiet >= 0 && quiet < TRIM_MS)
        terminal_set_due(t, DUE_TRIM, (uint64_t)(TRIM_MS - quiet));
    else if (t->has_stream)
        stream_trim(&t->stream);
}

static void run_due(struct terminal *t, enum due due) {
    switch (due) {
    case DUE_READY: terminal_look_ready(t); break;
    case DUE_PAINT: t->owner->ops->painted(t->owner->user, t); break;
    case DUE_LOOK: t->owner->ops->shown(t->owner->user, t); break;
    case DUE_TELL: terminal_tell(t); break;
    case DUE_DIRECTORY: terminal_look_directory(t); break;
    case DUE_SAVE: saved_write(t); break;
    case DUE_REST: rest_due(t); break;
    case DUE_WAKE: terminal_wake(t); break;
    case DUE_REPAINT: terminal_repaint(t); break;
    case DUE_UNLOAD: saved_unload(t); break;
    case DUE_TRIM: trim_if_quiet(t); break;
    case DUE_LOAD:
        if (!t->loading && !t->vt) saved_load(t, t->loaded);
        break;
    case DUE_CONNECT:
        if (!t->link) adopt_connect(t);
        break;
    case DUE_START: incarnation_start(t, t->done, t->done_user); break;
    case DUE_N_: break;
    }
}

static void on_timer(uv_timer_t *timer) {
    struct terminal *t = timer->data;
    uint64_t now = uv_now(t->owner->loop);
    doing("what is due for a terminal");
    for (size_t i = 0; i < DUE_N_; i++) {
        if (!t->due[i] || t->due[i] > now) continue;
        t->due[i] = 0;
        if (!t->deleted && !t->owner->closing) run_due(t, (enum due)i);
    }
    if (!uv_is_closing((uv_handle_t *)timer)) arm(t);
}

void terminal_look_again(struct terminal *t) {
    terminal_set_due(t, DUE_LOOK, LOOK_MS);
}

void terminal_set_due(struct terminal *t, enum due due, uint64_t in_ms) {
    uint64_t at = uv_now(t->owner->loop) + MAX(in_ms, (uint64_t)1);
    if ((t->due[due] && t->due[due] <= at) || t->owner->closing) return;
    t->due[due] = at;
    arm(t);
}

void terminal_lose(struct terminal *t, const char *fmt, ...) {
    char sentence[ERR_MSG_BYTES];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(sentence, sizeof sentence, fmt, ap);
    va_end(ap);
    log_warn("%s: %s", t->meta.id, sentence);
    AUTO(free)
    char *both = t->meta.lost ? str_format("%s; %s", t->meta.lost, sentence) : str_dup(span_str(sentence));
    (void)str_set(&t->meta.lost, span_str(both));
    terminal_set_due(t, DUE_TELL, 1);
    terminal_set_due(t, DUE_SAVE, SAVE_MS);
}

/* The collection */

struct terminals *terminals_open(uv_loop_t *loop, const struct terminals_options *options,
                                 const struct terminals_ops *ops, void *user) {
    struct terminals *ts = xcalloc(1, sizeof *ts);
    *ts = (struct terminals){.loop = loop, .options = *options, .ops = ops, .user = user};
    (void)snprintf(ts->dir, sizeof ts->dir, "%s", options->dir);
    (void)snprintf(ts->keeper, sizeof ts->keeper, "%s", options->keeper);
    ts->options.dir = ts->dir;
    ts->options.keeper = ts->keeper;
    if (!ts->options.max) ts->options.max = TERMINALS_MAX;
    if (!ts->options.scrollback) ts->options.scrollback = VT_SCROLLBACK;
    list_init(&ts->all);
    list_init(&ts->going);
    credit_open(ts);
    ts->scratch = BUF_INIT(SNAPSHOT_BYTES_MAX);
    ts->replies = BUF_INIT(FRAME_DATA_MAX);
    return ts;
}

/* The caller puts it into a list. */
struct terminal *terminal_new(struct terminals *ts, struct meta *meta) {
    struct terminal *t = xcalloc(1, sizeof *t);
    t->owner = ts;
    t->meta = *meta;
    *meta = (struct meta){0};
    t->seen_ms = terminals_now_ms(ts);
    list_init(&t->waits);
    list_init(&t->in_hungry);
    list_init(&t->in_waiting);
    int r = path_join(t->dir, ts->dir, t->meta.id);
    if (r == 0) r = path_join(t->journal_dir, t->dir, "journal");
    if (r == 0)
        (void)path_join(t->socket, t->dir, "keeper.sock"); /* one that is too long is refused at its start */
    (void)uv_timer_init(ts->loop, &t->timer);
    t->timer.data = t;
    t->timer.timer_cb = on_timer;
    list_append(&ts->all, &t->in_terminals);
    (void)map_put(&ts->by_id, span_str(t->meta.id), t);
    return t;
}

static void free_terminal(struct terminal *t) {
    saved_drop_screen(t);
    meta_fini(&t->meta);
    strv_free(t->secrets);
    strv_free(t->environment);
    free(t->ready);
    free(t->trouble);
    free(t);
}

/* Going: a deleted terminal stays until nothing refers to it any more, its program and the pool included. */

static void on_timer_closed(uv_handle_t *handle) {
    struct terminal *t = handle->data;
    list_remove(&t->in_terminals);
    free_terminal(t);
}

static void on_journal_closed(void *user) {
    struct terminal *t = user;
    t->journal_closing = false;
    terminal_settle(t);
}

/* Deleted before this daemon had a connection to its keeper, or without ever getting one: that must not be left with a program
 * that nobody can reach. */
static void end_keeper(const struct terminal *t) {
    int64_t keeper = 0;
    if (!t->exit_known && link_answers(t->socket, &keeper) && keeper) (void)kill((pid_t)keeper, SIGTERM);
}

void terminal_settle(struct terminal *t) {
    if (!t->deleted || t->owner->closing) return;
    if (t->link && !t->exit_known) return; /* it was hung up on and has not ended yet */
    if (t->link) (void)link_send(t->link, FRAME_RELEASE, NULL, 0); /* its end was heard */
    link_close(TAKE(t->link));
    if (t->journal) {
        t->journal_closing = true;
        journal_close(TAKE(t->journal), on_journal_closed, t);
        return;
    }
    if (t->journal_closing || t->loading || t->saving || t->launching || t->rest_looking) return;
    if (uv_is_closing((uv_handle_t *)&t->timer)) return;
    end_keeper(t);
    saved_remove(t->owner, t->dir);
    uv_close((uv_handle_t *)&t->timer, on_timer_closed);
}

void terminals_delete(struct terminals *ts, struct span id) {
    struct terminal *t = terminals_find(ts, id);
    if (!t) return;
    (void)map_remove(&ts->by_id, id);
    list_remove(&t->in_terminals);
    list_append(&ts->going, &t->in_terminals);
    viewers_leave(t);
    credit_forget(t);
    t->deleted = true;
    terminal_move(t, TERMINAL_ENDED);
    terminal_screen_ready(t);
    if (t->done) {
        struct err err = {0};
        (void)err_set(&err, -ECANCELED, "it was deleted before it had started");
        terminals_fail(ts, TAKE(t->done), t->done_user, &err);
    }
    /* Without this file it is nobody's: whatever happens next, it does not come back. */
    saved_forget(t);
    if (t->link) (void)link_send(t->link, FRAME_END, NULL, 0);
    t->granted = UINT64_MAX;
    credit_acknowledge(t);
    terminal_settle(t);
}

void terminals_close(struct terminals *ts) {
    ts->closing = true;
    credit_close(ts);
    struct list *const lists[] = {&ts->all, &ts->going};
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        list_for_each(pos, lists[i]) {
            struct terminal *t = list_entry(pos, struct terminal, in_terminals);
            struct err err = {.code = -ECANCELED, .msg = "the daemon stops"};
            if (t->done) TAKE(t->done)(t->done_user, NULL, err.code, &err);
            terminal_screen_ready(t);
            link_close(TAKE(t->link));
            if (t->journal) journal_close(TAKE(t->journal), NULL, NULL);
            if (!uv_is_closing((uv_handle_t *)&t->timer)) uv_close((uv_handle_t *)&t->timer, NULL);
        }
}

static void free_all(struct list *list) {
    list_for_each_safe(pos, list) {
        list_remove(pos);
        free_terminal(list_entry(pos, struct terminal, in_terminals));
    }
}

void terminals_free(struct terminals *ts) {
    if (!ts) return;
    free_all(&ts->all);
    free_all(&ts->going);
    map_fini(&ts->by_id);
    buf_fini(&ts->scratch);
    buf_fini(&ts->replies);
    free(ts);
}

struct terminal *terminals_find(struct terminals *ts, struct span id) {
    return map_get(&ts->by_id, id);
}

void terminals_each(struct terminals *ts, void (*each)(void *user, struct terminal *t), void *user) {
    list_for_each_safe(pos, &ts->all)
        each(user, list_entry(pos, struct terminal, in_terminals));
}

unsigned terminals_live(const struct terminals *ts) {
    return ts->live;
}

/* Making one */

/* Who failed is told in the next turn, as who succeeds is. */
struct failure {
    uv_timer_t timer;
    terminal_done *done;
    void *user;
    struct err err;
};

static void on_failure_closed(uv_handle_t *handle) {
    free(handle->data);
}

static void on_failure(uv_timer_t *timer) {
    struct failure *f = timer->data;
    f->done(f->user, NULL, f->err.code, &f->err);
    uv_close((uv_handle_t *)timer, on_failure_closed);
}

void terminals_fail(struct terminals *ts, terminal_done *done, void *user, const struct err *err) {
    struct failure *f = xcalloc(1, sizeof *f);
    *f = (struct failure){.done = done, .user = user, .err = *err};
    (void)uv_timer_init(ts->loop, &f->timer);
    f->timer.data = f;
    (void)uv_timer_start(&f->timer, on_failure, 0, 0);
}

int terminal_new_id(char ret[TERMINAL_ID_BYTES], const struct clock *clock) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    unsigned char random[6];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return -EIO;
    int n = snprintf(ret, TERMINAL_ID_BYTES, "term-%lld-", (long long)usec_to_msec(clock_wall(clock)));
    for (size_t i = 0; i < sizeof random; i++)
        ret[(size_t)n + i] = digits[random[i] % (sizeof digits - 1)];
    ret[(size_t)n + sizeof random] = '\0';
    return 0;
}

static int check_spec(const struct terminals *ts, const struct terminal_spec *spec, struct err *err) {
    struct stat st;
    if (ts->live >= ts->options.max)
        return err_set(err, -ENOSPC, "Terminal limit reached (max %u)", ts->options.max);
    if (!spec->directory || spec->directory[0] != '/' || strlen(spec->directory) >= PATH_BYTES)
        return err_set(err, -EINVAL, "the working directory must be an absolute path");
    if (stat(spec->directory, &st) < 0)
        return err_sys(err, -EINVAL, "cannot work in %s (%s)", spec->directory, strerror(errno));
    if (!S_ISDIR(st.st_mode)) return err_set(err, -EINVAL, "%s is no directory", spec->directory);
    return 0;
}

static void fill_meta(struct terminals *ts, const struct terminal_spec *spec, struct meta *m) {
    m->kind = spec->kind;
    m->created_ms = terminals_now_ms(ts);
    m->cols = spec->cols ? MIN(MAX(spec->cols, 2U), (unsigned)VT_COLS_MAX) : TERMINAL_COLS;
    m->rows = spec->rows ? MIN(spec->rows, (unsigned)VT_ROWS_MAX) : TERMINAL_ROWS;
    m->code = -1;
    m->argv = strv_dup(spec->argv);
    m->words = strv_dup(spec->words);
    m->marked = spec->marked;
    (void)str_set(&m->directory, span_str(spec->directory));
    (void)str_set(&m->typed, spec->typed);
    (void)str_set(&m->command, spec->command);
    (void)str_set(&m->title, spec->title);
    (void)str_set(&m->label, spec->label);
}

void terminals_create(struct terminals *ts, const struct terminal_spec *spec, terminal_done *done,
                      void *user) {
    struct err err = {0};
    struct meta meta = {0};
    int r = check_spec(ts, spec, &err);
    if (r == 0 && spec->id)
        (void)snprintf(meta.id, sizeof meta.id, "%s", spec->id);
    else if (r == 0 && terminal_new_id(meta.id, ts->options.clock) < 0)
        r = err_set(&err, -EIO, "the system gives no random numbers");
    if (r < 0) {
        terminals_fail(ts, done, user, &err);
        return;
    }
    fill_meta(ts, spec, &meta);
    struct terminal *t = terminal_new(ts, &meta);
    t->secrets = strv_dup(spec->secrets);
    if (spec->environment) t->environment = environment_pass(spec->environment);
    for (size_t i = 0; spec->env && spec->env[i]; i++) {
        struct span variable = span_str(spec->env[i]);
        bool secret = environment_is_secret(ts->options.redact, variable);
        strv_push(secret ? &t->secrets : &t->meta.env, variable);
    }
    incarnation_start(t, done, user);
}

void terminals_environment_known(struct terminals *ts) {
    list_for_each_safe(pos, &ts->all) {
        struct terminal *t = list_entry(pos, struct terminal, in_terminals);
        if (!t->awaits_environment) continue;
        t->awaits_environment = false;
        incarnation_start(t, t->done, t->done_user);
    }
}

void terminal_discard(struct terminal *t) {
    terminals_delete(t->owner, span_str(t->meta.id));
}

/* What people are told */

const char *terminal_connection_to_str(enum terminal_connection c) {
    static const char *const names[] = {[TERMINAL_STARTING] = "starting",
                                        [TERMINAL_LIVE] = "live",
                                        [TERMINAL_RESTORED] = "restored",
                                        [TERMINAL_ENDED] = "ended"};
    return names[c];
}

void terminal_facts(const struct terminal *t, struct terminal_facts *ret) {
    const struct meta *m = &t->meta;
    *ret = (struct terminal_facts){
        .id = m->id,
        .kind = m->kind,
        .connection = t->connection,
        .epoch = m->epoch,
        .created_ms = m->created_ms,
        .started_ms = m->started_ms,
        .output_ms = m->output_ms,
        .ended_ms = m->ended_ms,
        .cols = m->cols,
        .rows = m->rows,
        .viewers = viewers_count(t),
        .pid = t->pid,
        .pid_start = t->pid_start,
        .told_to_end = t->told_to_end,
        .code = m->code,
        .signal = m->signal,
        .directory = m->cwd ? m->cwd : str_or_empty(m->directory),
        .command = str_or_empty(m->command),
        .title = str_or_empty(m->title),
        .label = str_or_empty(m->label),
        .words = (const char *const *)m->words,
        .screen_title = t->vt ? vt_title(t->vt) : SPAN_NONE,
        .trouble = t->trouble,
        .rests_ms = t->rests_ms,
        .lost = m->lost,
        .offset = t->has_stream ? t->stream.newest : m->bytes,
        .typed = t->typed,
    };
}

const struct vt *terminal_screen(const struct terminal *t) {
    return t->vt;
}

const char *terminal_journal(const struct terminal *t) {
    return t->journal_dir;
}

size_t terminal_commands(const struct terminal *t, const char *ret[TERMINAL_COMMANDS_MAX]) {
    size_t n = 0;
    for (; t->meta.commands && t->meta.commands[n] && n < TERMINAL_COMMANDS_MAX; n++)
        ret[n] = t->meta.commands[n];
    return n;
}
