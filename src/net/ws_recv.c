#include "net/ws_recv.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "net/ws_frame_int.h"

#include <sys/random.h>
#include <wslay/wslay.h>

/* Memory above this is given back between messages: as many as may connect must not use up the budget while they say nothing. */
enum { KEEP_BYTES = 4 * 1024 };

struct ws_recv {
    wslay_event_context_ptr wslay;
    const struct ws_recv_events *events;
    void *user;
    struct span input;  /* what ws_recv_feed() has not handed on yet */
    struct buf message; /* assembled here: wslay would keep one block for every fragment */
    bool client;
    bool data_frame; /* the frame being received is part of a message */
    bool forgotten;  /* messages are dropped */
    bool close_sent;
    bool ended;
};

static void end(struct ws_recv *r) {
    r->ended = true;
    wslay_event_shutdown_read(r->wslay);
}

/* A control frame of our own; wslay makes the pongs, and the answer to a close. */
static void send_frame(struct ws_recv *r, enum ws_opcode opcode, struct span payload) {
    char frame[WS_HEADER_MAX + WS_CONTROL_MAX];
    AUTO(buf) struct buf masked = BUF_INIT(256);
    if (r->client) {
        if (ws_frame_append_masked(&masked, opcode, payload) == 0)
            r->events->control(r->user, buf_span(&masked));
        return;
    }
    size_t n = ws_frame_header(frame, opcode, payload.n);
    if (payload.n) memcpy(frame + n, payload.p, payload.n);
    r->events->control(r->user, span_of(frame, n + payload.n));
}

static void send_close(struct ws_recv *r, uint16_t code, struct span reason) {
    if (r->close_sent) return;
    r->close_sent = true;
    if (reason.n > WS_CONTROL_MAX - 2 || !utf8_valid(reason)) reason = SPAN_NONE;
    char payload[WS_CONTROL_MAX] = {(char)(code >> 8), (char)(code & 0xff)};
    if (reason.n) memcpy(payload + 2, reason.p, reason.n);
    send_frame(r, WS_CLOSE, span_of(payload, 2 + reason.n));
}

static void violate(struct ws_recv *r, uint16_t code) {
    send_close(r, code, SPAN_NONE);
    end(r);
}

