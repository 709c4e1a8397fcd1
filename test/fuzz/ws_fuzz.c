/* A WebSocket peer that sends arbitrary bytes. However they are cut into pieces, the same messages must come out. */
#include "base/buf.h"
#include "base/utf8.h"
#include "net/ws_recv.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_MESSAGE = 300 };

static void require(bool condition) {
    if (!condition) abort();
}

struct peer {
    struct buf messages;
    struct buf control;
};

static void on_message(void *user, struct span message, bool binary) {
    struct peer *peer = user;
    require(message.n <= MAX_MESSAGE && (binary || utf8_valid(message)));
    (void)buf_printf(&peer->messages, "%d %zu ", binary, message.n);
    (void)buf_append_span(&peer->messages, message);
}

static void on_control(void *user, struct span frame) {
    (void)buf_append_span(&((struct peer *)user)->control, frame);
}

static const struct ws_recv_events events = {.message = on_message, .control = on_control};

/* Only whole pongs, and one close at the end. */
static void check_control(struct span bytes) {
    bool closed = false;
    while (bytes.n) {
        require(!closed && bytes.n >= 2);
        unsigned char first = (unsigned char)bytes.p[0], n = (unsigned char)bytes.p[1];
        require((first == 0x8a || first == 0x88) && n <= 125 && bytes.n >= (size_t)n + 2);
        closed = first == 0x88;
        bytes = span_skip(bytes, (size_t)n + 2);
    }
}

static void receive(struct span bytes, size_t piece, struct peer *ret) {
    *ret = (struct peer){.messages = BUF_INIT(1 << 20), .control = BUF_INIT(1 << 20)};
    struct ws_recv *r = ws_recv_new(MAX_MESSAGE, &events, ret);
    while (bytes.n) {
        ws_recv_feed(r, span_take(bytes, piece));
        bytes = span_skip(bytes, piece);
    }
    if (ws_recv_ended(r)) require(ws_recv_close_sent(r));
    ws_recv_close(r, 1001, SPAN("bye"));
    require(ws_recv_close_sent(r));
    ws_recv_free(r);
    check_control(buf_span(&ret->control));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    struct span bytes = span_of((const char *)data + 1, size - 1);
    struct peer whole, cut;
    receive(bytes, bytes.n, &whole);
    receive(bytes, 1 + data[0] % 32, &cut);
    require(span_eq(buf_span(&whole.messages), buf_span(&cut.messages)));
    buf_fini(&whole.messages);
    buf_fini(&whole.control);
    buf_fini(&cut.messages);
    buf_fini(&cut.control);
    return 0;
}
