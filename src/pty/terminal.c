/* One terminal while it lives: what its keeper says goes to the screen, the stream, the journal and who looks on. */
#define LOG_TAG "terminal"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "base/strv.h"
#include "platform/proc.h"
#include "pty/directory_uri.h"
#include "pty/rest.h"
#include "pty/terminal_int.h"

#include <errno.h>
#include <stdlib.h>

void terminal_move(struct terminal *t, enum terminal_connection to) {
    bool is_live = to == TERMINAL_LIVE || to == TERMINAL_STARTING;
    if (is_live && !t->counted) t->owner->live++;
    if (!is_live && t->counted) t->owner->live--;
    t->counted = is_live;
    if (!is_live) t->pid = 0;
    t->connection = to;
}

void terminal_wake(struct terminal *t) {
    if (!t->has_stream) return;
    list_for_each(pos, &t->stream.viewers) {
        struct terminal_viewer *v =
            CONTAINER_OF(list_entry(pos, struct stream_viewer, in_stream), struct terminal_viewer, cursor);
        v->wake(v->user);
    }
}

/* What the screen says */

static void on_reply(void *user, struct span bytes) {
    struct terminal *t = user;
    (void)buf_append_span(&t->owner->replies, bytes);
}

static void on_title(void *user, struct span title UNUSED) {
    terminal_set_due(user, DUE_TELL, PAINT_MS);
}

static void set_directory(struct terminal *t, struct span path) {
    if (!str_set(&t->meta.cwd, path)) return;
    terminal_set_due(t, DUE_TELL, 1);
    terminal_set_due(t, DUE_SAVE, SAVE_MS);
}

static void on_directory(void *user, struct span uri) {
    char path[PATH_BYTES];
    if (directory_uri_path(uri, path)) set_directory(user, span_str(path));
}

static void on_command(void *user, struct span text) {
    struct terminal *t = user;
    text = span_trim(text);
    if (!text.n) return;
    AUTO(free) char *masked = str_dup(text);
    redact_text(t->owner->options.redact, masked, text.n);
    size_t n = strv_count((const char *const *)t->meta.commands);
    if (n == TERMINAL_COMMANDS_MAX) {
        free(t->meta.commands[0]);
        memmove(t->meta.commands, t->meta.commands + 1, n * sizeof *t->meta.commands);
    }
    strv_push(&t->meta.commands, span_str(masked));
    terminal_set_due(t, DUE_SAVE, SAVE_MS);
}

const struct vt_ops terminal_vt_ops = {
    .reply = on_reply, .title = on_title, .directory = on_directory, .command = on_command};

/* What the keeper says */

static void feed_screen(struct terminal *t, uint64_t offset, struct span bytes) {
    /* Queries that an earlier daemon answered are not answered again. */
    size_t before = t->answered > offset ? MIN(bytes.n, (size_t)(t->answered - offset)) : 0;
    if (before) {
        vt_set_answering(t->vt, false);
        vt_feed(t->vt, bytes.p, before);
    }
    vt_set_answering(t->vt, true);
    if (before == bytes.n) return;
    vt_feed(t->vt, bytes.p + before, bytes.n - before);
    struct buf *replies = &t->owner->replies;
    if (replies->n) (void)link_input(t->link, offset + bytes.n, buf_span(replies));
    buf_clear(replies);
}

void terminal_caught_up(struct terminal *t) {
    if (!t->catching_up) return;
    t->catching_up = false;
    terminal_screen_ready(t);
}

