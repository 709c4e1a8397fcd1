/* Pieces of WebSocket messages count like bodies: what all keep together has a limit, and nothing is kept for who was told to go. */
#include "fixture.h"
#include "frames.h"
#include "test.h"

#include "base/cleanup.h"
#include "base/mem.h"

enum { SOCKETS = 12, PIECE = 30000, UNREAD = 400000, MESSAGE_MAX = 10 * PIECE, BEGINS = 0x02, ENDS = 0x80 };

/* A channel that counts what it is told. */
struct ear {
    struct ws *ws;
    size_t messages, bytes;
    unsigned closed;
};

static void on_opened(void *user, struct ws *ws) {
    struct ear *e = user;
    e->ws = ws;
}

static void on_message(void *user, struct span message, bool binary UNUSED) {
    struct ear *e = user;
    e->messages++;
    e->bytes += message.n;
}

static struct ws_frame *on_next(void *user UNUSED) {
    return NULL;
}

static void on_closed(void *user) {
    struct ear *e = user;
    e->closed++;
}

static const struct ws_channel channel = {.max_message = MESSAGE_MAX,
                                          .opened = on_opened,
                                          .message = on_message,
                                          .next = on_next,
                                          .closed = on_closed};

static void open_socket(struct fixture *f, struct client *c, struct ear *e) {
    f->channel = &channel;
    f->channel_user = e;
    client_open(c, f);
    client_upgrade(c, "/ws");
}

/* All that was sent has been read when the answer to a ping is there; a close would come behind it, and no other answer. */
static bool is_still_in(struct client *c) {
    frames_send(c, ENDS | PING, SPAN_NONE);
    if (frames_want(c).opcode != PONG) return false;
    frames_send(c, ENDS | PING, SPAN_NONE);
    return frames_want(c).opcode == PONG;
}

static void close_all(struct client *clients, size_t n, struct fixture *f) {
    for (size_t i = 0; i < n; i++)
        client_close(&clients[i]);
    fixture_close(f);
}

TEST(too_much_at_once_ends_who_made_it_too_much) {
    struct fixture f;
    struct client c[SOCKETS];
    struct ear e[SOCKETS] = {0};
    AUTO(free) char *piece = xcalloc(1, PIECE);
    size_t in = 0;
    fixture_open(&f, &(struct http_limits){.unread = UNREAD});
    for (size_t i = 0; i < SOCKETS; i++)
        open_socket(&f, &c[i], &e[i]);
    while (in < SOCKETS) {
        frames_send(&c[in], BEGINS, span_of(piece, PIECE));
        frames_send(&c[in], 0, span_of(piece, PIECE));
        if (!is_still_in(&c[in])) break;
        in++;
    }
    CHECK(in > 1 && in < SOCKETS);
    CHECK_INT(e[in].messages, 0);
    /* The others keep what they have, and those that want nothing more are not disturbed. */
    for (size_t i = 0; i < SOCKETS; i++)
        if (i != in) CHECK(is_still_in(&c[i]));
    for (size_t i = 0; i < in; i++) {
        frames_send(&c[i], ENDS, SPAN_NONE);
        CHECK(is_still_in(&c[i]));
        CHECK_INT(e[i].messages, 1);
        CHECK_INT(e[i].bytes, 2 * PIECE);
    }
    /* Those are whole now, so there is room again. */
    frames_send(&c[SOCKETS - 1], BEGINS | ENDS, span_of(piece, PIECE));
    CHECK(is_still_in(&c[SOCKETS - 1]));
    CHECK_INT(e[SOCKETS - 1].messages, 1);
    close_all(c, SOCKETS, &f);
}

TEST(the_code_says_to_try_again) {
    struct fixture f;
    struct client c;
    struct ear e = {0};
    AUTO(free) char *piece = xcalloc(1, PIECE);
    fixture_open(&f, &(struct http_limits){.unread = PIECE});
    open_socket(&f, &c, &e);
    frames_send(&c, BEGINS, span_of(piece, PIECE));
    frames_send(&c, 0, span_of(piece, PIECE));
    frames_want_close(&c, 1013);
    frames_send(&c, ENDS | CLOSE, SPAN("\x03\xf5"));
    client_want_eof(&c);
    CHECK_INT(e.messages, 0);
    while (!e.closed)
        fixture_turn(&f);
    close_all(&c, 1, &f);
}

/* Who was told to go need not go at once, and may send what it likes until then: nobody will read it. */
TEST(behind_our_close_nothing_is_kept) {
    struct fixture f;
    struct client c[2];
    struct ear e = {0};
    AUTO(free) char *piece = xcalloc(1, PIECE);
    fixture_open(&f, &(struct http_limits){.unread = UNREAD});
    open_socket(&f, &c[0], &e);
    ws_close(e.ws, 4001, SPAN("Unauthorized"));
    frames_want_close(&c[0], 4001);
    frames_send(&c[0], BEGINS, span_of(piece, PIECE));
    for (int i = 1; i < MESSAGE_MAX / PIECE; i++)
        frames_send(&c[0], 0, span_of(piece, PIECE));
    client_open(&c[1], &f); /* behind that */
    client_send_str(&c[1], "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK_BODY(&c[1], "/a");
    client_send_str(&c[1], "POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
    CHECK_STATUS(&c[1], 401);
    client_close(&c[1]);
    client_open(&c[1], &f);
    client_send_str(
        &c[1], "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 200000\r\n\r\n");
    CHECK_STATUS(&c[1], 100);
    CHECK_INT(e.messages, 0);
    close_all(c, 2, &f);
}

TESTS(RUN(too_much_at_once_ends_who_made_it_too_much), RUN(the_code_says_to_try_again),
      RUN(behind_our_close_nothing_is_kept))
