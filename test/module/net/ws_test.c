#include "fixture.h"
#include "frames.h"
#include "test.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <sys/socket.h>

enum { MAX_MESSAGE = 100000 };

/* A channel that echoes, or says what the test gave it. */
struct channel {
    struct ws *ws;
    struct buf said; /* messages that came, with a '|' behind each */
    bool binary;     /* the last one */
    struct ws_frame *echo;
    struct ws_frame *endless; /* said again and again */
    size_t pulled;
    unsigned opened, closed;
    uint16_t close_code; /* wanted by the next message */
};

static void on_opened(void *user, struct ws *ws) {
    struct channel *ch = user;
    ch->ws = ws;
    ch->opened++;
    if (ch->endless) ws_want_write(ws);
}

static void on_message(void *user, struct span message, bool binary) {
    struct channel *ch = user;
    (void)buf_append_span(&ch->said, message);
    (void)buf_append_char(&ch->said, '|');
    ch->binary = binary;
    ws_frame_unref(ch->echo);
    ch->echo = binary ? ws_frame_binary(SPAN_NONE, message) : ws_frame_text(message);
    ws_want_write(ch->ws);
    if (ch->close_code) ws_close(ch->ws, ch->close_code, SPAN("enough"));
}

static struct ws_frame *on_next(void *user) {
    struct channel *ch = user;
    if (ch->endless) {
        ch->pulled += ws_frame_bytes(ch->endless);
        return ws_frame_ref(ch->endless);
    }
    return TAKE(ch->echo);
}

static void on_closed(void *user) {
    struct channel *ch = user;
    ch->closed++;
    ch->ws = NULL;
}

static const struct ws_channel echo_channel = {
    .max_message = MAX_MESSAGE,
    .opened = on_opened,
    .message = on_message,
    .next = on_next,
    .closed = on_closed,
};

struct setting {
    struct fixture f;
    struct channel ch;
    struct client c;
};

static void setting_open(struct setting *s, const struct http_limits *limits, struct ws_frame *endless) {
    s->ch = (struct channel){.said = BUF_INIT(1 << 20), .endless = endless};
    fixture_open(&s->f, limits);
    s->f.channel = &echo_channel;
    s->f.channel_user = &s->ch;
    client_open(&s->c, &s->f);
    client_upgrade(&s->c, "/ws");
}

static void setting_close(struct setting *s) {
    client_close(&s->c);
    fixture_close(&s->f);
    CHECK_INT(s->ch.opened, 1);
    CHECK_INT(s->ch.closed, 1);
    buf_fini(&s->ch.said);
    ws_frame_unref(s->ch.echo);
    ws_frame_unref(s->ch.endless);
}

static void send_text(struct client *c, const char *text) {
    frames_send(c, 0x81, span_str(text));
}

static void check_text(struct client *c, const char *expected) {
    struct frame f = frames_want(c);
    CHECK_INT(f.opcode, 1);
    CHECK_SPAN(f.payload, expected);
}

TEST(echoes_messages_of_all_sizes) {
    static const size_t sizes[] = {0, 1, 125, 126, 65535, 65536, MAX_MESSAGE};
    struct setting s;
    setting_open(&s, NULL, NULL);
    AUTO(free) char *text = xcalloc(1, MAX_MESSAGE + 1);
    memset(text, 'x', MAX_MESSAGE);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        frames_send(&s.c, 0x82, span_of(text, sizes[i]));
        struct frame f = frames_want(&s.c);
        CHECK_INT(f.opcode, 2);
        CHECK(span_eq(f.payload, span_of(text, sizes[i])));
    }
    CHECK(s.ch.binary);
    setting_close(&s);
}

