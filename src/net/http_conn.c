/* The HTTP side of a connection: requests out of bytes, one exchange each, answers in the order of the requests. */
#include "net/exchange_int.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "net/forwarded.h"
#include "net/url.h"
#include "platform/sock.h"

#include <errno.h>

enum {
    EXTRA_MAX = 64 * 1024,
    ANSWER_MAX = 1024 * 1024,
    KEEP_BYTES = 64 * 1024, /* memory above this is given back between requests */
};

void http_conn_init(struct conn *c) {
    const struct http_limits *l = &c->server->limits;
    struct http_conn *h = &c->http;
    h->parser = parser_new(&(struct parser_limits){.url = l->url, .headers = l->headers, .body = l->body});
    h->held = BUF_INIT(NET_READ_BYTES);
    list_init(&h->queue);
}

static struct http_exchange *exchange_new(struct conn *c) {
    struct http_exchange *x = TAKE(c->http.spare);
    if (!x) {
        const struct http_limits *l = &c->server->limits;
        x = xcalloc(1, sizeof *x);
        parsed_init(&x->parsed,
                    &(struct parser_limits){.url = l->url, .headers = l->headers, .body = l->body});
        x->arena = ARENA_INIT(NET_ARENA_BYTES);
        x->extra = BUF_INIT(EXTRA_MAX);
        x->answer = BUF_INIT(ANSWER_MAX);
        list_init(&x->link);
    }
    x->conn = c;
    x->request = (struct http_request){.method = HTTP_OTHER, .arena = &x->arena};
    x->head = x->keep_alive = x->waits = x->answered = x->has_policy = x->has_caching = false;
    x->owner = c->owner;
    x->client = c->peer;
    x->secure = c->tls;
    x->host = SPAN_NONE;
    return x;
}

void http_exchange_free(struct http_exchange *x) {
    if (!x) return;
    parsed_fini(&x->parsed);
    arena_fini(&x->arena);
    buf_fini(&x->extra);
    buf_fini(&x->answer);
    free(x->answer_heap);
    free(x);
}

/* One is kept for the next request, so that a busy connection allocates nothing. */
static void exchange_recycle(struct conn *c, struct http_exchange *x) {
    if (c->http.spare) {
        http_exchange_free(x);
        return;
    }
    if (x->arena.used > KEEP_BYTES) arena_fini(&x->arena);
    arena_reset(&x->arena);
    parsed_reset(&x->parsed);
    buf_clear(&x->extra);
    if (x->answer.room > KEEP_BYTES) buf_fini(&x->answer);
    buf_clear(&x->answer);
    x->answer_body = SPAN_NONE;
    c->http.spare = x;
}

/* Exchanges in a handler's hands stay until they are answered; nobody else will free them. */
void http_conn_fini(struct conn *c) {
    struct http_conn *h = &c->http;
    list_for_each_safe(node, &h->queue) {
        struct http_exchange *x = list_entry(node, struct http_exchange, link);
        list_remove(&x->link);
        x->conn = NULL;
        if (x->answered || x->waits) http_exchange_free(x);
    }
    http_exchange_free(h->reading);
    http_exchange_free(h->spare);
    buf_fini(&h->held);
    parser_free(h->parser);
}

bool http_conn_is_first(const struct http_exchange *x) {
    return list_first(&x->conn->http.queue, struct http_exchange, link) == x;
}

static void enqueue(struct conn *c, struct http_exchange *x) {
    list_append(&c->http.queue, &x->link);
    c->http.queued++;
    c->http.wait = HTTP_WAIT_NEW;
}

static void finish(struct conn *c, struct http_exchange *x) {
    list_remove(&x->link);
    c->http.queued--;
    if (!x->keep_alive) c->http.last = true;
    exchange_recycle(c, x);
}

void http_conn_answered(struct http_exchange *x) {
    struct conn *c = x->conn;
    if (!x->answered) finish(c, x);
    list_for_each_safe(node, &c->http.queue) {
        struct http_exchange *next = list_entry(node, struct http_exchange, link);
        if (!next->answered) break;
        reply_send_kept(next);
        finish(c, next);
    }
    conn_touch(c);
}

static enum http_method method_of(const char *name, bool *ret_head) {
    static const struct {
        const char *name;
        enum http_method method;
    } known[] = {
        {"GET", HTTP_GET},     {"HEAD", HTTP_HEAD},     {"POST", HTTP_POST},       {"PUT", HTTP_PUT},
        {"PATCH", HTTP_PATCH}, {"DELETE", HTTP_DELETE}, {"OPTIONS", HTTP_OPTIONS},
    };
    *ret_head = false;
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (strcmp(known[i].name, name) != 0) continue;
        *ret_head = known[i].method == HTTP_HEAD;
        return *ret_head ? HTTP_GET : known[i].method;
    }
    return HTTP_OTHER;
}

