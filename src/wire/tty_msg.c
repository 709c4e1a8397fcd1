#include "wire/tty_msg.h"

#include "base/jscan.h"

#include <errno.h>

enum { DEPTH_MAX = 8, SIZE_MAX_CELLS = 1000 };

static char *put_le(char *p, uint64_t v, size_t bytes) {
    for (size_t i = 0; i < bytes; i++, v >>= 8)
        *p++ = (char)(v & 0xff);
    return p;
}

void tty_msg_head(char ret[TTY_HEAD_BYTES], enum tty_kind kind, unsigned cols, unsigned rows, uint64_t epoch,
                  uint64_t offset) {
    char *p = put_le(ret, kind, 2);
    p = put_le(p, cols, 2);
    p = put_le(p, rows, 4);
    p = put_le(p, epoch, 8);
    (void)put_le(p, offset, 8);
}

static struct jwrite begin(struct buf *out, const char *type) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", type);
    return w;
}

void tty_msg_hello(struct buf *out, const struct terminal_shape *t) {
    struct jwrite w = begin(out, "hello");
    jwrite_kcstr(&w, "terminalId", t->id);
    jwrite_ku64(&w, "epoch", t->epoch);
    jwrite_ku64(&w, "offset", t->bytes);
    jwrite_ku64(&w, "cols", t->cols);
    jwrite_ku64(&w, "rows", t->rows);
    jwrite_kcstr(&w, "connection", t->connection);
    jwrite_kbool(&w, "readOnly", false);
    terminal_json_exit(&w, t);
    jwrite_object_end(&w);
}

void tty_msg_resized(struct buf *out, uint64_t offset, unsigned cols, unsigned rows) {
    struct jwrite w = begin(out, "resized");
    jwrite_ku64(&w, "offset", offset);
    jwrite_ku64(&w, "cols", cols);
    jwrite_ku64(&w, "rows", rows);
    jwrite_object_end(&w);
}

void tty_msg_gap(struct buf *out, uint64_t from, uint64_t to) {
    struct jwrite w = begin(out, "gap");
    jwrite_ku64(&w, "from", from);
    jwrite_ku64(&w, "to", to);
    jwrite_object_end(&w);
}

void tty_msg_epoch(struct buf *out, uint64_t epoch) {
    struct jwrite w = begin(out, "epoch");
    jwrite_ku64(&w, "epoch", epoch);
    jwrite_object_end(&w);
}

void tty_msg_state(struct buf *out, const struct terminal_shape *t) {
    struct jwrite w = begin(out, "state");
    jwrite_key(&w, "terminal");
    terminal_json(&w, t);
    jwrite_object_end(&w);
}

void tty_msg_deleted(struct buf *out) {
    struct jwrite w = begin(out, "deleted");
    jwrite_object_end(&w);
}

void tty_msg_text(struct buf *out, const char *type, struct span text, uint64_t start, uint64_t offset,
                  uint64_t epoch) {
    struct jwrite w = begin(out, type);
    jwrite_kstr(&w, "data", text);
    jwrite_ku64(&w, "startOffset", start);
    jwrite_ku64(&w, "offset", offset);
    jwrite_ku64(&w, "epoch", epoch);
    jwrite_object_end(&w);
}

void tty_msg_exit(struct buf *out, int code, const char *signal) {
    struct jwrite w = begin(out, "exit");
    if (code >= 0)
        jwrite_ki64(&w, "exitCode", code);
    else
        jwrite_knull(&w, "exitCode");
    jwrite_kcstr(&w, "signal", signal);
    jwrite_object_end(&w);
}

void tty_msg_activity(struct buf *out, const char *state) {
    struct jwrite w = begin(out, "activity");
    jwrite_kcstr(&w, "state", state);
    jwrite_object_end(&w);
}

