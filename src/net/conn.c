/* One connection: reads, writes, its deadline, and its end in two steps. What the bytes mean is in http_conn.c and
 * ws_conn.c. */
#include "net/ws_conn_int.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "platform/sock.h"

#include <errno.h>

/* The close callback: nothing of the loop points here any more. */
static void on_closed(uv_handle_t *handle) {
    struct conn *c = handle->data;
    struct http_server *s = c->server;
    budget_move(&s->unread, c->unread, 0);
    ws_conn_fini(c);
    http_conn_fini(c);
    tls_stream_free(c->tls);
    out_fini(&c->out);
    door_left(c);
    free(c);
    server_conn_gone(s);
}

void conn_close(struct conn *c) {
    if (c->state == CONN_CLOSED) return;
    c->state = CONN_CLOSED;
    list_remove(&c->link);
    list_remove(&c->dirty);
    heap_remove(&c->server->deadlines, &c->timer);
    uv_close(&c->handle, on_closed);
}

/* The heap is touched only when a deadline comes nearer; one that moved away is found out when it fires. */
void conn_deadline(struct conn *c, unsigned ms) {
    struct http_server *s = c->server;
    c->deadline = server_now(s) + (usec_t)ms * USEC_PER_MSEC;
    if (c->state == CONN_WS || conn_unsent(c)) c->progress = conn_progress(c);
    if (c->timer.at && c->timer.due <= c->deadline) return;
    heap_set(&s->deadlines, &c->timer, c->deadline);
    server_arm(s);
}

void conn_no_deadline(struct conn *c) {
    c->deadline = USEC_NEVER;
}

void conn_expired(struct conn *c) {
    struct http_server *s = c->server;
    if (c->deadline > server_now(s)) {
        if (c->deadline == USEC_NEVER) {
            heap_remove(&s->deadlines, &c->timer);
        } else {
            heap_set(&s->deadlines, &c->timer, c->deadline);
        }
        return;
    }
    heap_remove(&s->deadlines, &c->timer);
    c->stepping = true;
    switch (c->state) {
    case CONN_HTTP: http_conn_expired(c); break;
    case CONN_WS: ws_conn_expired(c); break;
    case CONN_SHUT:
    case CONN_LINGER: conn_close(c); break;
    case CONN_CLOSED: break;
    }
    conn_step(c);
}

/* What goes to the socket: plain text, or what TLS made of it. */
static struct out *wire_of(struct conn *c) {
    return c->tls ? tls_stream_out(c->tls) : &c->out;
}

size_t conn_unsent(const struct conn *c) {
    return c->out.bytes + (c->tls ? tls_stream_out(c->tls)->bytes : 0);
}

/* Bytes in the kernel's own buffer have not been taken: that may be megabytes for a peer who reads nothing. */
uint64_t conn_progress(const struct conn *c) {
    uv_os_fd_t fd;
    size_t kept = uv_fileno(&c->handle, &fd) == 0 ? sock_unsent(fd) : 0;
    return c->written - uv_stream_get_write_queue_size(&c->stream) - kept;
}

static void on_written(uv_write_t *req, int status) {
    struct conn *c = req->data;
    out_landed(wire_of(c));
    if (status < 0) {
        conn_close(c);
    } else {
        conn_step(c);
    }
}

static size_t gathered(const uv_buf_t *bufs, unsigned n) {
    size_t bytes = 0;
    for (unsigned i = 0; i < n; i++)
        bytes += bufs[i].len;
    return bytes;
}

/* Fills records of TLS with what waits, as long as there is room on the wire. */
static int seal(struct conn *c) {
    struct http_server *s = c->server;
    const struct out *wire = tls_stream_out(c->tls);
    while (c->out.count && wire->bytes < NET_UNSENT_MAX && tls_stream_is_open(c->tls)) {
        struct span text = span_of(s->record, out_copy(&c->out, s->record, sizeof s->record));
        int r = tls_stream_write(c->tls, text);
        if (r < 0) return r;
        out_took(&c->out, text.n);
    }
    return 0;
}

/* Tries the socket first. What it does not take is given to the loop, in one request that holds all of it: while that
 * is in flight nothing else is written, so the order is safe, and messages are not even pulled. */
static void flush(struct conn *c) {
    struct out *wire = wire_of(c);
    uv_buf_t bufs[OUT_GATHER_MAX];
    size_t budget = NET_TURN_BYTES;
    while (wire->flying == 0) {
        if (c->state == CONN_WS) ws_conn_pull(c);
        if (c->tls && seal(c) < 0) return conn_close(c);
        if (c->out.failed || wire->failed) return conn_close(c);
        unsigned n = out_gather(wire, bufs);
        if (n == 0) return;
        int took = budget ? uv_try_write(&c->stream, bufs, n) : UV_EAGAIN;
        if (took < 0 && took != UV_EAGAIN) return conn_close(c);
        if (took > 0) {
            c->written += (unsigned)took;
            budget -= MIN(budget, (size_t)took);
            bool all = (size_t)took == gathered(bufs, n);
            out_took(wire, (size_t)took);
            if (all) continue;
        }
        n = (unsigned)MIN(wire->count, (size_t)OUT_GATHER_MAX);
        out_fly(wire, n, bufs);
        c->written += gathered(bufs, n);
        if (uv_write(&c->write, &c->stream, bufs, n, on_written) < 0) return conn_close(c);
    }
}

