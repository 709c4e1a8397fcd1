/* A WebSocket client against a server made of our own receiving half, and against answers that are none. */
#include "net/handshake.h"
#include "net/ws_client.h"
#include "net/ws_frame_int.h"
#include "net/ws_recv.h"
#include "test.h"

#include <errno.h>

enum { MAX_MESSAGE = 100000 };

struct end {
    struct buf messages; /* "t:…" or "b:…", a line each */
    struct buf control;
    int opened;
};

static void on_opened(void *user) {
    ((struct end *)user)->opened++;
}

static void on_message(void *user, struct span message, bool binary) {
    struct end *e = user;
    CHECK_INT(buf_printf(&e->messages, "%c:%.*s\n", binary ? 'b' : 't', SPAN_ARG(message)), 0);
}

static void on_control(void *user, struct span frame) {
    CHECK_INT(buf_append_span(&((struct end *)user)->control, frame), 0);
}

static const struct ws_client_events client_events = {.opened = on_opened, .message = on_message};
static const struct ws_recv_events server_events = {.message = on_message, .control = on_control};

static struct end end_make(void) {
    return (struct end){.messages = BUF_INIT(1 << 20), .control = BUF_INIT(1 << 20)};
}

static void end_fini(struct end *e) {
    buf_fini(&e->messages);
    buf_fini(&e->control);
}

static struct ws_client *start(struct end *e) {
    *e = end_make();
    return ws_client_new(3333, "/ws/x?offset=7", "ostler.tty.v1", MAX_MESSAGE, &client_events, e);
}

/* The answer that its request deserves; the request is taken. */
static struct buf answer_to(struct ws_client *c, const char *protocol) {
    struct span request = buf_span(ws_client_out(c));
    CHECK(span_starts(request, SPAN("GET /ws/x?offset=7 HTTP/1.1\r\nHost: localhost:3333\r\n")));
    const char *key = memmem(request.p, request.n, "Key: ", 5);
    CHECK(key);
    char accept[HANDSHAKE_ACCEPT_BYTES];
    CHECK(handshake_key_valid(span_of(key + 5, 24)));
    handshake_accept(span_of(key + 5, 24), accept);
    struct buf answer = BUF_INIT(4096);
    CHECK_INT(buf_printf(&answer,
                         "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nconnection: upgrade\r\n"
                         "sec-websocket-accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
                         accept, protocol),
              0);
    buf_consume(ws_client_out(c), request.n);
    return answer;
}

static struct ws_client *open_one(struct end *e) {
    struct ws_client *c = start(e);
    struct buf answer = answer_to(c, "ostler.tty.v1");
    CHECK_INT(ws_client_feed(c, buf_span(&answer), NULL), 0);
    buf_fini(&answer);
    CHECK(ws_client_is_open(c));
    return c;
}

TEST(opens_however_the_answer_is_cut) {
    for (size_t piece = 1; piece < 40; piece++) {
        struct end e;
        struct ws_client *c = start(&e);
        struct buf bytes = answer_to(c, "ostler.tty.v1");
        CHECK_INT(buf_append(&bytes, "\x81\x05hello\x82\x01x", 10), 0);
        struct span rest = buf_span(&bytes);
        while (rest.n) {
            CHECK_INT(ws_client_feed(c, span_take(rest, piece), NULL), 0);
            rest = span_skip(rest, piece);
        }
        CHECK_INT(e.opened, 1);
        CHECK_SPAN(buf_span(&e.messages), "t:hello\nb:x\n");
        buf_fini(&bytes);
        ws_client_free(c);
        end_fini(&e);
    }
}

TEST(a_long_first_message_may_come_with_the_answer) {
    struct end e;
    struct ws_client *c = start(&e);
    struct buf answer = answer_to(c, "ostler.tty.v1");
    struct buf bytes = BUF_INIT(1 << 20);
    char head[WS_HEADER_MAX], *long_one = calloc(1, 90000);
    CHECK(long_one);
    memset(long_one, 'a', 90000);
    CHECK_INT(buf_append_span(&bytes, buf_span(&answer)), 0);
    CHECK_INT(buf_append(&bytes, head, ws_frame_header(head, WS_BINARY, 90000)), 0);
    CHECK_INT(buf_append(&bytes, long_one, 90000), 0);
    CHECK_INT(ws_client_feed(c, buf_span(&bytes), NULL), 0);
    CHECK_INT(e.messages.n, 90000 + 3);
    free(long_one);
    buf_fini(&answer);
    buf_fini(&bytes);
    ws_client_free(c);
    end_fini(&e);
}

TEST(what_it_sends_is_masked_and_arrives) {
    struct end e, s = end_make();
    struct ws_client *c = open_one(&e);
    struct ws_recv *server = ws_recv_new(MAX_MESSAGE, &server_events, &s);
    CHECK_INT(ws_client_send(c, SPAN("\x1b[A and more than four bytes"), true), 0);
    CHECK_INT(ws_client_send(c, SPAN("{\"type\":\"resize\"}"), false), 0);
    CHECK_INT(ws_client_send(c, SPAN_NONE, true), 0);
    struct buf *out = ws_client_out(c);
    CHECK(!memmem(out->p, out->n, "resize", 6));
    ws_recv_feed(server, buf_span(out));
    CHECK_SPAN(buf_span(&s.messages), "b:\x1b[A and more than four bytes\nt:{\"type\":\"resize\"}\nb:\n");
    CHECK_INT(s.control.n, 0);
    ws_recv_free(server);
    ws_client_free(c);
    end_fini(&e);
    end_fini(&s);
}

