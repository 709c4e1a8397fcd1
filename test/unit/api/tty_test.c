/* A worker's socket in both dialects, against a peer and terminals in memory. */
#include "api/tty.h"

#include "api/api.h"
#include "base/cleanup.h"
#include "fake_terminals.h"
#include "fake_ws.h"
#include "test.h"

#include <errno.h>

struct fixture {
    struct state state;
    struct terminals terminals;
    struct api api;
    struct ttys ttys;
    struct terminal *a;
    struct session *card;
};

static void setup(struct fixture *f) {
    *f = (struct fixture){0};
    state_init(&f->state);
    f->api = (struct api){.state = &f->state, .terminals = &f->terminals, .clock = &clock_system};
    ttys_open(&f->ttys, &f->api);
    f->a = fake_terminal(&f->terminals, "term-a");
    f->card = state_add_session(&f->state, 100, SESSION_KIND_QUICK);
    state_set_terminal(&f->state, f->card->primary, SPAN("term-a"), 100);
}

static void teardown(struct fixture *f) {
    state_fini(&f->state);
    fake_free(&f->terminals);
}

static void connect_client(struct fixture *f, struct ws *ws, struct tty_visit visit) {
    void *user;
    if (!visit.session.n) visit.session = visit.worker = SPAN("term-a");
    const struct ws_channel *channel = tty_connect(&f->ttys, ws, &visit, &user);
    fake_open(ws, channel, user);
}

static void check_bytes(struct ws *ws, const char *head, const char *bytes) {
    size_t n;
    AUTO(free) char *got = fake_take_bytes(ws, &n);
    CHECK(got != NULL && n == 24 + strlen(bytes));
    CHECK(memcmp(got, head, 24) == 0);
    CHECK_STR(got + 24, bytes);
}

TEST(binary_hello_snapshot_output_and_marks) {
    struct fixture f;
    setup(&f);
    fake_prints(f.a, "before");
    struct ws ws;
    connect_client(&f, &ws, (struct tty_visit){.binary = true, .cols = 90, .rows = 20});
    CHECK_STR(f.a->input, "[90x20]");
    CHECK_NEXT(
        &ws, "{\"type\":\"hello\",\"terminalId\":\"term-a\",\"epoch\":7,\"offset\":6,\"cols\":80,\"rows\":24,"
             "\"connection\":\"live\",\"readOnly\":false,\"exitCode\":null,\"signal\":null}");
    CHECK_NEXT(&ws, "{\"type\":\"activity\",\"state\":\"idle\"}");
    check_bytes(&ws, "\2\0\x50\0\x18\0\0\0\7\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0", "<screen>");
    CHECK_SILENT(&ws);
    fake_prints(f.a, "after");
    CHECK(ws.wants_write);
    check_bytes(&ws, "\1\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0", "after");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_RESIZED, .cols = 5, .rows = 6});
    CHECK_NEXT(&ws, "{\"type\":\"resized\",\"offset\":11,\"cols\":5,\"rows\":6}");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_GAP, .to = 50});
    CHECK_NEXT(&ws, "{\"type\":\"gap\",\"from\":11,\"to\":50}");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EXIT, .code = 3});
    CHECK_NEXT(&ws, "{\"type\":\"exit\",\"exitCode\":3,\"signal\":null}");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EXIT, .code = -1, .signal = 1});
    CHECK_NEXT(&ws, "{\"type\":\"exit\",\"exitCode\":null,\"signal\":\"SIGHUP\"}");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EPOCH});
    CHECK_NEXT(&ws, "{\"type\":\"epoch\",\"epoch\":7}");
    ttys_changed(&f.ttys, f.a);
    CHECK_NEXT(&ws, "{\"type\":\"state\",\"terminal\":{\"terminalId\":\"term-a\"");
    CHECK_SILENT(&ws);
    fake_deleted(f.a);
    CHECK_NEXT(&ws, "{\"type\":\"deleted\"}");
    CHECK_SILENT(&ws);
    CHECK_INT(ws.close_code, 1000);
    fake_drop(&ws);
    teardown(&f);
}

