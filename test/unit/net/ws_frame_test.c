#include "net/handshake.h"
#include "net/out.h"
#include "net/ws_frame_int.h"
#include "test.h"

#include "base/mem.h"

TEST(headers_are_as_short_as_possible) {
    char h[WS_HEADER_MAX];
    CHECK_INT(ws_frame_header(h, WS_TEXT, 125), 2);
    CHECK(memcmp(h, "\x81\x7d", 2) == 0);
    CHECK_INT(ws_frame_header(h, WS_BINARY, 126), 4);
    CHECK(memcmp(h, "\x82\x7e\x00\x7e", 4) == 0);
    CHECK_INT(ws_frame_header(h, WS_TEXT, 65535), 4);
    CHECK(memcmp(h, "\x81\x7e\xff\xff", 4) == 0);
    CHECK_INT(ws_frame_header(h, WS_TEXT, 65536), 10);
    CHECK(memcmp(h, "\x81\x7f\0\0\0\0\0\x01\0\0", 10) == 0);
}

TEST(a_frame_is_shared) {
    struct ws_frame *f = ws_frame_text(SPAN("hello"));
    CHECK_INT(ws_frame_bytes(f), 7);
    CHECK(ws_frame_ref(f) == f);
    ws_frame_unref(f);
    CHECK_SPAN(ws_frame_span(f), "\x81\x05hello");
    ws_frame_unref(f);
    ws_frame_unref(NULL);
    f = ws_frame_binary(SPAN_NONE, SPAN_NONE);
    CHECK_INT(ws_frame_bytes(f), 2);
    ws_frame_unref(f);
}

TEST(the_handshake_is_that_of_the_standard) {
    char accept[HANDSHAKE_ACCEPT_BYTES];
    CHECK(handshake_key_valid(SPAN("dGhlIHNhbXBsZSBub25jZQ==")));
    handshake_accept(SPAN("dGhlIHNhbXBsZSBub25jZQ=="), accept);
    CHECK_STR(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    CHECK(!handshake_key_valid(SPAN_NONE));
    CHECK(!handshake_key_valid(SPAN("dGhlIHNhbXBsZSBub25jZQ=")));
    CHECK(!handshake_key_valid(SPAN("dGhlIHNhbXBsZSBub25jZTEx")));
    CHECK(!handshake_key_valid(SPAN("dGhlIHNhbXB*ZSBub25jZQ==")));
}

/* Takes `n` bytes of what waits, as a socket would, and appends them to `sent`. */
static void take(struct out *o, size_t n, struct buf *sent) {
    uv_buf_t bufs[OUT_GATHER_MAX];
    unsigned count = out_gather(o, bufs);
    size_t left = n;
    for (unsigned i = 0; i < count && left; i++) {
        size_t part = MIN(left, bufs[i].len);
        (void)buf_append(sent, bufs[i].base, part);
        left -= part;
    }
    out_took(o, n - left);
}

TEST(output_keeps_its_order) {
    struct out o;
    struct buf sent = BUF_INIT(1000);
    out_init(&o);
    out_text(&o, SPAN("one "));
    out_text(&o, SPAN("two "));
    CHECK_INT(o.count, 1); /* texts are joined */
    out_static(&o, SPAN("three "));
    out_frame(&o, ws_frame_text(SPAN("four ")));
    out_text(&o, SPAN("five "));
    out_heap(&o, xstrdup("six"), 3);
    CHECK_INT(o.bytes, 8 + 6 + 7 + 5 + 3);
    while (o.count)
        take(&o, 3, &sent);
    CHECK_SPAN(buf_span(&sent), "one two three \x81\x05"
                                "four five six");
    CHECK_INT(o.bytes, 0);
    buf_fini(&sent);
    out_fini(&o);
}

TEST(what_flies_does_not_move) {
    struct out o;
    struct buf sent = BUF_INIT(100000);
    uv_buf_t bufs[OUT_GATHER_MAX];
    out_init(&o);
    out_text(&o, SPAN("abc"));
    out_static(&o, SPAN("DEF"));
    out_text(&o, SPAN("ghi"));
    take(&o, 4, &sent);
    out_text(&o, SPAN("jkl"));
    out_fly(&o, 1, bufs);
    for (int i = 0; i < 1000; i++)
        out_text(&o, SPAN("0123456789")); /* makes the other buffer grow and move */
    (void)buf_append(&sent, bufs[0].base, bufs[0].len);
    out_landed(&o);
    take(&o, 6, &sent);
    CHECK_SPAN(buf_span(&sent), "abcDEFghijkl");
    out_fly(&o, 1, bufs);
    CHECK_INT(bufs[0].len, 10000);
    CHECK(memcmp(bufs[0].base + 9990, "0123456789", 10) == 0);
    out_text(&o, SPAN("z"));
    out_landed(&o);
    CHECK_INT(o.bytes, 1);
    out_fini(&o);
    buf_fini(&sent);
}

TESTS(RUN(headers_are_as_short_as_possible), RUN(a_frame_is_shared),
      RUN(the_handshake_is_that_of_the_standard), RUN(output_keeps_its_order), RUN(what_flies_does_not_move))
