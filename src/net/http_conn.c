/* The HTTP side of a connection: requests out of bytes, one exchange each, answers in the order of the requests. */
#include "net/exchange_int.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "net/forwarded.h"
#include "net/url.h"
#include "net/ws_conn_int.h"
#include "platform/sock.h"

#include <errno.h>
#include <stdio.h>

enum {
    EXTRA_MAX = 64 * 1024,
    ANSWER_MAX = 1024 * 1024,
    KEEP_BYTES = 64 * 1024, /* memory above this is given back between requests */
};

void http_conn_init(struct conn *c) {
    struct http_conn *h = &c->http;
    h->held = BUF_INIT(NET_READ_BYTES);
    list_init(&h->queue);
}

static struct parser_limits limits_of(const struct conn *c) {
    const struct http_limits *l = &c->server->limits;
    return (struct parser_limits){.url = l->url, .headers = l->headers, .body = l->body};
}

static struct http_exchange *exchange_new(struct conn *c) {
    struct http_exchange *x = TAKE(c->http.spare);
    if (!x) {
        const struct parser_limits limits = limits_of(c);
        x = xcalloc(1, sizeof *x);
        parsed_init(&x->parsed, &limits);
        x->arena = ARENA_INIT(NET_ARENA_BYTES);
        x->extra = BUF_INIT(EXTRA_MAX);
        x->answer = BUF_INIT(ANSWER_MAX);
        list_init(&x->link);
    }
    x->conn = c;
    x->request = (struct http_request){.method = HTTP_OTHER, .arena = &x->arena};
    x->head = x->begun = x->keep_alive = x->waits = x->answered = x->has_policy = x->has_caching = false;
    x->who = c->who;
    x->knows_user = c->knows_user;
    x->user = c->user;
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
    if (c->http.spare || c->http.last) {
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

static size_t bytes_of(const struct http_exchange *x) {
    return x ? x->parsed.text.room + x->parsed.body.room : 0;
}

size_t http_conn_unread(const struct conn *c) {
    const struct http_conn *h = &c->http;
    return h->held.room + h->queued_bytes + MAX(bytes_of(h->reading), h->promised) + bytes_of(h->spare);
}

static void enqueue(struct conn *c, struct http_exchange *x) {
    list_append(&c->http.queue, &x->link);
    c->http.queued++;
    x->bytes = bytes_of(x);
    c->http.queued_bytes += x->bytes;
    c->http.promised = 0;
    c->http.wait = HTTP_WAIT_NEW;
}

void http_conn_dequeue(struct http_exchange *x) {
    struct http_conn *h = &x->conn->http;
    list_remove(&x->link);
    h->queued--;
    h->queued_bytes -= x->bytes;
}

static void finish(struct conn *c, struct http_exchange *x) {
    http_conn_dequeue(x);
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
    if (status == 503) http_add_header(x, SPAN("Retry-After"), SPAN("1"));
    http_reply_error(x, status, "%s", why);
}

void http_conn_overdrawn(struct conn *c) {
    if (c->http.reading)
        http_conn_refuse(c, 503, "too much is being sent to this ostler at once: try again in a moment");
    else
        conn_close(c);
}

static void refuse_late(struct conn *c) {
    http_conn_refuse(c, 408, "the request took too long to arrive");
}

static void refuse_malformed(struct conn *c) {
    const char *why;
    int status = parser_refusal(c->http.parser, &why);
    http_conn_refuse(c, status, why);
}

/* Whoever sends one of these speaks for somebody else. */
static bool is_forwarded(const struct parsed *d) {
    static const char *const signs[] = {"x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
                                        "x-real-ip",       "forwarded",        "via"};
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (parsed_has(d, span_str(signs[i]))) return true;
    return false;
}

/* What name was asked for; and who asks, and how, if a proxy that we trust says so. Of whom a proxy speaks for it is never known
 * which user it is, be the proxy this user's own. */
static void identify(struct http_exchange *x) {
    const struct conn *c = x->conn;
    x->host = parsed_header(&x->parsed, SPAN("host"));
    if (c->who != HTTP_OWNER && is_forwarded(&x->parsed)) {
        if (x->who == HTTP_USER) x->who = HTTP_FAR;
        x->knows_user = false;
    }
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

/* The head is there: what is asked for, and by whom. False, and refused, when it makes no sense. */
static bool read_head(struct conn *c) {
    struct http_exchange *x = c->http.reading;
    struct http_request *q = &x->request;
    q->target = parsed_target(&x->parsed);
    q->method = method_of(x->parsed.method, &x->head);
    identify(x);
    if (url_split(q->target, &x->arena, &q->path, &q->query) == 0) return true;
    http_conn_refuse(c, 400, "the URL is malformed");
    return false;
}

/* Is the body wanted, by whoever answers? If not it has been answered, and nothing is read behind that. */
static bool is_wanted(struct conn *c, size_t *ret_max) {
    struct http_conn *h = &c->http;
    struct http_exchange *x = h->reading;
    const struct http_server *s = c->server;
    *ret_max = s->limits.body;
    if (!s->ops->head) return true;
    h->reading = NULL;
    enqueue(c, x);
    h->last = true;
    x->keep_alive = false;
    if (!s->ops->head(s->user, x, ret_max)) return false;
    h->last = false;
    http_conn_dequeue(x);
    h->reading = x;
    return true;
}

/* A head that announces a body. */
static void begin_body(struct conn *c) {
    struct http_conn *h = &c->http;
    char why[64];
    size_t max;
    if (!read_head(c)) return;
    if (h->reading->parsed.upgrade) {
        http_conn_refuse(c, 400, "a WebSocket begins without a body");
        return;
    }
    if (!is_wanted(c, &max)) return;
    if (parser_take_body(h->parser, &h->reading->parsed, max) < 0) {
        (void)snprintf(why, sizeof why, "the body is too large: %zu bytes are taken here", max);
        http_conn_refuse(c, 413, why);
    } else if (!budget_fits(&c->server->unread, c->kind, h->reading->parsed.length)) {
        http_conn_overdrawn(c);
    } else {
        h->reading->begun = true;
        h->promised = h->reading->parsed.length;
    }
}

static void begin(struct conn *c) {
    struct http_conn *h = &c->http;
    struct http_exchange *x = h->reading;
    if (!x->begun && !read_head(c)) return;
    x->request.body = buf_span(&x->parsed.body);
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
    const struct parser_limits limits = limits_of(c);
    if (!h->parser) h->parser = parser_new(&limits);
    while (bytes.n && ready(c)) {
        if (!h->reading) h->reading = exchange_new(c);
        switch (parser_feed(h->parser, &h->reading->parsed, &bytes)) {
        case PARSER_MORE: break;
        case PARSER_HEAD: begin_body(c); break;
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
    c->http.promised = 0;
}

/* The go-ahead for a body has its place in the order of the answers. */
static void send_continue(struct conn *c) {
    struct http_conn *h = &c->http;
    if (!h->reading || !h->reading->parsed.expects_continue || h->queued > 0) return;
    if (parser_stage(h->parser) != PARSER_IN_BODY) return;
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
    if (!c->http.parser) return HTTP_WAIT_REQUEST;
    switch (parser_stage(c->http.parser)) {
    case PARSER_IN_HEAD: return HTTP_WAIT_HEAD;
    case PARSER_IN_BODY: return HTTP_WAIT_BODY;
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

enum http_who http_who(const struct http_exchange *x) {
    return x->who;
}

bool http_peer_user(const struct http_exchange *x, uid_t *ret) {
    if (x->knows_user) *ret = x->user;
    return x->knows_user;
}

struct span http_header(const struct http_exchange *x, struct span name) {
    return parsed_header(&x->parsed, name);
}

bool http_has_header(const struct http_exchange *x, struct span name) {
    return parsed_has(&x->parsed, name);
}

struct span http_joined_header(struct http_exchange *x, struct span name) {
    return parsed_joined(&x->parsed, name, &x->arena);
}

bool http_query(const struct http_exchange *x, struct span name, struct span *ret) {
    return url_query(x->request.query, name, x->request.arena, ret) == 1;
}

void http_peer(const struct http_exchange *x, char ret[HTTP_PEER_BYTES]) {
    if (http_from_owner(x))
        (void)memcpy(ret, "unix", sizeof "unix");
    else
        addr_print(&x->client, ret);
}

void http_local(const struct http_exchange *x, char ret[HTTP_PEER_BYTES]) {
    ret[0] = '\0';
    if (x->conn && !http_from_owner(x)) addr_print(&x->conn->local, ret);
}

bool http_from_owner(const struct http_exchange *x) {
    return x->who == HTTP_OWNER;
}

bool http_is_secure(const struct http_exchange *x) {
    return x->secure;
}

struct span http_host(const struct http_exchange *x) {
    return x->host;
}
