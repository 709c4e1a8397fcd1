/* Through the daemon: the socket of a terminal, subprotocol ostler.tty.v1 (docs/protocol.md). */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "cli/client.h"
#include "cli/tap.h"
#include "net/ws_client.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/socket.h>

enum {
    MESSAGE_MAX = 64 << 20, /* a screen with all its scrollback */
    READ_BYTES = 64 << 10,
    ACK_BYTES = 64 << 10,
    CLOSE_NORMAL = 1000,
};

enum { KIND_OUTPUT = 1, KIND_SCREEN = 2 };

/* Before the bytes of a binary message, little-endian. */
struct head {
    uint8_t kind, zero;
    uint16_t cols, rows, reserved;
    uint64_t epoch, offset;
};
static_assert(sizeof(struct head) == 24, "wire format");

struct tap_daemon {
    struct tap tap;
    const struct tap_events *events;
    void *user;
    struct daemon_info daemon;
    char *terminal;
    struct ws_client *ws;
    uint64_t acked;
    unsigned cols, rows; /* wished for before it was open; 0: none */
    bool restored;       /* it has a screen, and no program */
    int over;            /* what tap_ready() fails with, and why */
    struct err why;
};

static void end_with(struct tap_daemon *d, int r, struct span why) {
    if (d->over) return;
    AUTO(arena) struct arena arena = ARENA_INIT(4096);
    struct span text;
    if (jscan_string(why, &arena, &text) < 0) text = why;
    d->over = err_set(&d->why, r, "%.*s", SPAN_ARG(text));
}

static void on_binary(struct tap_daemon *d, struct span message) {
    struct head head;
    if (message.n < sizeof head) return;
    memcpy(&head, message.p, sizeof head);
    struct span bytes = span_skip(message, sizeof head);
    if (head.kind == KIND_OUTPUT) d->events->output(d->user, head.epoch, head.offset, bytes);
    if (head.kind == KIND_SCREEN) {
        d->acked = head.offset;
        d->events->screen(d->user, &(struct tap_screen){.epoch = head.epoch,
                                                        .offset = head.offset,
                                                        .cols = head.cols,
                                                        .rows = head.rows,
                                                        .bytes = bytes});
        if (d->restored)
            end_with(
                d, -ECONNREFUSED,
                SPAN("its program went down with the machine, or was put to rest: resume it on the board"));
    }
}

static void on_resized(struct tap_daemon *d, struct span cols, struct span rows) {
    int64_t c, r;
    if (jscan_i64(cols, &c) && jscan_i64(rows, &r) && c > 0 && r > 0 && c <= UINT16_MAX && r <= UINT16_MAX)
        d->events->resized(d->user, (unsigned)c, (unsigned)r);
}

/* What was sent was not taken, but the next may be. */
static bool is_passing(struct span code) {
    return span_eq(code, SPAN("\"BUSY\"")) || span_eq(code, SPAN("\"INPUT_FAILED\"")) ||
           span_eq(code, SPAN("\"BAD_SIZE\""));
}

static void on_text(struct tap_daemon *d, struct span message) {
    struct jmember m[] = {JMEMBER("type"),   JMEMBER("cols"),    JMEMBER("rows"), JMEMBER("exitCode"),
                          JMEMBER("signal"), JMEMBER("message"), JMEMBER("code"), JMEMBER("connection")};
    AUTO(arena) struct arena arena = ARENA_INIT(4096);
    struct span type;
    if (jscan_object(message, m, ARRAY_LEN(m)) < 1 || jscan_string(m[0].value, &arena, &type) < 0) return;
    if (span_eq(type, SPAN("resized"))) on_resized(d, m[1].value, m[2].value);
    if (span_eq(type, SPAN("gap"))) d->events->gap(d->user);
    if (span_eq(type, SPAN("exit"))) d->events->exited(d->user, ending_read(m[3].value, m[4].value));
    if (span_eq(type, SPAN("deleted"))) end_with(d, -ECONNREFUSED, SPAN("it was deleted"));
    if (span_eq(type, SPAN("error")) && !is_passing(m[6].value)) end_with(d, -ECONNREFUSED, m[5].value);
    d->restored |= span_eq(type, SPAN("hello")) && span_eq(m[7].value, SPAN("\"restored\""));
}

static void on_message(void *user, struct span message, bool binary) {
    (binary ? on_binary : on_text)(user, message);
}

static int send_size(struct tap_daemon *d, unsigned cols, unsigned rows) {
    AUTO(buf) struct buf text = BUF_INIT(128);
    (void)buf_printf(&text, "{\"type\":\"resize\",\"cols\":%u,\"rows\":%u}", cols, rows);
    return ws_client_send(d->ws, buf_span(&text), false);
}

static void on_opened(void *user) {
    struct tap_daemon *d = user;
    if (d->cols) (void)send_size(d, d->cols, d->rows);
}

static const struct ws_client_events ws_events = {.opened = on_opened, .message = on_message};

