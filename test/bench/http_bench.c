/* A server to measure with wrk: GET answers with 100 bytes of JSON, /big with a megabyte, a WebSocket echoes.
 * http_bench [port [file]]: with a file for its key it speaks TLS. */
#include "base/mem.h"
#include "net/http.h"
#include "net/tls.h"

#include <stdio.h>
#include <stdlib.h>

static void on_request(void *user UNUSED, struct http_exchange *x) {
    static const char json[] =
        "{\"status\":\"ok\",\"version\":\"0.1.0\",\"pid\":4711,\"uptimeMs\":123456,\"problems\":"
        "[],\"note\":\"0123456789\",\"n\":1}";
    static const char big[1 << 20];
    if (span_eq(http_request(x)->path, SPAN("/big"))) {
        http_reply_static(x, 200, SPAN("application/octet-stream"), span_of(big, sizeof big));
        return;
    }
    http_reply(x, 200, SPAN("application/json"), span_of(json, sizeof json - 1));
}

struct echo {
    struct ws *ws;
    struct ws_frame *frame;
};

static void on_opened(void *user, struct ws *ws) {
    ((struct echo *)user)->ws = ws;
}

static void on_message(void *user, struct span message, bool binary UNUSED) {
    struct echo *e = user;
    ws_frame_unref(e->frame);
    e->frame = ws_frame_text(message);
    ws_want_write(e->ws);
}

static struct ws_frame *on_next(void *user) {
    struct echo *e = user;
    struct ws_frame *frame = e->frame;
    e->frame = NULL;
    return frame;
}

static void on_closed(void *user) {
    struct echo *e = user;
    ws_frame_unref(e->frame);
    free(e);
}

static const struct ws_channel channel = {
    .max_message = 1024 * 1024,
    .opened = on_opened,
    .message = on_message,
    .next = on_next,
    .closed = on_closed,
};

static const struct ws_channel *on_upgrade(void *user UNUSED, struct http_exchange *x UNUSED,
                                           struct ws *ws UNUSED, void **ret_user,
                                           struct span *ret_protocol UNUSED) {
    *ret_user = xcalloc(1, sizeof(struct echo));
    return &channel;
}

int main(int argc, char **argv) {
    static const struct http_ops ops = {.request = on_request, .upgrade = on_upgrade};
    uint64_t port = 0;
    if (argc > 1 && !span_u64(span_str(argv[1]), &port)) return 2;
    struct http_server *server;
    struct err err = {0};
    if (http_open(uv_default_loop(), "127.0.0.1", (uint16_t)port, NULL, &ops, NULL, &server, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    struct tls *tls = NULL;
    if (argc > 2 && tls_open_own(argv[2], NULL, &tls, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    http_use_tls(server, tls);
    (void)printf("%u\n", http_port(server));
    (void)fflush(stdout);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
