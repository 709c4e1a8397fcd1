/* A server that answers a WebSocket client with arbitrary bytes. However they are cut into pieces, the same comes of them. An
 * 'A' at the beginning stands for a good answer to the handshake, which cannot be guessed. */
#include "base/utf8.h"
#include "net/handshake.h"
#include "net/ws_client.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_MESSAGE = 300 };

static void require(bool condition) {
    if (!condition) abort();
}

static void on_opened(void *user) {
    (void)buf_append_char(user, 'o');
}

static void on_message(void *user, struct span message, bool binary) {
    require(message.n <= MAX_MESSAGE && (binary || utf8_valid(message)));
    (void)buf_printf(user, "%d %zu ", binary, message.n);
    (void)buf_append_span(user, message);
}

static const struct ws_client_events events = {.opened = on_opened, .message = on_message};

static void good_answer(struct ws_client *c) {
    char accept[HANDSHAKE_ACCEPT_BYTES], text[256];
    struct buf *out = ws_client_out(c);
    const char *key = memmem(out->p, out->n, "Key: ", 5);
    require(key != NULL);
    handshake_accept(span_of(key + 5, 24), accept);
    int n = snprintf(text, sizeof text,
                     "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n"
                     "Sec-WebSocket-Protocol: p\r\n\r\n",
                     accept);
    require(ws_client_feed(c, span_of(text, (size_t)n), NULL) == 0 && ws_client_is_open(c));
}

static int receive(struct span bytes, bool good, size_t piece, struct buf *told) {
    struct ws_client *c = ws_client_new(1, "/", "p", MAX_MESSAGE, &events, told);
    struct err err = {0};
    int r = 0;
    if (good) good_answer(c);
    while (bytes.n && r == 0) {
        r = ws_client_feed(c, span_take(bytes, piece), &err);
        bytes = span_skip(bytes, piece);
    }
    if (r < 0) require(err.code == r && err.msg[0] && ws_client_ended(c));
    if (ws_client_is_open(c)) require(ws_client_send(c, SPAN("x"), false) == 0);
    ws_client_close(c, 1000);
    ws_client_free(c);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    struct span bytes = span_of((const char *)data + 1, size - 1);
    bool good = bytes.p[0] == 'A';
    if (good) bytes = span_skip(bytes, 1);
    struct buf whole = BUF_INIT(1 << 20), cut = BUF_INIT(1 << 20);
    int a = receive(bytes, good, bytes.n ? bytes.n : 1, &whole);
    int b = receive(bytes, good, 1 + data[0] % 32, &cut);
    require(a == b && span_eq(buf_span(&whole), buf_span(&cut)));
    buf_fini(&whole);
    buf_fini(&cut);
    return 0;
}
