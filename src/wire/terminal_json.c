#include "wire/terminal_json.h"

#include "base/cleanup.h"

enum { LINE_BYTES_MAX = 256 << 10 }; /* a row of the widest screen with a pile of accents on each letter */

static void put_time(struct jwrite *w, const char *key, int64_t ms) {
    if (ms)
        jwrite_ki64(w, key, ms);
    else
        jwrite_knull(w, key);
}

static void put_text(struct jwrite *w, const char *key, const char *text) {
    jwrite_kcstr(w, key, text ? text : "");
}

void terminal_json_exit(struct jwrite *w, const struct terminal_shape *t) {
    if (t->ended && t->exit_code >= 0)
        jwrite_ki64(w, "exitCode", t->exit_code);
    else
        jwrite_knull(w, "exitCode");
    jwrite_kcstr(w, "signal", t->ended ? t->signal : NULL);
}

void terminal_json(struct jwrite *w, const struct terminal_shape *t) {
    jwrite_object(w);
    jwrite_kcstr(w, "terminalId", t->id);
    jwrite_kcstr(w, "sessionId", t->session_id);
    jwrite_kcstr(w, "id", t->card_id);
    jwrite_kcstr(w, "workerId", t->worker_id);
    jwrite_kcstr(w, "host", "localhost");
    put_text(w, "workingDir", t->working_dir);
    put_text(w, "command", t->command);
    jwrite_ki64(w, "createdAt", t->created_ms);
    put_text(w, "label", t->label);
    put_text(w, "title", t->title);
    jwrite_kcstr(w, "kind", t->kind);
    jwrite_kcstr(w, "connection", t->connection);
    jwrite_ku64(w, "epoch", t->epoch);
    put_time(w, "startedAt", t->started_ms);
    put_time(w, "lastOutputAt", t->output_ms);
    put_time(w, "endedAt", t->ended_ms);
    jwrite_ki64(w, "uptimeMs", t->uptime_ms);
    jwrite_ku64(w, "cols", t->cols);
    jwrite_ku64(w, "rows", t->rows);
    jwrite_ku64(w, "viewers", t->viewers);
    put_time(w, "pid", t->pid);
    terminal_json_exit(w, t);
    jwrite_kstr(w, "screenTitle", t->screen_title);
    put_text(w, "directory", t->directory);
    jwrite_ku64(w, "bytes", t->bytes);
    jwrite_kcstr(w, "trouble", t->trouble);
    put_time(w, "restsAt", t->rests_ms);
    jwrite_kcstr(w, "lost", t->lost);
    jwrite_object_end(w);
}

static void put_lines(struct jwrite *w, const char *key, const struct screen_shape *s, int first, int end) {
    AUTO(buf) struct buf line = BUF_INIT(LINE_BYTES_MAX);
    jwrite_key(w, key);
    jwrite_array(w);
    for (int row = first; row < end; row++) {
        buf_clear(&line);
        s->line(s->user, row, &line);
        jwrite_str(w, buf_span(&line));
    }
    jwrite_array_end(w);
}

void terminal_json_screen(struct jwrite *w, const struct screen_shape *s) {
    jwrite_ku64(w, "cols", s->cols);
    jwrite_ku64(w, "rows", s->rows);
    jwrite_key(w, "cursor");
    jwrite_object(w);
    jwrite_ku64(w, "col", s->cursor_col);
    jwrite_ku64(w, "row", s->cursor_row);
    jwrite_kbool(w, "visible", s->cursor_visible);
    jwrite_object_end(w);
    put_lines(w, "lines", s, 0, (int)s->rows);
    if (s->scrollback) put_lines(w, "scrollback", s, -(int)s->scrollback, 0);
}

void terminal_json_usage(struct jwrite *w, const struct terminal_usage *u) {
    const struct terminal_shape *t = u->terminal;
    jwrite_object(w);
    jwrite_kcstr(w, "terminalId", t->id);
    jwrite_kcstr(w, "sessionId", t->session_id);
    jwrite_ku64(w, "clients", t->viewers);
    jwrite_ku64(w, "bufferLines", u->buffer_lines);
    jwrite_ki64(w, "uptime", t->uptime_ms);
    jwrite_ki64(w, "lastActivity", u->quiet_ms);
    jwrite_kcstr(w, "connection", t->connection);
    jwrite_key(w, "cpuPercent");
    jwrite_double(w, u->cpu_percent);
    jwrite_ku64(w, "memoryBytes", u->memory_bytes);
    jwrite_ku64(w, "processes", u->processes);
    jwrite_object_end(w);
}

/* Messages */

static struct jwrite begin(struct buf *out, const char *type, struct span id) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", type);
    jwrite_kstr(&w, "terminalId", id);
    return w;
}

void terminal_msg_ready(struct buf *out, const char *id) {
    struct jwrite w = begin(out, "terminal_ready", span_str(id));
    jwrite_object_end(&w);
}

static void put_base64(struct buf *out, struct span bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = (bytes.n + 2) / 3 * 4;
    char *p = buf_reserve(out, n);
    if (!p) return;
    const unsigned char *b = (const unsigned char *)bytes.p;
    size_t left = bytes.n;
    for (; left >= 3; left -= 3, b += 3) {
        *p++ = digits[b[0] >> 2];
        *p++ = digits[(b[0] & 3) << 4 | b[1] >> 4];
        *p++ = digits[(b[1] & 15) << 2 | b[2] >> 6];
        *p++ = digits[b[2] & 63];
    }
    if (left) {
        unsigned second = left == 2 ? b[1] : 0;
        *p++ = digits[b[0] >> 2];
        *p++ = digits[(b[0] & 3) << 4 | second >> 4];
        *p++ = left == 2 ? digits[(second & 15) << 2] : '=';
        *p++ = '=';
    }
    buf_grew(out, n);
}

void terminal_msg_output(struct buf *out, const char *id, struct span bytes) {
    struct jwrite w = begin(out, "terminal_output", span_str(id));
    jwrite_key(&w, "data");
    (void)buf_append_char(out, '"');
    put_base64(out, bytes);
    (void)buf_append_char(out, '"');
    jwrite_object_end(&w);
}

void terminal_msg_closed(struct buf *out, struct span id, const char *reason) {
    struct jwrite w = begin(out, "terminal_closed", id);
    jwrite_kcstr(&w, "reason", reason);
    jwrite_object_end(&w);
}

void terminal_msg_state(struct buf *out, const struct terminal_shape *t) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", "terminal_state");
    jwrite_key(&w, "terminal");
    terminal_json(&w, t);
    jwrite_object_end(&w);
}

void terminal_msg_removed(struct buf *out, const char *id) {
    struct jwrite w = begin(out, "terminal_removed", span_str(id));
    jwrite_object_end(&w);
}

void terminal_msg_screen(struct buf *out, const char *id, const struct screen_shape *s) {
    struct jwrite w = begin(out, "terminal_screen", span_str(id));
    terminal_json_screen(&w, s);
    jwrite_object_end(&w);
}