static void on_output(void *user, uint64_t offset, struct span bytes) {
    struct terminal *t = user;
    if (t->deleted) { /* nobody wants it any more, but it has to come to its end */
        t->written = offset + bytes.n;
        credit_acknowledge(t);
        return;
    }
    if (offset > t->stream.newest) return; /* the keeper tells gaps */
    bytes = span_skip(bytes, (size_t)(t->stream.newest - offset));
    if (!bytes.n) return;
    offset = t->stream.newest;
    t->meta.output_ms = terminals_now_ms(t->owner);
    rest_cancel(t);
    stream_append(&t->stream, bytes);
    feed_screen(t, offset, bytes);
    journal_append(t->journal, offset, bytes);
    credit_used(t);
    if (t->ready) {
        shell_ready_output(t->ready, bytes, t->meta.output_ms);
        t->due[DUE_READY] = 0;
        terminal_set_due(t, DUE_READY, SHELL_READY_SETTLE_MS);
    }
    if (t->stream.newest >= t->catches_up_at) terminal_caught_up(t);
    terminal_wake(t);
    terminal_set_due(t, DUE_PAINT, PAINT_MS);
    terminal_set_due(t, DUE_LOOK, LOOK_MS);
    terminal_set_due(t, DUE_DIRECTORY, DIRECTORY_MS);
    terminal_set_due(t, DUE_TELL, TELL_MS);
    terminal_set_due(t, DUE_TRIM, TRIM_MS);
}

static void on_resized(void *user, const struct frame_size *size) {
    struct terminal *t = user;
    struct vt_view view;
    vt_view(t->vt, &view);
    if (t->deleted || (size->cols == view.cols && size->rows == view.rows)) return;
    t->meta.cols = size->cols;
    t->meta.rows = size->rows;
    vt_resize(t->vt, size->cols, size->rows);
    const struct stream_mark mark = {
        .kind = STREAM_RESIZED, .offset = t->stream.newest, .cols = size->cols, .rows = size->rows};
    stream_mark(&t->stream, &mark);
    journal_resized(t->journal, t->stream.newest, size->cols, size->rows);
    terminal_wake(t);
    terminal_set_due(t, DUE_TELL, 20);
    terminal_set_due(t, DUE_PAINT, PAINT_MS);
    terminal_set_due(t, DUE_LOOK, LOOK_MS);
    terminal_set_due(t, DUE_SAVE, SAVE_MS);
}

/* Two sizes, one after the other: programs repaint when theirs has changed. */
void terminal_repaint(struct terminal *t) {
    if (!t->link) return;
    bool first = !t->repainting;
    unsigned rows = first && t->meta.rows > 1 ? t->meta.rows - 1 : t->repaint_rows;
    if (first) t->repaint_rows = t->meta.rows;
    t->repainting = first;
    const struct frame_size size = {.cols = (uint16_t)t->meta.cols, .rows = (uint16_t)rows};
    (void)link_send(t->link, FRAME_RESIZE, &size, sizeof size);
    if (first) terminal_set_due(t, DUE_REPAINT, REPAINT_MS);
}

static void on_gap(void *user, const struct frame_gap *gap) {
    struct terminal *t = user;
    if (t->deleted || gap->to <= t->stream.newest) return;
    log_warn("%s printed more than could be kept until this daemon took it: %llu bytes are lost", t->meta.id,
             (unsigned long long)(gap->to - t->stream.newest));
    const struct stream_mark mark = {.kind = STREAM_GAP, .offset = t->stream.newest, .to = gap->to};
    journal_gap(t->journal, t->stream.newest, gap->to);
    stream_mark(&t->stream, &mark);
    vt_gap(t->vt);
    credit_used(t);
    if (t->stream.newest >= t->catches_up_at) terminal_caught_up(t);
    terminal_wake(t);
    terminal_set_due(t, DUE_REPAINT, REPAINT_MS);
}

static void on_welcome(void *user, const struct frame_welcome *w) {
    struct terminal *t = user;
    struct terminals *ts = t->owner;
    t->welcomed = true;
    t->pid = w->child_pid;
    t->pid_start = w->child_start;
    t->answered = w->answered;
    t->meta.epoch = w->epoch;
    if (w->output_ms) t->meta.output_ms = w->output_ms;
    if (t->deleted) return;
    if (t->told_to_end) terminal_end(t); /* while nobody could be told */
    terminal_move(t, TERMINAL_LIVE);
    rest_consider(t);
    ts->ops->started(ts->user, t);
    if (t->catching_up && !t->has_past && w->acknowledged && !t->meta.lost)
        terminal_lose(
            t, "its journal is not there any more: of what it printed there is what its keeper still held");
    t->catches_up_at = w->newest;
    if (t->stream.newest >= w->newest) terminal_caught_up(t);
    terminal_done *done = TAKE(t->done);
    if (done) done(t->done_user, t, 0, NULL);
    terminal_tell(t);
}