static void on_alloc(uv_handle_t *handle, size_t suggested UNUSED, uv_buf_t *ret) {
    struct conn *c = handle->data;
    *ret = uv_buf_init(c->server->read_buf, c->tls ? NET_SEALED_BYTES : NET_READ_BYTES);
}

/* What it keeps in memory counts. True when that has become more. */
static bool count_unread(struct conn *c) {
    size_t now = c->state == CONN_WS ? ws_conn_unread(c) : http_conn_unread(c), was = c->unread;
    budget_move(&c->server->unread, was, now);
    c->unread = now;
    return now > was;
}

/* Who has just made it too much is given up. */
static void keep_within_budget(struct conn *c) {
    if (c->state == CONN_CLOSED || !count_unread(c)) return;
    if (budget_fits(&c->server->unread, c->kind, 0)) return;
    if (c->state == CONN_HTTP) http_conn_overdrawn(c);
    if (c->state == CONN_WS) ws_conn_overdrawn(c);
}

/* Somebody for whom there is nothing here. What was said is not looked at. */
static void tell_shut(struct conn *c) {
    c->state = CONN_HTTP;
    http_conn_refuse(c, 403, c->refusal);
}

/* Behind our last byte: a connection that is closed with something unread takes that byte back. */
static void drop_input(struct conn *c, size_t n) {
    bool ours = c->who == HTTP_USER || c->who == HTTP_OWNER;
    c->dropped += n;
    if (c->dropped > (size_t)(ours ? NET_DROPPED_MAX : NET_DROPPED_STRANGE)) conn_close(c);
}

static void take_input(struct conn *c, struct span bytes) {
    switch (c->state) {
    case CONN_SHUT: tell_shut(c); break;
    case CONN_HTTP: http_conn_input(c, bytes); break;
    case CONN_WS: ws_conn_input(c, bytes); break;
    case CONN_LINGER: drop_input(c, bytes.n); break;
    case CONN_CLOSED: break;
    }
    keep_within_budget(c);
}

static void take_eof(struct conn *c) {
    c->eof = true;
    if (c->state == CONN_HTTP) {
        http_conn_eof(c);
    } else {
        conn_close(c);
    }
}

/* Somebody speaks plain HTTP where TLS is spoken. */
static void answer_plainly(struct conn *c) {
    tls_stream_free(TAKE(c->tls));
    http_conn_refuse(c, 400, "this ostler speaks TLS: open it with https:// instead");
}

static void take_sealed(struct conn *c, struct span bytes) {
    struct http_server *s = c->server;
    if (!c->greeted && !tls_is_hello(bytes)) return answer_plainly(c);
    c->greeted = true;
    while (c->state != CONN_CLOSED) {
        int n = tls_stream_read(c->tls, &bytes, s->record, sizeof s->record);
        if (n == -EPIPE) return take_eof(c);
        if (n < 0) {
            flush(c); /* the alert says why */
            return conn_close(c);
        }
        if (n == 0) return;
        take_input(c, span_of(s->record, (size_t)n));
    }
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    struct conn *c = stream->data;
    if (n == 0) return;
    c->stepping = true;
    if (n > 0) {
        (c->tls ? take_sealed : take_input)(c, span_of(buf->base, (size_t)n));
    } else if (n == UV_EOF) {
        take_eof(c);
    } else {
        conn_close(c);
    }
    conn_step(c);
}

static void want_reading(struct conn *c, bool on) {
    if (on == c->reading) return;
    c->reading = on;
    if (!on) {
        (void)uv_read_stop(&c->stream);
    } else if (uv_read_start(&c->stream, on_alloc, on_read) < 0) {
        conn_close(c);
    }
}

void conn_touch(struct conn *c) {
    if (c->stepping || c->state == CONN_CLOSED || !list_empty(&c->dirty)) return;
    list_append(&c->server->dirty, &c->dirty);
}

void conn_step(struct conn *c) {
    list_remove(&c->dirty);
    c->stepping = true;
    do {
        if (c->state == CONN_HTTP) http_conn_resume(c);
        if (c->state != CONN_CLOSED) flush(c);
    } while (http_conn_can_resume(c));
    bool read = true;
    if (c->state == CONN_HTTP) {
        read = http_conn_settle(c);
    } else if (c->state == CONN_WS) {
        read = ws_conn_settle(c);
    }
    if (c->state != CONN_CLOSED) {
        (void)count_unread(c);
        want_reading(c, read && !c->eof);
    }
    c->stepping = false;
}

static void on_shutdown(uv_shutdown_t *req, int status) {
    struct conn *c = req->data;
    if (status < 0) conn_close(c);
}

void conn_linger(struct conn *c) {
    c->state = CONN_LINGER;
    conn_deadline(c, server_patience(c->server, NET_LINGER_MS));
    if (c->tls) {
        tls_stream_end(c->tls);
        flush(c);
        if (c->state == CONN_CLOSED) return;
    }
    if (c->eof || uv_shutdown(&c->shutdown, &c->stream, on_shutdown) < 0) conn_close(c);
}

void conn_init(struct conn *c) {
    c->handle.data = c->write.data = c->shutdown.data = c;
    list_append(&c->server->conns, &c->link);
    list_init(&c->dirty);
    out_init(&c->out);
    http_conn_init(c);
    c->state = c->refusal ? CONN_SHUT : CONN_HTTP;
    if (c->refusal) conn_deadline(c, NET_SHUT_MS);
}
