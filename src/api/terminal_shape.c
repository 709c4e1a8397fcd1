#include "api/terminal_shape.h"

#include <signal.h>
#include <stdio.h>

const char *terminal_signal_name(int signal) {
    /* Real-time signals have no names; a few of them are all that ever end a program. */
    static _Thread_local char name[16];
    const char *known = signal > 0 ? sigabbrev_np(signal) : NULL;
    if (signal <= 0) return NULL;
    (void)(known ? snprintf(name, sizeof name, "SIG%s", known)
                 : snprintf(name, sizeof name, "SIG%d", signal));
    return name;
}

static bool is_over(enum terminal_connection c) {
    return c == TERMINAL_ENDED || c == TERMINAL_RESTORED;
}

void terminal_shape(struct terminal_shape *ret, const struct terminal *t, const struct state *st,
                    int64_t now_ms) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    const struct worker *w = state_find(st, span_str(f.id));
    bool over = is_over(f.connection);
    int64_t until_ms = over && f.ended_ms ? f.ended_ms : now_ms;
    *ret = (struct terminal_shape){
        .id = f.id,
        .session_id = w ? session_wire_id(w->session) : NULL,
        .card_id = w ? w->session->id : NULL,
        .worker_id = w ? w->id : NULL,
        .working_dir = w && w->session->project_path ? w->session->project_path : f.directory,
        .directory = f.directory,
        .command = f.command,
        .label = w ? w->session->label : f.label,
        .title = w ? w->session->title : f.title,
        .kind = terminal_kind_to_str(f.kind),
        .connection = terminal_connection_to_str(f.connection),
        .screen_title = f.screen_title,
        .epoch = f.epoch,
        .bytes = f.offset,
        .created_ms = f.created_ms,
        .started_ms = f.started_ms,
        .output_ms = f.output_ms,
        .ended_ms = over ? f.ended_ms : 0,
        .uptime_ms = f.started_ms ? MAX(until_ms - f.started_ms, (int64_t)0) : 0,
        .pid = f.pid,
        .cols = f.cols,
        .rows = f.rows,
        .viewers = f.viewers,
        .ended = f.connection == TERMINAL_ENDED,
        .exit_code = f.code,
        .signal = terminal_signal_name(f.signal),
        .trouble = f.trouble,
        .rests_ms = f.rests_ms,
        .lost = f.lost,
    };
}

static void put_row(const void *user, int row, struct buf *out) {
    vt_row_text(user, row, out);
}

void terminal_screen_shape(struct screen_shape *ret, const struct vt *vt, unsigned scrollback) {
    struct vt_view v;
    vt_view(vt, &v);
    *ret = (struct screen_shape){
        .cols = v.cols,
        .rows = v.rows,
        .cursor_col = MIN(v.cursor_col, v.cols - 1),
        .cursor_row = v.cursor_row,
        .cursor_visible = v.cursor_visible,
        .scrollback = MIN(scrollback, v.scrollback),
        .line = put_row,
        .user = vt,
    };
}

void terminal_made_command(struct command *ret, const struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    *ret = (struct command){
        .kind = COMMAND_TERMINAL_MADE,
        .terminal = span_str(f.id),
        .path = span_str(f.directory),
        .title = span_str(f.title),
        .label = span_str(f.label),
        .source = SPAN(TERMINAL_SOURCE),
        .value = SPAN("localhost"),
        .hosts = span_str(terminal_kind_to_str(f.kind)),
        .program = span_str(f.command),
        .pid = f.pid,
    };
}

void terminal_end_words(char ret[TERMINAL_END_BYTES], const struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    if (f.connection == TERMINAL_RESTORED)
        (void)snprintf(ret, TERMINAL_END_BYTES, "it went down with the machine, or was put to rest");
    else if (f.code >= 0)
        (void)snprintf(ret, TERMINAL_END_BYTES, "exited with %d", f.code);
    else if (f.signal > 0)
        (void)snprintf(ret, TERMINAL_END_BYTES, "killed by %s", terminal_signal_name(f.signal));
    else
        (void)snprintf(ret, TERMINAL_END_BYTES, "terminal closed");
}