void tty_msg_error(struct buf *out, const char *code, const char *sentence) {
    struct jwrite w = begin(out, "error");
    jwrite_kcstr(&w, "code", code);
    jwrite_kcstr(&w, "message", sentence);
    jwrite_object_end(&w);
}

/* Requests */

enum member { M_TYPE, M_DATA, M_COLS, M_ROWS, M_OFFSET, M_FROM, M_N_ };

static int read_input(const struct jmember *m, struct arena *arena, struct tty_request *req,
                      struct err *err) {
    if (jscan_kind(m[M_DATA].value) != JKIND_STRING || jscan_string(m[M_DATA].value, arena, &req->data) < 0)
        return err_set(err, -EINVAL, "data must be a string");
    if (req->data.n > TTY_INPUT_MAX)
        return err_set(err, -EMSGSIZE, "an input may have %d bytes at most: send it in pieces",
                       TTY_INPUT_MAX);
    return 0;
}

static int read_size(const struct jmember *m, struct tty_request *req, struct err *err) {
    int64_t cols, rows;
    if (!jscan_i64(m[M_COLS].value, &cols) || !jscan_i64(m[M_ROWS].value, &rows) || cols < 1 || rows < 1 ||
        cols > SIZE_MAX_CELLS || rows > SIZE_MAX_CELLS)
        return err_set(err, -EINVAL, "cols and rows must be integers between 1 and %d", SIZE_MAX_CELLS);
    req->cols = (unsigned)cols;
    req->rows = (unsigned)rows;
    return 0;
}

/* An offset that may be absent. */
static int read_offset(const struct jmember *m, bool required, struct tty_request *req, struct err *err) {
    int64_t offset;
    enum jkind kind = jscan_kind(m->value);
    if (!required && (kind == JKIND_NONE || kind == JKIND_NULL)) return 0;
    if (!jscan_i64(m->value, &offset) || offset < 0)
        return err_set(err, -EINVAL, "%.*s must be an integer, 0 or more", SPAN_ARG(m->name));
    req->offset = (uint64_t)offset;
    req->has_offset = true;
    return 0;
}

int tty_request_parse(struct span message, struct arena *arena, struct tty_request *ret, struct err *err) {
    static const struct {
        struct span name;
        enum tty_request_type type;
    } types[] = {{SPAN("input"), TTY_INPUT},
                 {SPAN("resize"), TTY_RESIZE},
                 {SPAN("ack"), TTY_ACK},
                 {SPAN("request-history"), TTY_HISTORY},
                 {SPAN("image"), TTY_IMAGE}};
    struct jmember m[M_N_] = {
        [M_TYPE] = JMEMBER("type"), [M_DATA] = JMEMBER("data"),     [M_COLS] = JMEMBER("cols"),
        [M_ROWS] = JMEMBER("rows"), [M_OFFSET] = JMEMBER("offset"), [M_FROM] = JMEMBER("fromOffset"),
    };
    struct span type;
    if (jvalid(message, DEPTH_MAX) < 0 || jscan_object(message, m, M_N_) < 0)
        return err_set(err, -EINVAL, "a message must be one JSON object");
    if (jscan_string(m[M_TYPE].value, arena, &type) < 0)
        return err_set(err, -EINVAL, "a message needs a type");
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (!span_eq(type, types[i].name)) continue;
        struct tty_request req = {.type = types[i].type};
        int r = 0;
        switch (req.type) {
        case TTY_INPUT: r = read_input(m, arena, &req, err); break;
        case TTY_RESIZE: r = read_size(m, &req, err); break;
        case TTY_ACK: r = read_offset(&m[M_OFFSET], true, &req, err); break;
        case TTY_HISTORY: r = read_offset(&m[M_FROM], false, &req, err); break;
        case TTY_IMAGE: break;
        }
        if (r == 0) *ret = req;
        return r;
    }
    return err_set(err, -EINVAL, "unknown message type: %.*s", (int)MIN(type.n, (size_t)64), type.p);
}
