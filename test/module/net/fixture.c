#include "fixture.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "net/assets.h"
#include "platform/unixsock.h"
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>

enum { WATCHDOG_MS = 20000, BIG_BYTES = 3 * 1024 * 1024 };

static void on_watchdog(uv_timer_t *timer UNUSED) {
    (void)fprintf(stderr, "the test waits in vain\n");
    abort();
}

static void on_request(void *user, struct http_exchange *x) {
    struct fixture *f = user;
    const struct http_request *q = http_request(x);
    f->requests++;
    if (f->serves_assets) {
        assets_serve(x);
    } else if (span_eq_str(q->path, "/later")) {
        f->later[f->later_count++] = x;
    } else if (span_eq_str(q->path, "/echo")) {
        http_reply(x, 200, SPAN("application/octet-stream"), q->body);
    } else if (span_eq_str(q->path, "/big")) {
        static char big[BIG_BYTES];
        http_reply_static(x, 200, SPAN("text/plain"), span_of(big, sizeof big));
    } else if (span_eq_str(q->path, "/big-copy")) {
        char *copy = arena_zalloc(q->arena, 300000);
        http_reply(x, 200, SPAN("text/plain"), span_of(copy, 300000));
    } else if (span_eq_str(q->path, "/param")) {
        struct span value;
        bool found = http_query(x, SPAN("name"), &value);
        http_reply(x, found ? 200 : 404, SPAN("text/plain"), found ? value : SPAN_NONE);
    } else if (span_eq_str(q->path, "/stop")) {
        http_close(TAKE(f->server));
        http_reply(x, 200, SPAN("text/plain"), SPAN("stopping"));
    } else {
        http_add_header(x, SPAN("X-Path"), q->path);
        http_reply(x, 200, SPAN("text/plain"), q->path);
    }
}

static bool on_head(void *user, struct http_exchange *x, size_t *ret_max) {
    const struct fixture *f = user;
    if (f->body_max) *ret_max = f->body_max;
    if (!span_eq_str(http_request(x)->path, "/refused")) return true;
    http_reply_error(x, 401, "not for you");
    return false;
}

static const struct ws_channel *on_upgrade(void *user, struct http_exchange *x, struct ws *ws,
                                           void **ret_user, struct span *ret_protocol) {
    struct fixture *f = user;
    if (!f->channel) {
        http_reply_error(x, 403, "not for \"you\"");
        return NULL;
    }
    f->ws = ws;
    if (f->closes_on_upgrade) http_close(TAKE(f->server));
    *ret_user = f->channel_user;
    if (span_eq_str(http_header(x, SPAN("sec-websocket-protocol")), "test.v1"))
        *ret_protocol = SPAN("test.v1");
    return f->channel;
}

static enum fixture_via via_of_environment(void) {
    const char *via = getenv("FIXTURE_VIA");
    if (via && strcmp(via, "tls") == 0) return VIA_TLS;
    return via && strcmp(via, "door") == 0 ? VIA_DOOR : VIA_TCP;
}

void fixture_open(struct fixture *f, const struct http_limits *limits) {
    fixture_open_via(f, limits, via_of_environment());
}

static void open_more(struct fixture *f) {
    struct err err = {0};
    if (f->via == VIA_TCP) return;
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof f->path, "%s/%s", f->dir.path, f->via == VIA_TLS ? "tls.pem" : "socket");
    if (f->via == VIA_DOOR) {
        CHECK_INT(http_open_door(f->server, f->path, &err), 0);
        return;
    }
    CHECK_INT(tls_open_own(f->path, NULL, &f->tls, &err), 0);
    http_use_tls(f->server, f->tls);
}

