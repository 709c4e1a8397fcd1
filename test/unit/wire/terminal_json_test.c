#include "wire/terminal_json.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "test.h"

TEST(a_live_terminal) {
    const struct terminal_shape t = {.id = "term-1",
                                     .session_id = "a",
                                     .card_id = "s1",
                                     .worker_id = "w1",
                                     .working_dir = "/p",
                                     .directory = "/p/sub",
                                     .command = "claude",
                                     .kind = "agent",
                                     .connection = "live",
                                     .screen_title = SPAN("say \"hi\""),
                                     .epoch = 5,
                                     .bytes = 6,
                                     .created_ms = 1,
                                     .started_ms = 2,
                                     .uptime_ms = 9,
                                     .pid = 77,
                                     .cols = 120,
                                     .rows = 40,
                                     .viewers = 2,
                                     .exit_code = -1};
    AUTO(buf) struct buf out = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&out);
    terminal_json(&w, &t);
    CHECK_INT(jvalid(buf_span(&out), 4), 0);
    CHECK_STR(
        out.p,
        "{\"terminalId\":\"term-1\",\"sessionId\":\"a\",\"id\":\"s1\",\"workerId\":\"w1\",\"host\":\"localhost\","
        "\"workingDir\":\"/p\",\"command\":\"claude\",\"createdAt\":1,\"label\":\"\",\"title\":\"\","
        "\"kind\":\"agent\",\"connection\":\"live\",\"epoch\":5,\"startedAt\":2,\"lastOutputAt\":null,"
        "\"endedAt\":null,\"uptimeMs\":9,\"cols\":120,\"rows\":40,\"viewers\":2,\"pid\":77,\"exitCode\":null,"
        "\"signal\":null,\"screenTitle\":\"say \\\"hi\\\"\",\"directory\":\"/p/sub\",\"bytes\":6,\"trouble\":null,\"restsAt\":null,\"lost\":null}");
}

TEST(how_it_ended) {
    struct terminal_shape t = {
        .id = "t", .kind = "shell", .connection = "ended", .ended = true, .exit_code = 0};
    AUTO(buf) struct buf out = BUF_INIT(4096);
    terminal_msg_state(&out, &t);
    CHECK(strstr(out.p, "\"exitCode\":0,\"signal\":null"));
    t.exit_code = -1;
    t.signal = "SIGHUP";
    buf_clear(&out);
    terminal_msg_state(&out, &t);
    CHECK(strstr(out.p, "\"exitCode\":null,\"signal\":\"SIGHUP\""));
    t.ended = false; /* another incarnation runs */
    buf_clear(&out);
    terminal_msg_state(&out, &t);
    CHECK(strstr(out.p, "\"exitCode\":null,\"signal\":null"));
}

TEST(output_is_base64) {
    static const struct {
        struct span bytes;
        const char *base64;
    } cases[] = {{SPAN(""), ""},
                 {SPAN("f"), "Zg=="},
                 {SPAN("fo"), "Zm8="},
                 {SPAN("foo"), "Zm9v"},
                 {SPAN("foob"), "Zm9vYg=="},
                 {SPAN("fooba"), "Zm9vYmE="},
                 {SPAN("foobar"), "Zm9vYmFy"},
                 {SPAN("\0\377\376"), "AP/+"}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        AUTO(buf) struct buf out = BUF_INIT(4096);
        char expected[128];
        (void)snprintf(expected, sizeof expected,
                       "{\"type\":\"terminal_output\",\"terminalId\":\"t\",\"data\":\"%s\"}",
                       cases[i].base64);
        terminal_msg_output(&out, "t", cases[i].bytes);
        CHECK_STR(out.p, expected);
    }
}

static void put_row(const void *user, int row, struct buf *out) {
    (void)buf_printf(out, "%s %d", (const char *)user, row);
}

TEST(a_screen_and_what_scrolled_off) {
    const struct screen_shape s = {
        .cols = 9, .rows = 2, .cursor_col = 1, .scrollback = 2, .line = put_row, .user = "row"};
    AUTO(buf) struct buf out = BUF_INIT(4096);
    terminal_msg_screen(&out, "t", &s);
    CHECK_STR(out.p, "{\"type\":\"terminal_screen\",\"terminalId\":\"t\",\"cols\":9,\"rows\":2,"
                     "\"cursor\":{\"col\":1,\"row\":0,\"visible\":false},\"lines\":[\"row 0\",\"row 1\"],"
                     "\"scrollback\":[\"row -2\",\"row -1\"]}");
}

TEST(what_it_takes) {
    const struct terminal_shape t = {
        .id = "t", .session_id = "a", .connection = "live", .viewers = 1, .uptime_ms = 5};
    const struct terminal_usage u = {.terminal = &t,
                                     .buffer_lines = 40,
                                     .quiet_ms = 3,
                                     .cpu_percent = 12.5,
                                     .memory_bytes = 4096,
                                     .processes = 2};
    AUTO(buf) struct buf out = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&out);
    terminal_json_usage(&w, &u);
    CHECK_STR(
        out.p,
        "{\"terminalId\":\"t\",\"sessionId\":\"a\",\"clients\":1,\"bufferLines\":40,\"uptime\":5,"
        "\"lastActivity\":3,\"connection\":\"live\",\"cpuPercent\":12.5,\"memoryBytes\":4096,\"processes\":2}");
}

TESTS(RUN(a_live_terminal), RUN(how_it_ended), RUN(output_is_base64), RUN(a_screen_and_what_scrolled_off),
      RUN(what_it_takes))