TEST(takes_frames_that_came_with_the_handshake) {
    struct setting s = {.ch = {.said = BUF_INIT(1000)}};
    fixture_open(&s.f, NULL);
    s.f.channel = &echo_channel;
    s.f.channel_user = &s.ch;
    client_open(&s.c, &s.f);
    client_send_str(&s.c, "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    client_send_str(&s.c, "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    send_text(&s.c, "early");
    CHECK_BODY(&s.c, "/a");
    while (s.f.later_count < 1)
        fixture_turn(&s.f);
    CHECK_INT(s.ch.opened, 0); /* the request before it has no answer yet */
    fixture_reply_later(&s.f, 0, "later");
    CHECK_BODY(&s.c, "later");
    struct response r;
    client_response(&s.c, true, &r);
    CHECK_INT(r.status, 101);
    CHECK_INT(response_header(&r, "sec-websocket-protocol").n, 0);
    response_fini(&r);
    check_text(&s.c, "early");
    setting_close(&s);
}

TEST(joins_fragments_around_control_frames) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    frames_send(&s.c, 0x01, SPAN("h\xc3"));
    frames_send(&s.c, 0x80 | PING, SPAN("are you there"));
    frames_send(&s.c, 0x00, SPAN("\xa9l"));
    frames_send(&s.c, 0x80, SPAN("lo"));
    struct frame f = frames_want(&s.c);
    CHECK_INT(f.opcode, PONG);
    CHECK_SPAN(f.payload, "are you there");
    check_text(&s.c, "h\xc3\xa9llo");
    CHECK_SPAN(buf_span(&s.ch.said), "h\xc3\xa9llo|");
    setting_close(&s);
}

static void check_violation(const char *bytes, size_t n, unsigned code) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    client_send(&s.c, span_of(bytes, n));
    frames_want_close(&s.c, code);
    client_want_eof(&s.c);
    CHECK_INT(s.ch.said.n, 0);
    setting_close(&s);
}

#define CHECK_VIOLATION(literal, code) check_violation("" literal, sizeof(literal) - 1, code)

TEST(closes_on_violations) {
    CHECK_VIOLATION("\x81\x02hi", 1002);                              /* not masked */
    CHECK_VIOLATION("\xc1\x81\0\0\0\0x", 1002);                       /* reserved bit */
    CHECK_VIOLATION("\x83\x81\0\0\0\0x", 1002);                       /* unknown opcode */
    CHECK_VIOLATION("\x80\x81\0\0\0\0x", 1002);                       /* continuation of nothing */
    CHECK_VIOLATION("\x01\x81\0\0\0\0x\x81\x81\0\0\0\0y", 1002);      /* new message inside a message */
    CHECK_VIOLATION("\x09\x81\0\0\0\0x", 1002);                       /* fragmented ping */
    CHECK_VIOLATION("\x89\xfe\0\x80\0\0\0\0", 1002);                  /* long ping */
    CHECK_VIOLATION("\x81\xfe\0\x05\0\0\0\0hello", 1002);             /* length not in its shortest form */
    CHECK_VIOLATION("\x81\x82\0\0\0\0\xc3\x28", 1007);                /* not UTF-8 */
    CHECK_VIOLATION("\x81\x81\0\0\0\0\xc3", 1007);                    /* half a character */
    CHECK_VIOLATION("\x82\xff\0\0\0\0\0\x01\x86\xa1\0\0\0\0x", 1009); /* too long, as the header says */
}

TEST(counts_fragments_against_the_limit) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    AUTO(free) char *part = xcalloc(1, 60000);
    frames_send(&s.c, 0x02, span_of(part, 60000));
    frames_send(&s.c, 0x80, span_of(part, 60000));
    frames_want_close(&s.c, 1009);
    client_want_eof(&s.c);
    setting_close(&s);
}

TEST(answers_a_close) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    frames_send(&s.c, 0x80 | CLOSE,
                SPAN("\x03\xe8"
                     "bye"));
    frames_want_close(&s.c, 1000);
    client_want_eof(&s.c);
    setting_close(&s);
}

TEST(closes_with_code_and_reason) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    s.ch.close_code = 4001;
    send_text(&s.c, "a");
    struct frame f = frames_want(&s.c);
    CHECK_INT(f.opcode, CLOSE); /* what the channel wanted to say before is not said any more */
    CHECK_SPAN(f.payload, "\x0f\xa1"
                          "enough");
    send_text(&s.c, "b"); /* nobody listens */
    frames_send(&s.c, 0x80 | CLOSE, span_of("\x0f\xa1", 2));
    client_want_eof(&s.c);
    CHECK_SPAN(buf_span(&s.ch.said), "a|");
    setting_close(&s);
}