void fixture_open_via(struct fixture *f, const struct http_limits *limits, enum fixture_via via) {
    static const struct http_ops ops = {.head = on_head, .request = on_request, .upgrade = on_upgrade};
    *f = (struct fixture){.via = via};
    struct err err = {0};
    CHECK_INT(uv_loop_init(&f->loop), 0);
    CHECK_INT(uv_timer_init(&f->loop, &f->watchdog), 0);
    CHECK_INT(uv_timer_start(&f->watchdog, on_watchdog, WATCHDOG_MS, 0), 0);
    CHECK_INT(http_open(&f->loop, "127.0.0.1", 0, limits, &ops, f, &f->server, &err), 0);
    f->port = http_port(f->server);
    open_more(f);
}

void fixture_close(struct fixture *f) {
    if (f->server) http_close(f->server);
    /* The watchdog goes last: it must see that everything else ends. */
    uv_unref((uv_handle_t *)&f->watchdog);
    CHECK_INT(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    uv_close((uv_handle_t *)&f->watchdog, NULL);
    CHECK_INT(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(uv_loop_close(&f->loop), 0);
    tls_free(f->tls);
    if (f->dir.path[0]) temp_dir_remove(f->dir.path);
}

void fixture_turn(struct fixture *f) {
    (void)uv_run(&f->loop, UV_RUN_ONCE);
}

void fixture_reply_later(struct fixture *f, size_t i, const char *body) {
    http_reply(f->later[i], 200, SPAN("text/plain"), span_str(body));
}

void client_connect(struct client *c, struct fixture *f) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(f->port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *c = (struct client){
        .f = f, .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .in = BUF_INIT(SIZE_MAX / 4)};
    CHECK(c->fd >= 0);
    CHECK_INT(connect(c->fd, (struct sockaddr *)&at, sizeof at), 0);
}

void client_open(struct client *c, struct fixture *f) {
    if (f->via == VIA_DOOR) {
        *c = (struct client){.f = f, .fd = unixsock_connect(f->path), .in = BUF_INIT(SIZE_MAX / 4)};
        CHECK(c->fd >= 0);
        return;
    }
    client_connect(c, f);
    if (f->via == VIA_TLS) client_shake_hands(c, 0, "\x02h2\x08http/1.1");
}

void client_close(struct client *c) {
    if (c->tls) tls_client_fini(c->tls);
    free(TAKE(c->tls));
    if (c->fd >= 0) (void)close(c->fd);
    c->fd = -1;
    buf_fini(&c->in);
}

/* A server that refuses the rest may have closed already: that shows in what it answered. */
static void send_bytes(struct client *c, struct span bytes) {
    while (bytes.n) {
        ssize_t n = send(c->fd, bytes.p, bytes.n, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n > 0) {
            bytes = span_skip(bytes, (size_t)n);
        } else if (errno == EAGAIN) {
            fixture_turn(c->f);
        } else {
            return;
        }
    }
}

static void send_sealed(struct client *c) {
    AUTO(buf) struct buf cipher = BUF_INIT(SIZE_MAX / 4);
    tls_client_take(c->tls, &cipher);
    send_bytes(c, buf_span(&cipher));
}

void client_send(struct client *c, struct span bytes) {
    if (!c->tls) {
        send_bytes(c, bytes);
        return;
    }
    if (!tls_client_is_open(c->tls)) return; /* it was refused */
    tls_client_write(c->tls, bytes);
    send_sealed(c);
}

void client_end(struct client *c) {
    tls_client_end(c->tls);
    send_sealed(c);
}

void client_send_str(struct client *c, const char *text) {
    client_send(c, span_str(text));
}

static bool try_receive(struct client *c) {
    char bytes[65536];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return false;
    if (n <= 0) {
        c->eof = true;
    } else if (c->tls) {
        tls_client_feed(c->tls, span_of(bytes, (size_t)n), &c->in);
    } else {
        CHECK_INT(buf_append(&c->in, bytes, (size_t)n), 0);
    }
    return true;
}

bool client_looks(struct client *c) {
    (void)try_receive(c);
    return c->in.n > 0 || c->eof;
}

/* What the server has to say at once is looked for before the loop may sleep: it cannot know that we wait. */
static void receive(struct client *c) {
    if (try_receive(c)) return;
    (void)uv_run(&c->f->loop, UV_RUN_NOWAIT);
    if (!try_receive(c)) fixture_turn(c->f);
}

bool client_shake_hands(struct client *c, int version, const char *protocols) {
    c->tls = xcalloc(1, sizeof *c->tls);
    tls_client_init(c->tls, version, protocols);
    send_sealed(c);
    while (!tls_client_is_open(c->tls) && !c->eof) {
        receive(c);
        send_sealed(c);
    }
    return tls_client_is_open(c->tls);
}

void client_want(struct client *c, size_t n) {
    while (c->in.n < n && !c->eof)
        receive(c);
    if (c->in.n < n)
        fail_msg("the connection ended after %zu of %zu bytes: %.200s", c->in.n, n, c->in.n ? c->in.p : "");
}

void client_want_eof(struct client *c) {
    while (!c->eof) {
        receive(c);
        buf_clear(&c->in);
    }
}

static struct span find_head(struct span text) {
    const char *end = text.n ? memmem(text.p, text.n, "\r\n\r\n", 4) : NULL;
    return end ? span_of(text.p, (size_t)(end - text.p) + 4) : SPAN_NONE;
}

static struct span header_of(struct span head, const char *name) {
    while (head.n) {
        struct span line = span_split(&head, '\n');
        struct span key = span_split(&line, ':');
        if (span_ieq(key, span_str(name))) return span_trim(line);
    }
    return SPAN_NONE;
}

struct span response_header(const struct response *r, const char *name) {
    return header_of(r->head, name);
}

void response_check_protection(const struct response *r) {
    static const char *const expected[][2] = {
        {"x-content-type-options", "nosniff"},
        {"x-frame-options", "DENY"},
        {"referrer-policy", "no-referrer"},
        {"cross-origin-opener-policy", "same-origin"},
        {"cross-origin-resource-policy", "same-origin"},
        {"content-security-policy", "default-src 'none'; frame-ancestors 'none'"},
        {"cache-control", "no-store"},
        {"strict-transport-security", ""}, /* not for a certificate of our own, and not without one */
        {"access-control-allow-origin", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        CHECK_SPAN(response_header(r, expected[i][0]), expected[i][1]);
    CHECK(response_header(r, "permissions-policy").n > 0);
}

void client_response(struct client *c, bool head_only, struct response *ret) {
    struct span head;
    while ((head = find_head(buf_span(&c->in))).n == 0)
        client_want(c, c->in.n + 1);
    uint64_t length = 0, status = 0;
    CHECK(span_starts(head, SPAN("HTTP/1.1 ")));
    CHECK(span_u64(span_take(span_skip(head, 9), 3), &status));
    bool bodiless = head_only || status < 200 || status == 204 || status == 304;
    if (!bodiless) CHECK(span_u64(header_of(head, "content-length"), &length));
    size_t n = head.n;
    client_want(c, n + length);
    char *text = xstrndup(c->in.p, n + length);
    *ret = (struct response){.status = (int)status, .text = text};
    ret->head = span_of(text, n);
    ret->body = span_of(text + n, length);
    memcpy(text, c->in.p, n + length);
    buf_consume(&c->in, n + length);
}

void response_fini(struct response *r) {
    free(r->text);
}

void client_upgrade(struct client *c, const char *target) {
    AUTO(buf) struct buf b = BUF_INIT(4096);
    (void)buf_printf(&b,
                     "GET %s HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                     "Sec-WebSocket-Protocol: test.v1\r\n\r\n",
                     target);
    client_send(c, buf_span(&b));
    struct response r;
    client_response(c, true, &r);
    CHECK_INT(r.status, 101);
    CHECK_SPAN(response_header(&r, "sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    CHECK_SPAN(response_header(&r, "sec-websocket-protocol"), "test.v1");
    response_fini(&r);
}