/* The request that is coming in is answered by ourselves, and nothing is read behind it. */
void http_conn_refuse(struct conn *c, int status, const char *why) {
    struct http_conn *h = &c->http;
    struct http_exchange *x = h->reading ? TAKE(h->reading) : exchange_new(c);
    enqueue(c, x);
    h->last = true;
    x->keep_alive = false;
    http_reply_error(x, status, "%s", why);
}

static void refuse_late(struct conn *c) {
    http_conn_refuse(c, 408, "the request took too long to arrive");
}

static void refuse_malformed(struct conn *c) {
    const char *why;
    int status = parser_refusal(c->http.parser, &why);
    http_conn_refuse(c, status, why);
}

/* What name was asked for; and who asks, and how, if a proxy that we trust says so. */
static void identify(struct http_exchange *x) {
    const struct conn *c = x->conn;
    x->host = parsed_header(&x->parsed, SPAN("host"));
    if (!c->proxied) return;
    const struct forwarded_headers h = {
        .from = parsed_joined(&x->parsed, SPAN("x-forwarded-for"), &x->arena),
        .proto = parsed_joined(&x->parsed, SPAN("x-forwarded-proto"), &x->arena),
        .host = parsed_joined(&x->parsed, SPAN("x-forwarded-host"), &x->arena),
    };
    struct forwarded f = forwarded_read(&h, &c->peer, c->server->proxies, c->server->proxy_count);
    x->client = f.client;
    x->secure |= f.secure;
    if (f.host.n) x->host = f.host;
}

static void begin(struct conn *c) {
    struct http_conn *h = &c->http;
    struct http_exchange *x = h->reading;
    struct http_request *q = &x->request;
    q->target = parsed_target(&x->parsed);
    q->method = method_of(x->parsed.method, &x->head);
    q->body = buf_span(&x->parsed.body);
    identify(x);
    if (url_split(q->target, &x->arena, &q->path, &q->query) < 0) {
        http_conn_refuse(c, 400, "the URL is malformed");
        return;
    }
    h->reading = NULL;
    enqueue(c, x);
    x->keep_alive = x->parsed.keep_alive;
    if (x->parsed.upgrade) {
        x->keep_alive = false; /* should it be refused */
        x->waits = h->upgrading = true;
        return;
    }
    if (!x->keep_alive) h->last = true;
    c->server->ops->request(c->server->user, x);
}

static bool ready(const struct conn *c) {
    const struct http_conn *h = &c->http;
    return !h->last && !h->upgrading && h->queued < NET_PIPELINE_MAX && conn_unsent(c) < NET_UNSENT_MAX &&
           !c->server->closing;
}

/* Returns what is left when no more requests are taken. */
static struct span take_requests(struct conn *c, struct span bytes) {
    struct http_conn *h = &c->http;
    while (bytes.n && ready(c)) {
        if (!h->reading) h->reading = exchange_new(c);
        switch (parser_feed(h->parser, &h->reading->parsed, &bytes)) {
        case PARSER_MORE: break;
        case PARSER_REQUEST: begin(c); break;
        case PARSER_REFUSED: refuse_malformed(c); break;
        }
    }
    return h->last ? SPAN_NONE : bytes;
}

void http_conn_input(struct conn *c, struct span bytes) {
    struct http_conn *h = &c->http;
    h->arrived += bytes.n;
    bytes = take_requests(c, bytes);
    if (bytes.n && buf_append_span(&h->held, bytes) < 0) conn_close(c);
}

void http_conn_eof(struct conn *c) {
    c->http.last = true; /* it may have closed only its own side: what was asked is still answered */
    http_exchange_free(TAKE(c->http.reading));
}

/* The go-ahead for a body has its place in the order of the answers. */
static void send_continue(struct conn *c) {
    struct http_conn *h = &c->http;
    if (!h->reading || !h->reading->parsed.expects_continue || h->queued > 0) return;
    if (parser_stage(h->parser) != PARSER_BODY) return;
    h->reading->parsed.expects_continue = false;
    out_text(&c->out, SPAN("HTTP/1.1 100 Continue\r\n\r\n"));
}

void http_conn_resume(struct conn *c) {
    struct http_conn *h = &c->http;
    if (h->held.n) {
        struct span rest = take_requests(c, buf_span(&h->held));
        buf_consume(&h->held, h->held.n - rest.n);
    }
    struct http_exchange *first = list_first(&h->queue, struct http_exchange, link);
    if (first && first->waits && !c->server->closing) {
        first->waits = false;
        ws_conn_upgrade(c, first);
    }
    if (c->state == CONN_WS) {
        ws_conn_input(c, buf_span(&h->held));
        buf_fini(&h->held);
        return;
    }
    send_continue(c);
}