static ssize_t on_want(wslay_event_context_ptr wslay, uint8_t *to, size_t n, int flags UNUSED, void *user) {
    struct ws_recv *r = user;
    struct span part = span_take(r->input, n);
    if (part.n == 0) {
        wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    memcpy(to, part.p, part.n);
    r->input = span_skip(r->input, part.n);
    return (ssize_t)part.n;
}

static ssize_t on_send(wslay_event_context_ptr wslay UNUSED, const uint8_t *p, size_t n, int flags UNUSED,
                       void *user) {
    struct ws_recv *r = user;
    r->events->control(r->user, span_of((const char *)p, n));
    return (ssize_t)n;
}

static void on_frame(wslay_event_context_ptr wslay UNUSED,
                     const struct wslay_event_on_frame_recv_start_arg *arg, void *user) {
    struct ws_recv *r = user;
    r->data_frame = !wslay_is_ctrl_frame(arg->opcode);
    if (r->data_frame && arg->payload_length > r->message.cap - r->message.n)
        violate(r, WSLAY_CODE_MESSAGE_TOO_BIG);
}

static void on_part(wslay_event_context_ptr wslay UNUSED,
                    const struct wslay_event_on_frame_recv_chunk_arg *arg, void *user) {
    struct ws_recv *r = user;
    if (!r->data_frame || r->ended || r->forgotten || r->close_sent) return; /* nobody waits for it */
    if (buf_append(&r->message, arg->data, arg->data_length) < 0) violate(r, WSLAY_CODE_MESSAGE_TOO_BIG);
}

static void take_message(struct ws_recv *r, bool binary) {
    /* After our close nobody waits for more. */
    if (!r->close_sent && !r->forgotten) r->events->message(r->user, buf_span(&r->message), binary);
    if (r->message.room > KEEP_BYTES) buf_fini(&r->message);
    buf_clear(&r->message);
}

static void on_message(wslay_event_context_ptr wslay UNUSED, const struct wslay_event_on_msg_recv_arg *arg,
                       void *user) {
    struct ws_recv *r = user;
    if (r->ended) return;
    if (!wslay_is_ctrl_frame(arg->opcode)) take_message(r, arg->opcode == WSLAY_BINARY_FRAME);
}

static int on_mask(wslay_event_context_ptr wslay UNUSED, uint8_t *to, size_t n, void *user UNUSED) {
    return getentropy(to, n) == 0 ? 0 : -1;
}

static const struct wslay_event_callbacks callbacks = {
    .recv_callback = on_want,
    .send_callback = on_send,
    .on_frame_recv_start_callback = on_frame,
    .on_frame_recv_chunk_callback = on_part,
    .on_msg_recv_callback = on_message,
    .genmask_callback = on_mask,
};

static struct ws_recv *make(bool client, size_t max_message, const struct ws_recv_events *events,
                            void *user) {
    struct ws_recv *r = xcalloc(1, sizeof *r);
    r->events = events;
    r->user = user;
    r->client = client;
    r->message = BUF_INIT(max_message);
    /* It fails only when memory is out, and then the program ends as it does in mem.c. */
    int (*init)(wslay_event_context_ptr *, const struct wslay_event_callbacks *, void *) =
        client ? wslay_event_context_client_init : wslay_event_context_server_init;
    if (init(&r->wslay, &callbacks, r) != 0) abort();
    wslay_event_config_set_no_buffering(r->wslay, 1);
    wslay_event_config_set_max_recv_msg_length(r->wslay, MAX(max_message, (size_t)WS_CONTROL_MAX));
    return r;
}

struct ws_recv *ws_recv_new(size_t max_message, const struct ws_recv_events *events, void *user) {
    return make(false, max_message, events, user);
}

struct ws_recv *ws_recv_new_client(size_t max_message, const struct ws_recv_events *events, void *user) {
    return make(true, max_message, events, user);
}

void ws_recv_free(struct ws_recv *r) {
    if (!r) return;
    wslay_event_context_free(r->wslay);
    buf_fini(&r->message);
    free(r);
}

/* What wslay wants to send: pongs, and a close as the answer to one or for a violation. A close of ours that went
 * out before is the last frame there may be. */
static void send_control(struct ws_recv *r) {
    if (!wslay_event_want_write(r->wslay)) return;
    if (r->close_sent) {
        wslay_event_shutdown_write(r->wslay);
        return;
    }
    (void)wslay_event_send(r->wslay);
    if (wslay_event_get_close_sent(r->wslay)) r->close_sent = true;
}

void ws_recv_feed(struct ws_recv *r, struct span bytes) {
    if (r->ended) return;
    r->input = bytes;
    /* wslay closes without a code when a frame cannot be parsed at all; the peer shall know what it did. */
    if (wslay_event_recv(r->wslay) != 0) violate(r, WSLAY_CODE_PROTOCOL_ERROR);
    send_control(r);
    if (!wslay_event_get_read_enabled(r->wslay)) r->ended = true;
    r->input = SPAN_NONE;
}

void ws_recv_ping(struct ws_recv *r) {
    if (!r->close_sent) send_frame(r, WS_PING, SPAN_NONE);
}

void ws_recv_close(struct ws_recv *r, uint16_t code, struct span reason) {
    send_close(r, code, reason);
}

size_t ws_recv_unread(const struct ws_recv *r) {
    return r->message.room;
}

void ws_recv_forget(struct ws_recv *r) {
    buf_fini(&r->message);
    r->forgotten = true;
}

bool ws_recv_close_sent(const struct ws_recv *r) {
    return r->close_sent;
}

bool ws_recv_ended(const struct ws_recv *r) {
    return r->ended;
}
