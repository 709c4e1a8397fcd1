#include "net/http_client.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <stdio.h>

enum { READ_BYTES = 8 << 10 };

enum step { LOOKING_UP, CONNECTING, TALKING, ENDED };

struct http_call {
    struct http_client *client;
    http_client_done *done; /* NULL: it was told, or nobody wants to know */
    void *user;
    enum step step;
    char *url;
    struct target target; /* of `url` */
    uv_getaddrinfo_t lookup;
    bool looks_up;
    uv_tcp_t tcp;
    uv_timer_t deadline;
    uv_connect_t connect;
    uv_write_t write;
    unsigned open; /* handles, and the lookup: the last one frees it */
    bool has_socket;
    struct tls_client *tls;
    struct buf request;     /* plain, until it is sent */
    struct buf out, flight; /* waits to be sent; on its way */
    bool asked;             /* the request went into `out` */
    struct buf head;        /* what came of the answer */
    char room[READ_BYTES];
};

static void call_free(struct http_call *call) {
    tls_client_free(call->tls);
    buf_fini(&call->request);
    buf_fini(&call->out);
    buf_fini(&call->flight);
    buf_fini(&call->head);
    free(call->url);
    free(call);
}

static void let_go(struct http_call *call) {
    if (--call->open == 0) call_free(call);
}

static void on_closed(uv_handle_t *handle) {
    let_go(handle->data);
}

/* Closes everything; `done` is told, once. */
static void end(struct http_call *call, const struct http_answer *answer, const char *why) {
    static const struct http_answer none;
    if (call->step == ENDED) return;
    call->step = ENDED;
    http_client_done *done = TAKE(call->done);
    uv_close((uv_handle_t *)&call->deadline, on_closed);
    if (call->has_socket) uv_close((uv_handle_t *)&call->tcp, on_closed);
    if (call->looks_up) (void)uv_cancel((uv_req_t *)&call->lookup);
    if (done) done(call->user, answer ? answer : &none, why);
}

static void on_deadline(uv_timer_t *timer) {
    end(timer->data, NULL, "no answer in time");
}

/* ---- talking ----------------------------------------------------------------------------------------------------- */

static void send_more(struct http_call *call);

static void on_written(uv_write_t *write, int status) {
    struct http_call *call = write->data;
    buf_clear(&call->flight);
    if (call->step == ENDED) return;
    if (status < 0)
        end(call, NULL, uv_strerror(status));
    else
        send_more(call);
}

static void send_more(struct http_call *call) {
    if (call->out.failed) {
        end(call, NULL, "too much to send");
        return;
    }
    if (call->flight.n || !call->out.n) return;
    struct buf swap = call->flight;
    call->flight = call->out;
    call->out = swap;
    uv_buf_t bytes = uv_buf_init(call->flight.p, (unsigned)call->flight.n);
    call->write.data = call;
    int r = uv_write(&call->write, (uv_stream_t *)&call->tcp, &bytes, 1, on_written);
    if (r < 0) end(call, NULL, uv_strerror(r));
}

/* The request, once it may be said. */
static void ask(struct http_call *call) {
    if (call->asked || (call->tls && !tls_client_is_open(call->tls))) return;
    call->asked = true;
    if (!call->tls)
        (void)buf_append_span(&call->out, buf_span(&call->request));
    else if (tls_client_write(call->tls, buf_span(&call->request)) < 0)
        call->out.failed = true;
    buf_clear(&call->request);
}

/* True when that was the end of it. */
static bool hear(struct http_call *call, struct span plain) {
    struct http_answer a;
    (void)buf_append_span(&call->head, plain);
    int r = call->head.failed ? -EPROTO : http_answer_read(buf_span(&call->head), &a);
    if (r > 0) end(call, &a, NULL);
    if (r < 0) end(call, NULL, "what it answers is no HTTP");
    return r != 0;
}

static void take_sealed(struct http_call *call, struct span cipher) {
    struct err err = {0};
    char plain[READ_BYTES];
    int r = tls_client_feed(call->tls, cipher, &err);
    if (r >= 0) ask(call);
    tls_client_take(call->tls, &call->out);
    send_more(call);
    while (r >= 0 && call->step == TALKING && (r = tls_client_read(call->tls, plain, sizeof plain, &err)) > 0)
        if (hear(call, span_of(plain, (size_t)r))) return;
    if (r < 0) end(call, NULL, r == -EPIPE ? "it hung up" : err.msg);
}

static void on_room(uv_handle_t *handle, size_t suggested UNUSED, uv_buf_t *ret) {
    struct http_call *call = handle->data;
    *ret = uv_buf_init(call->room, sizeof call->room);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes) {
    struct http_call *call = stream->data;
    if (call->step != TALKING || n == 0) return;
    if (n < 0)
        end(call, NULL, n == UV_EOF ? "it hung up" : uv_strerror((int)n));
    else if (call->tls)
        take_sealed(call, span_of(bytes->base, (size_t)n));
    else
        (void)hear(call, span_of(bytes->base, (size_t)n));
}