static void let_journal_rest(struct terminal *t) {
    if (t->connection == TERMINAL_LIVE || t->connection == TERMINAL_STARTING || !t->journal || t->link)
        return;
    journal_close(TAKE(t->journal), NULL, NULL);
}

/* Once it is on disk what it printed and how it ended, the keeper may go. */
void terminal_release(struct terminal *t) {
    bool kept = t->exit_saved && t->written >= t->stream.newest;
    if (!t->link || !t->exit_known || (!t->deleted && !kept)) return;
    (void)link_send(t->link, FRAME_RELEASE, NULL, 0);
    link_close(TAKE(t->link));
    let_journal_rest(t);
}

void terminal_lost(struct terminal *t, int code, int signal, int64_t at_ms) {
    struct terminals *ts = t->owner;
    t->meta.ended = true;
    t->meta.rested = t->resting;
    t->meta.ended_ms = at_ms;
    t->meta.code = code;
    t->meta.signal = signal;
    t->guests = 0;
    credit_forget(t);
    (void)str_set(&t->meta.typed, SPAN_NONE);
    free(TAKE(t->ready));
    terminal_move(t, t->resting ? TERMINAL_RESTORED : TERMINAL_ENDED);
    terminal_caught_up(t);
    if (t->deleted) {
        terminal_settle(t);
        return;
    }
    const struct stream_mark mark = {
        .kind = STREAM_EXITED, .offset = t->stream.newest, .code = code, .signal = signal};
    stream_mark(&t->stream, &mark);
    if (t->journal) journal_exited(t->journal, t->stream.newest, code, signal, at_ms);
    terminal_wake(t);
    saved_write(t);
    terminal_set_due(t, DUE_UNLOAD, UNLOAD_MS);
    ts->ops->painted(ts->user, t);
    ts->ops->shown(ts->user, t);
    ts->ops->gone(ts->user, t);
    terminal_done *done = TAKE(t->done);
    if (done) done(t->done_user, t, 0, NULL); /* it came to life, however shortly */
    terminal_tell(t);
}

static void on_exited(void *user, const struct frame_exit *e) {
    struct terminal *t = user;
    t->exit_known = true;
    t->exit_saved = false;
    if (t->ready) shell_ready_exited(t->ready);
    terminal_lost(t, e->code, e->signal, e->at_ms);
}

static void on_guests(void *user, unsigned count) {
    struct terminal *t = user;
    t->guests = count;
    rest_put_off(t);
    terminal_set_due(t, DUE_TELL, 20);
}

/* Its keeper lives and does not talk to us: what it keeps is left alone, and people are told. */
static void stand_aside(struct terminal *t, const char *why) {
    credit_forget(t);
    (void)str_set(&t->trouble, span_str(why));
    terminal_move(t, TERMINAL_RESTORED);
    terminal_caught_up(t);
    if (t->done) {
        struct err err = {0};
        (void)err_set(&err, -EPROTO, "%s", why);
        terminals_fail(t->owner, TAKE(t->done), t->done_user, &err);
    }
    let_journal_rest(t);
    terminal_tell(t);
}

static void on_lost(void *user, const char *why) {
    struct terminal *t = user;
    t->link = NULL; /* closed by itself */
    if (t->exit_known) {
        let_journal_rest(t);
        terminal_settle(t);
        return;
    }
    if (!t->deleted) log_warn("%s: %s", t->meta.id, why);
    int64_t keeper = 0;
    if (!t->welcomed && !t->deleted && link_answers(t->socket, &keeper)) {
        stand_aside(t, why);
        return;
    }
    if (!t->welcomed && t->done) {
        struct err err = {0};
        (void)err_set(&err, -EPROTO, "%s", why);
        terminals_fail(t->owner, TAKE(t->done), t->done_user, &err);
    }
    terminal_lost(t, -1, 0, terminals_now_ms(t->owner));
    let_journal_rest(t);
}

