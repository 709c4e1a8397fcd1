#include "net/ws_client.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "net/handshake.h"
#include "net/ws_frame_int.h"
#include "net/ws_recv.h"

#include <errno.h>
#include <openssl/evp.h>
#include <sys/random.h>

enum { KEY_BYTES = 16, KEY_CHARS = 24, STATUS_SWITCHING = 101 };

enum state { ASKED, OPEN, FAILED };

struct ws_client {
    enum state state;
    const struct ws_client_events *events;
    void *user;
    char accept[HANDSHAKE_ACCEPT_BYTES];
    char *protocol;
    struct buf head; /* the peer's answer, until it is whole */
    struct buf out;
    struct ws_recv *recv;
    int refusal;
};

static void on_message(void *user, struct span message, bool binary) {
    struct ws_client *c = user;
    c->events->message(c->user, message, binary);
}

static void on_control(void *user, struct span frame) {
    struct ws_client *c = user;
    (void)buf_append_span(&c->out, frame);
}

static const struct ws_recv_events recv_events = {.message = on_message, .control = on_control};

static void ask(struct ws_client *c, uint16_t port, const char *target) {
    unsigned char random[KEY_BYTES] = {0};
    char key[KEY_CHARS + 1];
    if (getentropy(random, sizeof random) < 0)
        random[0] = 1; /* it is no secret, only not what a cache would expect */
    (void)EVP_EncodeBlock((unsigned char *)key, random, sizeof random);
    handshake_accept(span_of(key, KEY_CHARS), c->accept);
    (void)buf_printf(
        &c->out,
        "GET %s HTTP/1.1\r\nHost: localhost:%u\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
        target, port, key, c->protocol);
}

struct ws_client *ws_client_new(uint16_t port, const char *target, const char *protocol, size_t max_message,
                                const struct ws_client_events *events, void *user) {
    struct ws_client *c = xcalloc(1, sizeof *c);
    c->events = events;
    c->user = user;
    c->protocol = xstrdup(protocol);
    c->head = BUF_INIT(WS_CLIENT_HEAD_MAX);
    c->out = BUF_INIT(WS_CLIENT_OUT_MAX);
    c->recv = ws_recv_new_client(max_message, &recv_events, c);
    ask(c, port, target);
    return c;
}

void ws_client_free(struct ws_client *c) {
    if (!c) return;
    ws_recv_free(c->recv);
    buf_fini(&c->head);
    buf_fini(&c->out);
    free(c->protocol);
    free(c);
}

/* What of the peer's answer matters. */
struct answer {
    uint64_t status, body;
    struct span upgrade, accept, protocol;
};

static bool read_header(struct span line, struct answer *a) {
    struct span name = span_split(&line, ':'), value = span_trim(line);
    if (span_ieq(name, SPAN("upgrade"))) a->upgrade = value;
    if (span_ieq(name, SPAN("sec-websocket-accept"))) a->accept = value;
    if (span_ieq(name, SPAN("sec-websocket-protocol"))) a->protocol = value;
    return !span_ieq(name, SPAN("content-length")) || span_u64(value, &a->body);
}

static bool read_answer(struct span head, struct answer *ret) {
    struct answer a = {0};
    struct span line = span_split(&head, '\n');
    if (!span_starts(line, SPAN("HTTP/1.1 ")) || !span_u64(span_take(span_skip(line, 9), 3), &a.status))
        return false;
    while (head.n) {
        line = span_split(&head, '\n');
        if (!read_header(line, &a)) return false;
    }
    *ret = a;
    return true;
}

static int fail(struct ws_client *c, const char *why, struct err *err) {
    c->state = FAILED;
    return err_set(err, -EPROTO, "%s", why);
}

/* The daemon says why, as {"error": sentence}. */
static int refused(struct ws_client *c, const struct answer *a, struct span body, struct err *err) {
    c->state = FAILED;
    c->refusal = (int)a->status;
    struct jmember m[] = {JMEMBER("error")};
    AUTO(arena) struct arena arena = ARENA_INIT(WS_CLIENT_HEAD_MAX);
    struct span why;
    if (jscan_object(body, m, ARRAY_LEN(m)) == 1 && jscan_string(m[0].value, &arena, &why) == 0 && why.n &&
        why.p[0])
        return err_set(err, -ECONNREFUSED, "%.*s", SPAN_ARG(why));
    return err_set(err, -ECONNREFUSED, "the daemon refuses with status %d", c->refusal);
}

static bool is_ours(const struct ws_client *c, const struct answer *a) {
    return span_ieq(a->upgrade, SPAN("websocket")) && span_eq_str(a->accept, c->accept) &&
           span_eq_str(a->protocol, c->protocol);
}

/* 1 when it is open: what follows the answer is left in c->head. */
static int take_answer(struct ws_client *c, struct err *err) {
    const char *end = c->head.n ? memmem(c->head.p, c->head.n, "\r\n\r\n", 4) : NULL;
    if (!end) return 0;
    size_t n = (size_t)(end + 4 - c->head.p);
    struct span rest = span_skip(buf_span(&c->head), n);
    struct answer a;
    if (!read_answer(span_of(c->head.p, n - 4), &a))
        return fail(c, "what listens there does not answer like an ostler", err);
    if (a.status != STATUS_SWITCHING) {
        bool whole = rest.n >= a.body || a.body > c->head.cap - n;
        return whole ? refused(c, &a, span_take(rest, a.body), err) : 0;
    }
    if (!is_ours(c, &a))
        return fail(c, "the daemon answers with another protocol: is it another version?", err);
    buf_consume(&c->head, n);
    return 1;
}

/* Cuts off `*bytes` what belongs to the answer. */
static int feed_answer(struct ws_client *c, struct span *bytes, struct err *err) {
    size_t before = c->head.n;
    struct span piece = span_take(*bytes, c->head.cap - before);
    if (piece.n == 0) return fail(c, "the daemon's answer is too long", err);
    (void)buf_append_span(&c->head, piece);
    int r = take_answer(c, err);
    if (r < 0) return r;
    *bytes = span_skip(*bytes, piece.n - (r ? c->head.n : 0));
    if (r == 0) return 0;
    buf_fini(&c->head);
    c->state = OPEN;
    c->events->opened(c->user);
    return 0;
}

int ws_client_feed(struct ws_client *c, struct span bytes, struct err *err) {
    assert(c->state != FAILED);
    while (c->state == ASKED && bytes.n) {
        int r = feed_answer(c, &bytes, err);
        if (r < 0) return r;
    }
    if (bytes.n) ws_recv_feed(c->recv, bytes);
    return 0;
}

int ws_client_refusal(const struct ws_client *c) {
    return c->refusal;
}

bool ws_client_is_open(const struct ws_client *c) {
    return c->state == OPEN && !ws_recv_ended(c->recv) && !ws_recv_close_sent(c->recv);
}

bool ws_client_ended(const struct ws_client *c) {
    return c->state == FAILED || ws_recv_ended(c->recv);
}

int ws_client_send(struct ws_client *c, struct span message, bool binary) {
    assert(ws_client_is_open(c));
    return ws_frame_append_masked(&c->out, binary ? WS_BINARY : WS_TEXT, message);
}

void ws_client_close(struct ws_client *c, uint16_t code) {
    if (c->state == OPEN) ws_recv_close(c->recv, code, SPAN_NONE);
}

struct buf *ws_client_out(struct ws_client *c) {
    return &c->out;
}