bool http_conn_can_resume(const struct conn *c) {
    return c->state == CONN_HTTP && c->http.held.n > 0 && ready(c);
}

static enum http_wait waits_for(const struct conn *c) {
    if (c->tls && !tls_stream_is_open(c->tls)) return HTTP_WAIT_HANDSHAKE;
    if (conn_unsent(c)) return HTTP_WAIT_PEER;
    if (c->http.queued) return HTTP_WAIT_HANDLER;
    switch (parser_stage(c->http.parser)) {
    case PARSER_HEAD: return HTTP_WAIT_HEAD;
    case PARSER_BODY: return HTTP_WAIT_BODY;
    case PARSER_IDLE: break;
    }
    return HTTP_WAIT_REQUEST;
}

static void set_deadline(struct conn *c) {
    const struct http_limits *l = &c->server->limits;
    enum http_wait wait = waits_for(c);
    if (wait == c->http.wait) return;
    c->http.wait = wait;
    c->http.arrived_then = c->http.arrived;
    switch (wait) {
    case HTTP_WAIT_HANDSHAKE:
    case HTTP_WAIT_HEAD: conn_deadline(c, l->head_ms); break;
    case HTTP_WAIT_REQUEST: conn_deadline(c, l->idle_ms); break;
    case HTTP_WAIT_BODY:
    case HTTP_WAIT_PEER: conn_deadline(c, l->body_ms); break;
    case HTTP_WAIT_HANDLER:
    case HTTP_WAIT_NEW: conn_no_deadline(c); break;
    }
}

bool http_conn_settle(struct conn *c) {
    const struct http_conn *h = &c->http;
    bool sent = conn_unsent(c) == 0;
    if (c->server->closing) {
        if (sent) {
            conn_close(c);
        } else if (c->deadline > server_now(c->server) + NET_STOP_MS * USEC_PER_MSEC) {
            conn_deadline(c, NET_STOP_MS);
        }
        return false;
    }
    if (h->last && h->queued == 0 && sent) {
        conn_linger(c);
        return true;
    }
    set_deadline(c);
    return ready(c);
}

/* Bytes that trickle are no reason to wait on. */
static bool is_slow(const struct conn *c, uint64_t bytes) {
    const struct http_limits *l = &c->server->limits;
    return bytes < MAX(l->rate * l->body_ms / 1000, (size_t)1);
}

void http_conn_expired(struct conn *c) {
    enum http_wait wait = c->http.wait;
    c->http.wait = HTTP_WAIT_NEW;
    if (c->server->closing) {
        conn_close(c);
        return;
    }
    switch (wait) {
    case HTTP_WAIT_HEAD: refuse_late(c); break;
    case HTTP_WAIT_BODY:
        if (is_slow(c, c->http.arrived - c->http.arrived_then)) refuse_late(c);
        break;
    case HTTP_WAIT_PEER:
        if (is_slow(c, conn_progress(c) - c->progress)) conn_close(c);
        break;
    case HTTP_WAIT_HANDSHAKE:
    case HTTP_WAIT_REQUEST: conn_close(c); break;
    case HTTP_WAIT_HANDLER:
    case HTTP_WAIT_NEW: break;
    }
}

const struct http_request *http_request(const struct http_exchange *x) {
    return &x->request;
}

bool http_from_stranger(const struct http_exchange *x) {
    return x->conn && x->conn->stranger;
}

bool http_peer_user(const struct http_exchange *x, uid_t *ret) {
    uv_os_fd_t fd;
    if (!x->conn || uv_fileno(&x->conn->handle, &fd) < 0) return false;
    if (x->owner) {
        struct unixsock_peer peer;
        if (unixsock_peer(fd, &peer) < 0) return false;
        *ret = peer.uid;
        return true;
    }
    return !x->conn->proxied && addr_is_loopback(&x->client) && sock_peer_user(fd, ret) == 0;
}

struct span http_header(const struct http_exchange *x, struct span name) {
    return parsed_header(&x->parsed, name);
}

bool http_query(const struct http_exchange *x, struct span name, struct span *ret) {
    return url_query(x->request.query, name, x->request.arena, ret) == 1;
}

void http_peer(const struct http_exchange *x, char ret[HTTP_PEER_BYTES]) {
    if (x->owner)
        (void)memcpy(ret, "unix", sizeof "unix");
    else
        addr_print(&x->client, ret);
}

void http_local(const struct http_exchange *x, char ret[HTTP_PEER_BYTES]) {
    ret[0] = '\0';
    if (x->conn && !x->owner) addr_print(&x->conn->local, ret);
}

bool http_from_owner(const struct http_exchange *x) {
    return x->owner;
}

bool http_is_secure(const struct http_exchange *x) {
    return x->secure;
}

struct span http_host(const struct http_exchange *x) {
    return x->host;
}
