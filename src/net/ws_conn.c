/*
 * The WebSocket side of a connection. Messages are pulled from the channel, and only when less than NET_UNSENT_MAX is
 * unsent, so a slow peer costs one message above that and no more. Reading stops, too, while that much is unsent: pongs
 * cannot pile up either.
 */
#include "net/exchange_int.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "net/handshake.h"
#include "net/ws_conn_int.h"

enum { REASON_MAX = 123 };

struct ws {
    struct conn *conn;
    const struct ws_channel *channel;
    void *user;
    struct ws_recv *recv;
    uint64_t holder;
    bool look_only;
    bool wants; /* the channel has something to say */
    bool paused;
    bool pinged;     /* a ping is out, and `heard` was reset then */
    bool heard;      /* something came from the peer */
    bool backlogged; /* bytes were unsent when the ping was queued */
    bool closing;    /* close wanted; nothing is pulled any more */
    bool hurried;    /* the deadline is that of the closing handshake */
    uint16_t code;
    char reason[REASON_MAX];
    size_t reason_n;
};

static void on_message(void *user, struct span message, bool binary) {
    struct ws *ws = user;
    if (!ws->closing) ws->channel->message(ws->user, message, binary);
}

static void on_control(void *user, struct span frame) {
    struct ws *ws = user;
    out_text(&ws->conn->out, frame);
}

static const struct ws_recv_events events = {.message = on_message, .control = on_control};

static bool check_handshake(struct http_exchange *x) {
    if (x->request.method != HTTP_GET || x->head || x->parsed.old) {
        http_reply_error(x, 400, "a WebSocket begins with GET and HTTP/1.1");
    } else if (!span_eq(http_header(x, SPAN("sec-websocket-version")), SPAN("13"))) {
        http_add_header(x, SPAN("Sec-WebSocket-Version"), SPAN("13"));
        http_reply_error(x, 426, "only version 13 of the WebSocket protocol is spoken here");
    } else if (!handshake_key_valid(http_header(x, SPAN("sec-websocket-key")))) {
        http_reply_error(x, 400, "Sec-WebSocket-Key is missing or malformed");
    } else {
        return true;
    }
    return false;
}

void ws_conn_upgrade(struct conn *c, struct http_exchange *x) {
    if (!check_handshake(x)) return;
    struct ws *ws = xcalloc(1, sizeof *ws);
    ws->conn = c;
    struct span protocol = SPAN_NONE;
    /* The exchange may be answered and gone when the channel is refused. */
    char accept[HANDSHAKE_ACCEPT_BYTES];
    handshake_accept(http_header(x, SPAN("sec-websocket-key")), accept);
    ws->channel = c->server->ops->upgrade(c->server->user, x, ws, &ws->user, &protocol);
    if (!ws->channel) {
        free(ws);
        return;
    }
    ws->recv = ws_recv_new(ws->channel->max_message, &events, ws);
    c->ws = ws;
    c->state = CONN_WS;
    reply_switch(x, accept, protocol);
    http_conn_dequeue(x);
    http_exchange_free(x);
    http_exchange_free(TAKE(c->http.spare));
    conn_deadline(c, c->server->limits.ping_ms);
    ws->channel->opened(ws->user, ws);
    if (c->server->closing) ws_conn_going_away(c); /* it was closed while the upgrade was decided */
}

void ws_conn_fini(struct conn *c) {
    struct ws *ws = c->ws;
    if (!ws) return;
    ws->channel->closed(ws->user);
    ws_recv_free(ws->recv);
    free(ws);
}

void ws_conn_input(struct conn *c, struct span bytes) {
    c->ws->heard = true;
    if (bytes.n) ws_recv_feed(c->ws->recv, bytes);
}

/* Behind an upgrade nothing is left of HTTP. */
size_t ws_conn_unread(const struct conn *c) {
    return ws_recv_unread(c->ws->recv);
}

void ws_conn_overdrawn(struct conn *c) {
    ws_close(c->ws, 1013, SPAN("too much is being sent at once: try again in a moment"));
    ws_recv_forget(c->ws->recv);
}

void ws_conn_pull(struct conn *c) {
    struct ws *ws = c->ws;
    while (ws->wants && !ws->closing && !ws_recv_close_sent(ws->recv) && conn_unsent(c) < NET_UNSENT_MAX &&
           c->out.count < NET_PIECES_MAX) {
        struct ws_frame *frame = ws->channel->next(ws->user);
        if (frame) {
            out_frame(&c->out, frame);
        } else {
            ws->wants = false;
        }
    }
    if (ws->closing) ws_recv_close(ws->recv, ws->code, span_of(ws->reason, ws->reason_n));
}

bool ws_conn_settle(struct conn *c) {
    struct ws *ws = c->ws;
    bool close_sent = ws_recv_close_sent(ws->recv), ended = ws_recv_ended(ws->recv);
    if ((close_sent || ws->closing) && !ws->hurried) {
        ws->hurried = true;
        conn_deadline(c, server_patience(c->server, NET_CLOSE_MS));
    }
    if (ended && conn_unsent(c) == 0) {
        conn_linger(c);
        return true;
    }
    /* Behind our close only the peer's is waited for, however much the channel wanted to pause. */
    return close_sent || (!ws->paused && conn_unsent(c) < NET_UNSENT_MAX);
}

/* Alive is who sends anything, or takes what is sent: a ping may be stuck behind a large message. A channel that does
 * not want to read cannot expect to see a pong. */
static bool is_alive(const struct conn *c) {
    const struct ws *ws = c->ws;
    bool backlog = ws->backlogged || conn_unsent(c) > 0;
    return ws->heard || ws->paused || (backlog && conn_progress(c) != c->progress);
}

void ws_conn_expired(struct conn *c) {
    struct ws *ws = c->ws;
    const struct http_limits *l = &c->server->limits;
    if (!ws->hurried && !ws->pinged) {
        ws->pinged = true;
        ws->heard = false;
        ws->backlogged = conn_unsent(c) > 0;
        ws_recv_ping(ws->recv);
        conn_deadline(c, l->pong_ms);
    } else if (!ws->hurried && is_alive(c)) {
        ws->pinged = false;
        conn_deadline(c, l->ping_ms > l->pong_ms ? l->ping_ms - l->pong_ms : l->ping_ms);
    } else {
        conn_close(c);
    }
}

void ws_want_write(struct ws *ws) {
    ws->wants = true;
    conn_touch(ws->conn);
}

void ws_close(struct ws *ws, uint16_t code, struct span reason) {
    if (ws->closing) return;
    reason = utf8_cut_bytes(reason, REASON_MAX);
    ws->closing = true;
    ws->code = code;
    ws->reason_n = reason.n;
    if (reason.n) memcpy(ws->reason, reason.p, reason.n);
    conn_touch(ws->conn);
}

void ws_set_look_only(struct ws *ws, bool look_only) {
    ws->look_only = look_only;
}

bool ws_is_look_only(const struct ws *ws) {
    return ws->look_only;
}

void ws_set_holder(struct ws *ws, uint64_t holder) {
    ws->holder = holder;
}

uint64_t ws_conn_holder(const struct conn *c) {
    return c->ws->holder;
}

void ws_pause(struct ws *ws, bool paused) {
    ws->paused = paused;
    conn_touch(ws->conn);
}

void ws_conn_going_away(struct conn *c) {
    ws_close(c->ws, 1001, SPAN("the server is stopping"));
}
