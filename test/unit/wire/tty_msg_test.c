#include "wire/tty_msg.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

static int parse(const char *text, struct arena *arena, struct tty_request *req) {
    struct err err;
    return tty_request_parse(span_str(text), arena, req, &err);
}

TEST(requests) {
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    struct tty_request req;
    CHECK_INT(parse("{\"type\":\"input\",\"data\":\"a\\u0003\\u00fc\"}", &arena, &req), 0);
    CHECK_INT(req.type, TTY_INPUT);
    CHECK_SPAN(req.data, "a\3ü");
    CHECK_INT(parse("{\"type\":\"resize\",\"cols\":80,\"rows\":24}", &arena, &req), 0);
    CHECK(req.type == TTY_RESIZE && req.cols == 80 && req.rows == 24);
    CHECK_INT(parse("{\"type\":\"ack\",\"offset\":9007199254740991}", &arena, &req), 0);
    CHECK(req.type == TTY_ACK && req.offset == 9007199254740991);
    CHECK_INT(parse("{\"type\":\"request-history\"}", &arena, &req), 0);
    CHECK(req.type == TTY_HISTORY && !req.has_offset);
    CHECK_INT(parse("{\"type\":\"request-history\",\"fromOffset\":5}", &arena, &req), 0);
    CHECK(req.has_offset && req.offset == 5);
    CHECK_INT(parse("{\"type\":\"image\",\"data\":\"x\",\"mimeType\":\"image/png\"}", &arena, &req), 0);
    CHECK_INT(req.type, TTY_IMAGE);
}

TEST(refusals_leave_the_request_alone) {
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"nope\"}",
        "{\"type\":\"input\"}",
        "{\"type\":\"input\",\"data\":7}",
        "{\"type\":\"input\",\"data\":\"\\ud800\"}",
        "{\"type\":\"resize\",\"cols\":0,\"rows\":24}",
        "{\"type\":\"resize\",\"cols\":80}",
        "{\"type\":\"resize\",\"cols\":80,\"rows\":1001}",
        "{\"type\":\"resize\",\"cols\":8e1,\"rows\":24}",
        "{\"type\":\"ack\"}",
        "{\"type\":\"ack\",\"offset\":-1}",
        "{\"type\":\"request-history\",\"fromOffset\":\"5\"}",
    };
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct tty_request req = {.cols = 4711};
        if (parse(bad[i], &arena, &req) != -EINVAL || req.cols != 4711) fail_msg("%s", bad[i]);
    }
}

TEST(too_much_input_at_once) {
    AUTO(arena) struct arena arena = ARENA_INIT(4 << 20);
    AUTO(buf) struct buf text = BUF_INIT(4 << 20);
    (void)buf_printf(&text, "{\"type\":\"input\",\"data\":\"");
    for (size_t i = 0; i <= TTY_INPUT_MAX; i++)
        (void)buf_append_char(&text, 'x');
    (void)buf_printf(&text, "\"}");
    struct tty_request req;
    CHECK_INT(parse(text.p, &arena, &req), -EMSGSIZE);
}

TEST(the_head_is_little_endian) {
    char head[TTY_HEAD_BYTES];
    tty_msg_head(head, TTY_SNAPSHOT, 0x0102, 0x0304, 0x1122334455667788, 0x99aabbccddeeff00);
    static const char expected[] = "\x02\x00\x02\x01\x04\x03\x00\x00\x88\x77\x66\x55\x44\x33\x22\x11"
                                   "\x00\xff\xee\xdd\xcc\xbb\xaa\x99";
    CHECK(memcmp(head, expected, sizeof head) == 0);
}

TESTS(RUN(requests), RUN(refusals_leave_the_request_alone), RUN(too_much_input_at_once),
      RUN(the_head_is_little_endian))