/* 0, or a failure: the daemon is gone. */
static int flush(struct tap_daemon *d) {
    struct buf *out = ws_client_out(d->ws);
    while (out->n) {
        ssize_t n = send(d->tap.fd, out->p, out->n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN ? 0 : -errno;
        buf_consume(out, (size_t)n);
    }
    return 0;
}

static int ready(struct tap *t, short events, struct err *err) {
    struct tap_daemon *d = CONTAINER_OF(t, struct tap_daemon, tap);
    if (events & (POLLIN | POLLHUP | POLLERR)) {
        AUTO(free) char *bytes = xmalloc(READ_BYTES);
        ssize_t n = recv(t->fd, bytes, READ_BYTES, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (n <= 0) return err_set(err, -EPIPE, "the daemon is gone");
        int r = ws_client_feed(d->ws, span_of(bytes, (size_t)n), err);
        if (r < 0) return r;
    }
    if (flush(d) < 0) return err_set(err, -EPIPE, "the daemon is gone");
    if (d->over) return err_set(err, d->over, "%s", d->why.msg);
    return ws_client_ended(d->ws) ? err_set(err, -EPIPE, "the daemon has closed the connection") : 0;
}

static int input(struct tap *t, struct span bytes) {
    struct tap_daemon *d = CONTAINER_OF(t, struct tap_daemon, tap);
    if (!ws_client_is_open(d->ws)) return -ENOTCONN;
    int r = ws_client_send(d->ws, bytes, true);
    (void)flush(d);
    return r;
}

static void answer(struct tap *t UNUSED, uint64_t offset UNUSED, struct span bytes UNUSED) {
    /* the daemon does */
}

static int resize(struct tap *t, unsigned cols, unsigned rows) {
    struct tap_daemon *d = CONTAINER_OF(t, struct tap_daemon, tap);
    if (!ws_client_is_open(d->ws)) {
        d->cols = cols;
        d->rows = rows;
        return 0;
    }
    int r = send_size(d, cols, rows);
    (void)flush(d);
    return r;
}

static void shown(struct tap *t, uint64_t offset) {
    struct tap_daemon *d = CONTAINER_OF(t, struct tap_daemon, tap);
    if (offset - d->acked < ACK_BYTES || !ws_client_is_open(d->ws)) return;
    AUTO(buf) struct buf text = BUF_INIT(128);
    (void)buf_printf(&text, "{\"type\":\"ack\",\"offset\":%" PRIu64 "}", offset);
    if (ws_client_send(d->ws, buf_span(&text), false) < 0) return;
    d->acked = offset;
    (void)flush(d);
}

static int end(struct tap *t, struct err *err) {
    struct tap_daemon *d = CONTAINER_OF(t, struct tap_daemon, tap);
    AUTO(buf) struct buf path = BUF_INIT(1024), body = BUF_INIT(CLIENT_BODY_MAX);
    (void)buf_printf(&path, "/api/terminals/");
    client_path_append(&path, span_str(d->terminal));
    return client_call(&d->daemon, "DELETE", path.p, SPAN_NONE, &body, NULL, err);
}

static bool takes(const struct tap *t) {
    return ws_client_is_open(CONTAINER_OF(t, const struct tap_daemon, tap)->ws);
}

static size_t unsent(const struct tap *t) {
    return ws_client_out(CONTAINER_OF(t, struct tap_daemon, tap)->ws)->n;
}

static void close_tap(struct tap *t) {
    struct tap_daemon *d = CONTAINER_OF(t, struct tap_daemon, tap);
    ws_client_close(d->ws, CLOSE_NORMAL);
    (void)flush(d);
    (void)close(t->fd);
    ws_client_free(d->ws);
    free(d->terminal);
    free(d);
}

static const struct tap_type daemon_type = {.ready = ready,
                                            .input = input,
                                            .answer = answer,
                                            .resize = resize,
                                            .shown = shown,
                                            .end = end,
                                            .takes = takes,
                                            .unsent = unsent,
                                            .close = close_tap};

static void write_path(struct buf *path, const struct tap_target *target, const struct tap_from *from) {
    (void)buf_printf(path, "/ws/session/");
    client_path_append(path, span_str(target->session));
    (void)buf_printf(path, "/worker/");
    client_path_append(path, span_str(target->terminal));
    (void)buf_printf(path, "?exact=%d", target->exact);
    if (target->cols) (void)buf_printf(path, "&cols=%u&rows=%u", target->cols, target->rows);
    if (from) (void)buf_printf(path, "&epoch=%" PRIu64 "&offset=%" PRIu64, from->epoch, from->offset);
}

int tap_open_daemon(const struct daemon_info *daemon, const struct tap_target *target,
                    const struct tap_from *from, const struct tap_events *events, void *user,
                    struct tap **ret, struct err *err) {
    AUTO(buf) struct buf path = BUF_INIT(4096);
    write_path(&path, target, from);
    if (path.failed) return err_set(err, -ENAMETOOLONG, "the terminal's id is too long");
    int fd = client_connect(daemon, err);
    if (fd < 0) return fd;
    struct tap_daemon *d = xcalloc(1, sizeof *d);
    d->tap = (struct tap){.type = &daemon_type, .fd = fd};
    d->events = events;
    d->user = user;
    d->daemon = *daemon;
    d->terminal = xstrdup(target->terminal);
    d->acked = from ? from->offset : 0;
    d->ws = ws_client_new(daemon->port, path.p, "ostler.tty.v1", MESSAGE_MAX, &ws_events, d);
    (void)flush(d);
    *ret = &d->tap;
    return 0;
}
