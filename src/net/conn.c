/* One connection: reads, writes, its deadline, and its end in two steps. What the bytes mean is in http_conn.c and
 * ws_conn.c. */
#include "net/net_int.h"

#include "base/mem.h"

/* The close callback: nothing of the loop points here any more. */
static void on_closed(uv_handle_t *handle) {
    struct conn *c = handle->data;
    struct http_server *s = c->server;
    ws_conn_fini(c);
    http_conn_fini(c);
    out_fini(&c->out);
    free(c);
    server_conn_gone(s);
}

void conn_close(struct conn *c) {
    if (c->state == CONN_CLOSED) return;
    c->state = CONN_CLOSED;
    list_remove(&c->link);
    list_remove(&c->dirty);
    heap_remove(&c->server->deadlines, &c->timer);
    uv_close((uv_handle_t *)&c->tcp, on_closed);
}

/* The heap is touched only when a deadline comes nearer; one that moved away is found out when it fires. */
void conn_deadline(struct conn *c, unsigned ms) {
    struct http_server *s = c->server;
    c->deadline = server_now(s) + (usec_t)ms * USEC_PER_MSEC;
    c->progress = conn_progress(c);
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
    case CONN_LINGER: conn_close(c); break;
    case CONN_CLOSED: break;
    }
    conn_step(c);
}

uint64_t conn_progress(const struct conn *c) {
    return c->written - uv_stream_get_write_queue_size((const uv_stream_t *)&c->tcp);
}

static void on_written(uv_write_t *req, int status) {
    struct conn *c = req->data;
    out_landed(&c->out);
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

/* Tries the socket first. What it does not take is given to the loop, in one request that holds all of it: while that
 * is in flight nothing else is written, so the order is safe, and messages are not even pulled. */
static void flush(struct conn *c) {
    uv_stream_t *stream = (uv_stream_t *)&c->tcp;
    uv_buf_t bufs[OUT_GATHER_MAX];
    size_t budget = NET_TURN_BYTES;
    while (c->out.flying == 0) {
        if (c->state == CONN_WS) ws_conn_pull(c);
        if (c->out.failed) return conn_close(c);
        unsigned n = out_gather(&c->out, bufs);
        if (n == 0) return;
        int took = budget ? uv_try_write(stream, bufs, n) : UV_EAGAIN;
        if (took < 0 && took != UV_EAGAIN) return conn_close(c);
        if (took > 0) {
            c->written += (unsigned)took;
            budget -= MIN(budget, (size_t)took);
            bool all = (size_t)took == gathered(bufs, n);
            out_took(&c->out, (size_t)took);
            if (all) continue;
        }
        n = (unsigned)MIN(c->out.count, (size_t)OUT_GATHER_MAX);
        out_fly(&c->out, n, bufs);
        c->written += gathered(bufs, n);
        if (uv_write(&c->write, stream, bufs, n, on_written) < 0) return conn_close(c);
    }
}

static void on_alloc(uv_handle_t *handle, size_t suggested UNUSED, uv_buf_t *ret) {
    struct conn *c = handle->data;
    *ret = uv_buf_init(c->server->read_buf, sizeof c->server->read_buf);
}

static void take_input(struct conn *c, struct span bytes) {
    switch (c->state) {
    case CONN_HTTP: http_conn_input(c, bytes); break;
    case CONN_WS: ws_conn_input(c, bytes); break;
    case CONN_LINGER:
    case CONN_CLOSED: break;
    }
}

static void take_eof(struct conn *c) {
    c->eof = true;
    if (c->state == CONN_HTTP) {
        http_conn_eof(c);
    } else {
        conn_close(c);
    }
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    struct conn *c = stream->data;
    if (n == 0) return;
    c->stepping = true;
    if (n > 0) {
        take_input(c, span_of(buf->base, (size_t)n));
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
        (void)uv_read_stop((uv_stream_t *)&c->tcp);
    } else if (uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read) < 0) {
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
    if (c->state != CONN_CLOSED) want_reading(c, read && !c->eof);
    c->stepping = false;
}

static void on_shutdown(uv_shutdown_t *req, int status) {
    struct conn *c = req->data;
    if (status < 0) conn_close(c);
}

void conn_linger(struct conn *c) {
    c->state = CONN_LINGER;
    conn_deadline(c, NET_LINGER_MS);
    if (c->eof || uv_shutdown(&c->shutdown, (uv_stream_t *)&c->tcp, on_shutdown) < 0) conn_close(c);
}

static void on_refused_closed(uv_handle_t *handle) {
    struct conn *c = handle->data;
    struct http_server *s = c->server;
    free(c);
    server_conn_gone(s);
}

void conn_accept(struct http_server *s, uv_stream_t *listener) {
    struct conn *c = xcalloc(1, sizeof *c);
    c->server = s;
    if (uv_tcp_init(s->loop, &c->tcp) < 0) {
        free(c);
        return;
    }
    c->tcp.data = c->write.data = c->shutdown.data = c;
    s->conn_count++;
    if (uv_accept(listener, (uv_stream_t *)&c->tcp) < 0 || s->conn_count > s->limits.connections) {
        uv_close((uv_handle_t *)&c->tcp, on_refused_closed);
        return;
    }
    (void)uv_tcp_nodelay(&c->tcp, 1);
    uv_os_fd_t fd;
    if (s->ops->stranger && uv_fileno((uv_handle_t *)&c->tcp, &fd) == 0)
        c->stranger = s->ops->stranger(s->user, fd);
    list_append(&s->conns, &c->link);
    list_init(&c->dirty);
    out_init(&c->out);
    http_conn_init(c);
    conn_step(c);
}