TEST(does_not_wait_for_ever_for_the_peer_to_close) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    ws_close(s.ch.ws, 1000, SPAN_NONE);
    frames_want_close(&s.c, 1000);
    client_want_eof(&s.c); /* without having answered */
    setting_close(&s);
}

TEST(says_that_the_server_goes_away) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    http_close(TAKE(s.f.server));
    frames_want_close(&s.c, 1001);
    frames_send(&s.c, 0x80 | CLOSE, span_of("\x03\xe9", 2));
    client_want_eof(&s.c);
    setting_close(&s);
}

/* What was pulled before is still sent, then the close; who reads nothing of it is not waited for without end. */
TEST(a_closing_server_sends_what_was_queued) {
    enum { FRAME = 20000 };
    AUTO(free) char *text = xcalloc(1, FRAME);
    memset(text, 'x', FRAME);
    for (int reads = 0; reads < 2; reads++) {
        struct setting s;
        setting_open(&s, NULL, ws_frame_text(span_of(text, FRAME)));
        while (s.ch.pulled < (size_t)10 * FRAME)
            fixture_turn(&s.f);
        http_close(TAKE(s.f.server));
        size_t pulled = s.ch.pulled, got = 0;
        for (struct frame f = {0}; reads && f.opcode != CLOSE;) {
            f = frames_want(&s.c);
            if (f.opcode == 1) got += f.whole;
        }
        if (reads) CHECK_INT(got, pulled);
        while (s.ch.closed == 0)
            fixture_turn(&s.f);
        CHECK_INT(s.ch.pulled, pulled);
        setting_close(&s);
    }
}

TEST(says_nothing_behind_its_close) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    ws_close(s.ch.ws, 1000, SPAN_NONE);
    s.ch.echo = ws_frame_text(SPAN("too late"));
    ws_want_write(s.ch.ws);
    ws_close(s.ch.ws, 1011, SPAN("twice"));
    frames_want_close(&s.c, 1000);
    ws_want_write(s.ch.ws);
    frames_send(&s.c, 0x80 | CLOSE, span_of("\x03\xe8", 2));
    client_want_eof(&s.c);
    CHECK(s.ch.echo != NULL); /* nobody asked for it */
    setting_close(&s);
}

TEST(pings_and_drops_the_silent) {
    struct setting s;
    setting_open(&s, &(struct http_limits){.ping_ms = 20, .pong_ms = 20}, NULL);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(frames_want(&s.c).opcode, PING);
        frames_send(&s.c, 0x80 | PONG, SPAN_NONE);
    }
    CHECK_INT(frames_want(&s.c).opcode, PING);
    client_want_eof(&s.c);
    setting_close(&s);
}

TEST(a_slow_reader_costs_no_memory) {
    enum { FRAME = 20000, ROUNDS = 200, IDLE_TURNS = 20 };
    struct setting s;
    AUTO(free) char *text = xcalloc(1, FRAME);
    memset(text, 'x', FRAME);
    setting_open(&s, &(struct http_limits){.ping_ms = 40, .pong_ms = 40},
                 ws_frame_text(span_of(text, FRAME)));
    /* What was pulled and has not arrived lies in the sockets, and little more than the limit in the server. */
    size_t stuck = 0;
    for (int idle = 0; idle < IDLE_TURNS; idle++) {
        (void)uv_run(&s.f.loop, UV_RUN_NOWAIT);
        if (s.ch.pulled != stuck) idle = 0;
        stuck = s.ch.pulled;
    }
    CHECK(stuck > 0);
    /* It is pulled again as the peer reads, and a peer that reads is not taken for dead. */
    for (int i = 0; i < ROUNDS; i++) {
        struct frame f = frames_want(&s.c);
        if (f.opcode == 1) CHECK_INT(f.payload.n, FRAME);
    }
    client_want(&s.c, stuck);
    CHECK(s.ch.pulled > stuck);
    CHECK_INT(s.ch.closed, 0);
    /* One that reads nothing at all is. */
    while (s.ch.closed == 0)
        fixture_turn(&s.f);
    setting_close(&s);
}