TEST(pings_and_the_close_are_answered) {
    struct end e, s = end_make();
    struct ws_client *c = open_one(&e);
    struct ws_recv *server = ws_recv_new(MAX_MESSAGE, &server_events, &s);
    CHECK_INT(ws_client_feed(c, SPAN("\x89\x02hi\x01\x02he\x89\x00\x80\x03llo"), NULL), 0);
    CHECK_SPAN(buf_span(&e.messages), "t:hello\n");
    CHECK(ws_client_out(c)->n >= 6 + 2 + 6);
    CHECK_INT((unsigned char)ws_client_out(c)->p[0], 0x8a);
    ws_recv_feed(server, buf_span(ws_client_out(c)));
    CHECK(!ws_recv_ended(server)); /* both pongs were good */
    buf_clear(ws_client_out(c));

    CHECK(!ws_client_ended(c));
    CHECK_INT(ws_client_feed(c, span_of("\x88\x02\x03\xe9", 4), NULL), 0);
    CHECK(ws_client_ended(c) && !ws_client_is_open(c));
    ws_recv_feed(server, buf_span(ws_client_out(c)));
    CHECK(ws_recv_ended(server));
    ws_recv_free(server);
    ws_client_free(c);
    end_fini(&e);
    end_fini(&s);
}

TEST(a_server_that_breaks_the_rules_is_left) {
    static const struct {
        const char *bytes;
        size_t n;
    } wrong[] = {{"\xc1\x00", 2},     /* reserved bits */
                 {"\x81\x01\xff", 3}, /* no UTF-8 */
                 {"\x82\x7f\0\0\0\0\xff\0\0\0x", 11}};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct end e;
        struct ws_client *c = open_one(&e);
        CHECK_INT(ws_client_feed(c, span_of(wrong[i].bytes, wrong[i].n), NULL), 0);
        CHECK(ws_client_ended(c));
        CHECK_INT((unsigned char)ws_client_out(c)->p[0], 0x88);
        CHECK(ws_client_out(c)->p[1] & 0x80);
        CHECK_INT(e.messages.n, 0);
        ws_client_free(c);
        end_fini(&e);
    }
}

static void check_refused(const char *answer, int r, int status, const char *words) {
    struct end e;
    struct ws_client *c = start(&e);
    struct err err = {0};
    CHECK_INT(ws_client_feed(c, span_str(answer), &err), r);
    CHECK_INT(ws_client_refusal(c), status);
    CHECK(strstr(err.msg, words));
    CHECK(ws_client_ended(c));
    ws_client_free(c);
    end_fini(&e);
}

TEST(refusals_say_why) {
    check_refused("HTTP/1.1 404 Not Found\r\nContent-Length: 29\r\n\r\n{\"error\":\"Session not found\"}",
                  -ECONNREFUSED, 404, "Session not found");
    check_refused("HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy", -ECONNREFUSED, 503, "status 503");
    check_refused("HTTP/1.1 403 No\r\n\r\n", -ECONNREFUSED, 403, "status 403");
    check_refused("SSH-2.0-OpenSSH_9.2\r\n\r\n", -EPROTO, 0, "like an ostler");
    check_refused("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", -EPROTO, 0, "like an ostler");
    check_refused("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n", -EPROTO,
                  0, "another version");
    char *endless = calloc(1, WS_CLIENT_HEAD_MAX + 2);
    CHECK(endless);
    memset(endless, 'H', WS_CLIENT_HEAD_MAX + 1);
    check_refused(endless, -EPROTO, 0, "too long");
    free(endless);
}

TEST(another_subprotocol_is_not_taken) {
    struct end e;
    struct ws_client *c = start(&e);
    struct buf answer = answer_to(c, "ostler.tty.v2");
    CHECK_INT(ws_client_feed(c, buf_span(&answer), NULL), -EPROTO);
    CHECK_INT(e.opened, 0);
    buf_fini(&answer);
    ws_client_free(c);
    end_fini(&e);
}

TEST(what_waits_is_bounded) {
    struct end e;
    struct ws_client *c = open_one(&e);
    char *piece = calloc(1, 1 << 20);
    CHECK(piece);
    int r = 0, sent = 0;
    for (; sent < 100 && (r = ws_client_send(c, span_of(piece, 1 << 20), true)) == 0; sent++)
        ;
    CHECK_INT(r, -ENOBUFS);
    CHECK(sent >= 7 && sent < 9);
    free(piece);
    ws_client_free(c);
    end_fini(&e);
}

TESTS(RUN(opens_however_the_answer_is_cut), RUN(a_long_first_message_may_come_with_the_answer),
      RUN(what_it_sends_is_masked_and_arrives), RUN(pings_and_the_close_are_answered),
      RUN(a_server_that_breaks_the_rules_is_left), RUN(refusals_say_why),
      RUN(another_subprotocol_is_not_taken), RUN(what_waits_is_bounded))