TEST(binary_goes_on_where_it_was) {
    struct fixture f;
    setup(&f);
    fake_prints(f.a, "0123456789");
    struct ws ws;
    connect_client(&f, &ws, (struct tty_visit){.binary = true, .has_place = true, .epoch = 7, .offset = 4});
    CHECK_NEXT(&ws, "hello");
    CHECK_NEXT(&ws, "activity");
    check_bytes(&ws, "\1\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0", "456789");
    fake_deliver(&ws, "{\"type\":\"ack\",\"offset\":10}");
    CHECK(f.a->viewers[0]->cursor.flow);
    CHECK_INT(f.a->viewers[0]->cursor.acked, 10);
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(hello_waits_for_a_screen_that_is_on_disk) {
    struct fixture f;
    setup(&f);
    f.a->loading = true;
    struct ws ws;
    connect_client(&f, &ws, (struct tty_visit){.binary = true});
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(json_history_output_and_exit) {
    struct fixture f;
    setup(&f);
    fake_prints(f.a, "before");
    struct ws ws;
    connect_client(&f, &ws, (struct tty_visit){0});
    CHECK(!f.a->viewers[0]->cursor.flow);
    CHECK_NEXT(&ws, "{\"type\":\"activity\",\"state\":\"idle\"}");
    CHECK_NEXT(&ws,
               "{\"type\":\"history\",\"data\":\"<screen>\",\"startOffset\":6,\"offset\":6,\"epoch\":7}");
    fake_prints(f.a, "x\33[1my");
    CHECK_NEXT(&ws, "{\"type\":\"output\",\"data\":\"x\\u001b[1my\",\"startOffset\":6,\"offset\":12,"
                    "\"epoch\":7}");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_RESIZED, .cols = 5, .rows = 6});
    CHECK_SILENT(&ws);
    ttys_changed(&f.ttys, f.a);
    CHECK_SILENT(&ws);
    f.card->primary->conversation.status = SESSION_STATUS_APPROVAL;
    ttys_session_changed(&f.ttys, f.card);
    CHECK_NEXT(&ws, "{\"type\":\"activity\",\"state\":\"asking\"}");
    ttys_session_changed(&f.ttys, f.card);
    CHECK_SILENT(&ws);
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EXIT, .code = 0});
    CHECK_NEXT(&ws, "{\"type\":\"exit\",\"exitCode\":0,\"signal\":null}");
    fake_deleted(f.a);
    CHECK_NEXT(&ws, "\"type\":\"error\"", "\"code\":\"SESSION_DELETED\"");
    fake_drop(&ws);
    teardown(&f);
}