TEST(pauses_reading) {
    struct setting s;
    setting_open(&s, &(struct http_limits){.ping_ms = 10, .pong_ms = 10}, NULL);
    ws_pause(s.ch.ws, true);
    (void)uv_run(&s.f.loop, UV_RUN_NOWAIT);
    send_text(&s.c, "a");
    CHECK_INT(frames_want(&s.c).opcode, PING);
    CHECK_INT(frames_want(&s.c).opcode, PING); /* it is not dropped for a pong that was not looked for */
    CHECK_INT(s.ch.said.n, 0);
    ws_pause(s.ch.ws, false);
    struct frame f;
    do {
        f = frames_want(&s.c);
    } while (f.opcode == PING);
    CHECK_SPAN(f.payload, "a");
    setting_close(&s);
}

TEST(a_server_closed_during_an_upgrade_ends) {
    struct setting s = {.ch = {.said = BUF_INIT(1000)}};
    fixture_open(&s.f, NULL);
    s.f.channel = &echo_channel;
    s.f.channel_user = &s.ch;
    s.f.closes_on_upgrade = true;
    client_open(&s.c, &s.f);
    client_upgrade(&s.c, "/ws");
    frames_want_close(&s.c, 1001);
    client_want_eof(&s.c);
    setting_close(&s);
}

TEST(notices_a_client_that_is_gone) {
    struct setting s;
    setting_open(&s, NULL, NULL);
    client_close(&s.c);
    while (s.ch.closed == 0)
        fixture_turn(&s.f);
    setting_close(&s);
}

static void check_bad_upgrade(const char *headers, bool accepts, int status, const char *body) {
    struct setting s = {0};
    fixture_open(&s.f, NULL);
    if (accepts) s.f.channel = &echo_channel;
    client_open(&s.c, &s.f);
    client_send_str(&s.c, "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n");
    client_send_str(&s.c, headers);
    client_send_str(&s.c, "\r\n");
    struct response r;
    client_response(&s.c, false, &r);
    CHECK_INT(r.status, status);
    if (status == 426) CHECK_SPAN(response_header(&r, "sec-websocket-version"), "13");
    if (body) CHECK_SPAN(r.body, body);
    response_fini(&r);
    client_want_eof(&s.c);
    client_close(&s.c);
    fixture_close(&s.f);
}

TEST(refuses_bad_upgrades) {
    check_bad_upgrade("Sec-WebSocket-Version: 13\r\n", true, 400, NULL);
    check_bad_upgrade("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short==\r\n", true, 400, NULL);
    check_bad_upgrade("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: !!!!!!!!!!!!!!!!!!!!!!==\r\n", true,
                      400, NULL);
    check_bad_upgrade("Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", true,
                      426, NULL);
    check_bad_upgrade("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", true, 426, NULL);
    check_bad_upgrade("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", false,
                      403, "{\"error\":\"not for \\\"you\\\"\"}");
}

TESTS(RUN(echoes_messages_of_all_sizes), RUN(takes_frames_that_came_with_the_handshake),
      RUN(joins_fragments_around_control_frames), RUN(closes_on_violations),
      RUN(counts_fragments_against_the_limit), RUN(answers_a_close), RUN(closes_with_code_and_reason),
      RUN(does_not_wait_for_ever_for_the_peer_to_close), RUN(says_that_the_server_goes_away),
      RUN(a_closing_server_sends_what_was_queued), RUN(says_nothing_behind_its_close),
      RUN(a_server_closed_during_an_upgrade_ends), RUN(pings_and_drops_the_silent),
      RUN(a_slow_reader_costs_no_memory), RUN(pauses_reading), RUN(notices_a_client_that_is_gone),
      RUN(refuses_bad_upgrades))