static void on_connected(uv_connect_t *connect, int status) {
    struct http_call *call = connect->data;
    struct err err = {0};
    if (call->step == ENDED) return;
    if (status < 0) {
        end(call, NULL, uv_strerror(status));
        return;
    }
    call->step = TALKING;
    int r = uv_read_start((uv_stream_t *)&call->tcp, on_room, on_read);
    if (r == 0 && call->tls && tls_client_shake(call->tls, &err) < 0) r = UV_EPROTO;
    if (r < 0) {
        end(call, NULL, err.msg[0] ? err.msg : uv_strerror(r));
        return;
    }
    ask(call);
    if (call->tls) tls_client_take(call->tls, &call->out);
    send_more(call);
}

/* ---- finding it -------------------------------------------------------------------------------------------------- */

/* The first address that a request may go to. */
static const struct addrinfo *choose(const struct http_call *call, const struct addrinfo *list) {
    const struct http_client *c = call->client;
    struct addr a;
    for (; list; list = list->ai_next)
        if (addr_of_socket(list->ai_addr, &a) && target_may(&call->target, &a, c->allowed, c->allowed_count))
            return list;
    return NULL;
}

static void connect_to(struct http_call *call, const struct addrinfo *found) {
    const struct addrinfo *one = choose(call, found);
    if (!one) {
        end(call, NULL,
            "it leads into a private network, or to this machine: pushNetworks says where that is wanted");
        return;
    }
    call->step = CONNECTING;
    (void)uv_tcp_init(call->client->loop, &call->tcp);
    call->tcp.data = call->connect.data = call;
    call->has_socket = true;
    call->open++;
    int r = uv_tcp_connect(&call->connect, &call->tcp, one->ai_addr, on_connected);
    if (r < 0) end(call, NULL, uv_strerror(r));
}

static void on_found(uv_getaddrinfo_t *lookup, int status, struct addrinfo *found) {
    struct http_call *call = lookup->data;
    call->looks_up = false;
    if (call->step != ENDED && status < 0)
        end(call, NULL, uv_strerror(status));
    else if (call->step != ENDED)
        connect_to(call, found);
    uv_freeaddrinfo(found);
    let_go(call);
}

static int look_up(struct http_call *call) {
    char host[TARGET_HOST_MAX + 1], port[SPAN_DIGITS + 1];
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    (void)snprintf(host, sizeof host, "%.*s", SPAN_ARG(call->target.host));
    (void)snprintf(port, sizeof port, "%u", call->target.port);
    call->lookup.data = call;
    int r = uv_getaddrinfo(call->client->loop, &call->lookup, on_found, host, port, &hints);
    if (r < 0) return r;
    call->looks_up = true;
    call->open++;
    return 0;
}

/* ---- the whole ---------------------------------------------------------------------------------------------------- */

static void write_request(struct http_call *call, struct span headers, struct span body) {
    struct span host = span_skip(call->target.origin, call->target.secure ? 8 : 7);
    (void)buf_printf(&call->request,
                     "POST %.*s HTTP/1.1\r\nHost: %.*s\r\nConnection: close\r\nUser-Agent: ostler\r\n"
                     "Content-Length: %zu\r\n%.*s\r\n",
                     SPAN_ARG(call->target.path), SPAN_ARG(host), body.n, SPAN_ARG(headers));
    (void)buf_append_span(&call->request, body);
}

static int prepare(struct http_call *call, struct span headers, struct span body, struct err *err) {
    struct http_client *c = call->client;
    if (call->target.secure) {
        if (!c->trust) c->trust = tls_trust_open();
        call->tls = c->trust ? tls_client_new(c->trust, call->target.host) : NULL;
        if (!call->tls) return err_set(err, -ENOMEM, "OpenSSL cannot be set up for TLS");
    }
    write_request(call, headers, body);
    return call->request.failed ? err_set(err, -EMSGSIZE, "the request is too long") : 0;
}

static struct http_call *call_new(struct http_client *c, struct span url) {
    struct http_call *call = xcalloc(1, sizeof *call);
    *call = (struct http_call){.client = c, .url = xstrndup(url.p, url.n)};
    call->request = BUF_INIT(HTTP_CLIENT_HEADERS_MAX + HTTP_CLIENT_BODY_MAX + TARGET_URL_MAX);
    call->out = call->flight = BUF_INIT(TLS_CLIENT_OUT_MAX);
    call->head = BUF_INIT(2 * HTTP_ANSWER_HEAD_MAX);
    return call;
}

struct http_call *http_client_post(struct http_client *c, struct span url, struct span headers,
                                   struct span body, http_client_done *done, void *user, struct err *err) {
    struct http_call *call = call_new(c, url);
    call->done = done;
    call->user = user;
    if (!target_parse(span_str(call->url), &call->target)) {
        (void)err_set(err, -EINVAL, "it is no address of a push service");
        call_free(call);
        return NULL;
    }
    int r = prepare(call, headers, body, err);
    if (r == 0) {
        r = look_up(call);
        if (r < 0) (void)err_set(err, r, "its name cannot be looked up: %s", uv_strerror(r));
    }
    if (r < 0) {
        call_free(call);
        return NULL;
    }
    (void)uv_timer_init(c->loop, &call->deadline);
    call->deadline.data = call;
    call->open++;
    (void)uv_timer_start(&call->deadline, on_deadline,
                         c->deadline_ms ? c->deadline_ms : HTTP_CLIENT_DEADLINE_MS, 0);
    return call;
}

void http_client_cancel(struct http_call *call) {
    call->done = NULL;
    end(call, NULL, NULL);
}

void http_client_fini(struct http_client *c) {
    tls_trust_free(c->trust);
    c->trust = NULL;
}