TEST(json_never_cuts_a_character) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, (struct tty_visit){0});
    CHECK_NEXT(&ws, "activity");
    CHECK_NEXT(&ws, "history");
    /* ü in two pieces, 😀 in four. */
    fake_prints(f.a, "a\xc3");
    CHECK_NEXT(&ws, "\"data\":\"a\",\"startOffset\":0,\"offset\":1,");
    fake_prints(f.a, "\xbc");
    CHECK_NEXT(&ws, "\"data\":\"\xc3\xbc\",\"startOffset\":1,\"offset\":3,");
    fake_prints(f.a, "\xf0");
    CHECK_SILENT(&ws);
    fake_prints(f.a, "\x9f");
    fake_prints(f.a, "\x98");
    fake_prints(f.a, "\x80!");
    CHECK_NEXT(&ws, "\"data\":\"\xf0\x9f\x98\x80!\",\"startOffset\":3,\"offset\":8,");
    /* What is no text at all is told as such, and at once. */
    fake_prints(f.a, "\x80\xff");
    CHECK_NEXT(&ws, "\"data\":\"\xef\xbf\xbd\xef\xbf\xbd\"");
    /* The program ends in the middle of one. */
    fake_prints(f.a, "z\xe2\x82");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EXIT, .code = 0});
    CHECK_NEXT(&ws, "\"data\":\"z\"");
    CHECK_NEXT(&ws, "\"data\":\"\xef\xbf\xbd");
    CHECK_NEXT(&ws, "\"exit\"");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(json_history_again) {
    struct fixture f;
    setup(&f);
    fake_prints(f.a, "0123456789");
    struct ws ws;
    connect_client(&f, &ws, (struct tty_visit){0});
    CHECK_NEXT(&ws, "activity");
    CHECK_NEXT(&ws, "history");
    fake_deliver(&ws, "{\"type\":\"request-history\",\"fromOffset\":7}");
    CHECK_NEXT(&ws, "{\"type\":\"history\",\"data\":\"789\",\"startOffset\":7,\"offset\":10,\"epoch\":7}");
    fake_deliver(&ws, "{\"type\":\"request-history\",\"fromOffset\":10}");
    CHECK_NEXT(&ws, "{\"type\":\"history\",\"data\":\"\",\"startOffset\":10,\"offset\":10,\"epoch\":7}");
    fake_deliver(&ws, "{\"type\":\"request-history\"}");
    CHECK_NEXT(&ws, "{\"type\":\"history\",\"data\":\"<screen>\"");
    fake_prints(f.a, "a");
    CHECK_NEXT(&ws, "{\"type\":\"output\",\"data\":\"a\"");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(input_and_its_troubles) {
    struct fixture f;
    setup(&f);
    struct ws ws, json;
    connect_client(&f, &ws, (struct tty_visit){.binary = true});
    connect_client(&f, &json, (struct tty_visit){0});
    for (int i = 0; i < 3; i++)
        free(fake_take(&ws));
    for (int i = 0; i < 2; i++)
        free(fake_take(&json));
    fake_deliver_bytes(&ws, SPAN("ls"));
    fake_deliver(&json, "{\"type\":\"input\",\"data\":\"\\r\"}");
    fake_deliver(&ws, "{\"type\":\"resize\",\"cols\":70,\"rows\":7}");
    CHECK_STR(f.a->input, "ls\r[70x7]");
    fake_deliver_bytes(&json, SPAN("ls"));
    CHECK_NEXT(&json, "\"code\":\"BAD_MESSAGE\"");
    fake_deliver(&json, "{\"type\":\"image\",\"data\":\"\",\"mimeType\":\"image/png\"}");
    CHECK_NEXT(&json, "\"code\":\"UNSUPPORTED_OPERATION\"");
    fake_deliver(&json, "nonsense");
    CHECK_NEXT(&json, "\"code\":\"BAD_MESSAGE\"", "one JSON object");
    fake_deliver(&ws, "{\"type\":\"resize\",\"cols\":1,\"rows\":7}");
    CHECK_NEXT(&ws, "\"code\":\"BAD_SIZE\"");
    AUTO(free) char *large = calloc(1, 300000);
    fake_deliver_bytes(&ws, span_of(large, 300000));
    CHECK_NEXT(&ws, "\"code\":\"MESSAGE_TOO_LARGE\"");
    f.a->refuse = -EPIPE;
    fake_deliver_bytes(&ws, SPAN("x"));
    CHECK_NEXT(&ws, "\"code\":\"NOT_LIVE\"");
    fake_deliver(&ws, "{\"type\":\"resize\",\"cols\":70,\"rows\":7}");
    CHECK_SILENT(&ws);
    f.a->refuse = -ENOBUFS;
    fake_deliver_bytes(&ws, SPAN("x"));
    CHECK_NEXT(&ws, "\"code\":\"BUSY\"");
    /* A client that complains all the time and never reads costs no more than a few answers. */
    for (int i = 0; i < 100; i++)
        fake_deliver(&json, "{}");
    for (int i = 0; i < TTY_WAITING_MAX; i++)
        CHECK_NEXT(&json, "BAD_MESSAGE");
    CHECK_SILENT(&json);
    fake_drop(&ws);
    fake_drop(&json);
    teardown(&f);
}

TEST(who_cannot_be_served_is_told_why) {
    struct fixture f;
    setup(&f);
    struct session *bare = state_add_session(&f.state, 200, SESSION_KIND_OBSERVED);
    const struct {
        struct tty_visit visit;
        const char *code;
    } cases[] = {
        {{.session = SPAN("nope"), .worker = SPAN("nope")}, "SESSION_NOT_FOUND"},
        {{.session = SPAN("term-a"), .worker = SPAN("nope")}, "WORKER_NOT_FOUND"},
        {{.session = span_str(bare->id), .worker = span_str(bare->primary->id), .binary = true},
         "NO_TERMINAL"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct ws ws;
        connect_client(&f, &ws, cases[i].visit);
        CHECK_NEXT(&ws, "\"type\":\"error\"", cases[i].code);
        CHECK_SILENT(&ws);
        CHECK_INT(ws.close_code, 4404);
        fake_drop(&ws);
    }
    /* By any of its names, also those of before. */
    struct ws ws;
    state_set_terminal(&f.state, f.card->primary, SPAN_NONE, 0);
    connect_client(&f, &ws,
                   (struct tty_visit){.session = span_str(f.card->id),
                                      .worker = span_str(f.card->primary->id),
                                      .binary = true});
    CHECK_NEXT(&ws, "hello");
    fake_drop(&ws);
    /* Its card is about to be made. */
    (void)fake_terminal(&f.terminals, "term-new");
    connect_client(
        &f, &ws, (struct tty_visit){.session = SPAN("term-new"), .worker = SPAN("term-new"), .binary = true});
    CHECK_NEXT(&ws, "hello", "term-new");
    fake_drop(&ws);
    teardown(&f);
}

TESTS(RUN(binary_hello_snapshot_output_and_marks), RUN(binary_goes_on_where_it_was),
      RUN(hello_waits_for_a_screen_that_is_on_disk), RUN(json_history_output_and_exit),
      RUN(json_never_cuts_a_character), RUN(json_history_again), RUN(input_and_its_troubles),
      RUN(who_cannot_be_served_is_told_why))