const struct link_ops terminal_link_ops = {
    .welcome = on_welcome,
    .output = on_output,
    .resized = on_resized,
    .gap = on_gap,
    .exited = on_exited,
    .guests = on_guests,
    .lost = on_lost,
};

/* What the journal says */

static void on_written(void *user, uint64_t epoch, uint64_t offset) {
    struct terminal *t = user;
    if (epoch != t->meta.epoch) return;
    t->written = offset;
    credit_acknowledge(t);
    terminal_release(t);
    if (t->awaiting_written) {
        t->awaiting_written = false;
        terminal_wake(t);
    }
}

static void on_trouble(void *user, const char *why) {
    struct terminal *t = user;
    if (why) log_warn("%s: what it prints cannot be kept: %s", t->meta.id, why);
    (void)str_set(&t->trouble, span_str(why));
    terminal_set_due(t, DUE_TELL, 1);
}

const struct journal_ops terminal_journal_ops = {.written = on_written, .trouble = on_trouble};

void terminal_open_journal(struct terminal *t) {
    if (!t->journal)
        t->journal =
            journal_open(t->owner->loop, t->journal_dir, t->owner->options.redact, &terminal_journal_ops, t);
}

/* What is looked at when it has been quiet for a moment */

void terminal_look_ready(struct terminal *t) {
    if (!t->ready) return;
    int64_t now = terminals_now_ms(t->owner);
    enum shell_ready_state state = shell_ready_look(t->ready, now);
    if (state == SHELL_WAITING) {
        terminal_set_due(t, DUE_READY, (uint64_t)MAX(shell_ready_next_ms(t->ready) - now, (int64_t)1));
        return;
    }
    if (state == SHELL_TIMED_OUT)
        log_warn("%s shows no prompt; the command is typed all the same", t->meta.id);
    if (state != SHELL_GONE && t->meta.typed) (void)terminal_input(t, span_str(t->meta.typed));
    (void)str_set(&t->meta.typed, SPAN_NONE);
    free(TAKE(t->ready));
    saved_write(t);
}

void terminal_look_directory(struct terminal *t) {
    char path[PATH_BYTES];
    struct proc p;
    if (!t->pid || proc_read((pid_t)t->pid, &p) < 0 || (t->pid_start && p.start != t->pid_start)) return;
    if ((p.foreground > 0 && proc_cwd(p.foreground, path) == 0) || proc_cwd(p.pid, path) == 0)
        set_directory(t, span_str(path));
}

/* What people do */

/* That its window is looked at, and where the mouse is: nobody presses a key for it. */
static bool is_report(struct span bytes) {
    return span_eq(bytes, SPAN("\x1b[I")) || span_eq(bytes, SPAN("\x1b[O")) ||
           span_starts(bytes, SPAN("\x1b[<"));
}

int terminal_input(struct terminal *t, struct span bytes) {
    if (!t->link || t->connection != TERMINAL_LIVE) return -EPIPE;
    if (!is_report(bytes)) {
        t->typed++;
        if (t->owner->ops->typed) t->owner->ops->typed(t->owner->user, t);
    }
    return terminal_input_for(t, bytes);
}

int terminal_input_for(struct terminal *t, struct span bytes) {
    if (!t->link || t->connection != TERMINAL_LIVE) return -EPIPE;
    t->seen_ms = terminals_now_ms(t->owner);
    rest_cancel(t);
    return link_input(t->link, 0, bytes);
}

void terminal_keep(struct terminal *t) {
    rest_put_off(t);
}

int terminal_resize(struct terminal *t, unsigned cols, unsigned rows) {
    if (cols < 2 || cols > VT_COLS_MAX || rows < 1 || rows > VT_ROWS_MAX) return -EINVAL;
    if (!t->link || t->connection != TERMINAL_LIVE) return -EPIPE;
    if (cols == t->meta.cols && rows == t->meta.rows) return 0;
    const struct frame_size size = {.cols = (uint16_t)cols, .rows = (uint16_t)rows};
    return link_send(t->link, FRAME_RESIZE, &size, sizeof size);
}

void terminal_end(struct terminal *t) {
    t->told_to_end = true;
    if (t->link) (void)link_send(t->link, FRAME_END, NULL, 0);
}
