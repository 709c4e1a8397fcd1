/* What board clients see of terminals, against a peer and terminals in memory. */
#include "api/board.h"

#include "base/cleanup.h"
#include "fake_terminals.h"
#include "fake_ws.h"
#include "test.h"

#include <errno.h>

struct fixture {
    struct state state;
    struct board *board;
    struct board_ops ops;
    struct hook_stats stats;
    struct terminals terminals;
    struct terminal *a, *b;
};

static void setup(struct fixture *f) {
    *f = (struct fixture){0};
    state_init(&f->state);
    hook_stats_init(&f->stats);
    f->ops = (struct board_ops){.stats = &f->stats};
    f->board = board_new(&f->state, &clock_system, &f->ops, f, 1);
    board_set_terminals(f->board, &f->terminals);
    f->a = fake_terminal(&f->terminals, "term-a");
    f->b = fake_terminal(&f->terminals, "term-b");
}

static void teardown(struct fixture *f) {
    board_free(f->board);
    state_fini(&f->state);
    hook_stats_fini(&f->stats);
    fake_free(&f->terminals);
}

/* Connected, and past its snapshot. */
static void connect_client(struct fixture *f, struct ws *ws, enum board_dialect d) {
    void *user;
    const struct ws_channel *channel = board_connect(f->board, ws, d, NULL, &user);
    fake_open(ws, channel, user);
    if (d == BOARD_V1) CHECK_NEXT(ws, "welcome");
    CHECK_NEXT(ws, "\"snapshot\"");
}

TEST(a_subscriber_gets_ready_the_screen_and_what_follows) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN);
    CHECK_SILENT(&ws);
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
    CHECK(ws.wants_write);
    CHECK_NEXT(&ws, "{\"type\":\"terminal_ready\",\"terminalId\":\"term-a\"}");
    CHECK_NEXT(&ws, "{\"type\":\"terminal_output\",\"terminalId\":\"term-a\",\"data\":\"PHNjcmVlbj4=\"}");
    CHECK_SILENT(&ws);
    fake_prints(f.a, "hi");
    fake_prints(f.b, "not for you");
    CHECK(ws.wants_write);
    CHECK_NEXT(&ws, "\"data\":\"aGk=\"");
    CHECK_SILENT(&ws);
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EXIT, .code = 0});
    CHECK_NEXT(&ws, "{\"type\":\"terminal_closed\",\"terminalId\":\"term-a\",\"reason\":\"exited\"}");
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EXIT, .code = -1, .signal = 9});
    CHECK_NEXT(&ws, "\"reason\":\"signal 9\"");
    /* It comes back. */
    fake_happens(f.a, (struct terminal_item){.kind = TERMINAL_EPOCH});
    CHECK_NEXT(&ws, "terminal_ready");
    CHECK_SILENT(&ws);
    fake_deleted(f.a);
    CHECK_NEXT(&ws, "\"terminal_closed\"", "\"reason\":\"unavailable\"");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(unknown_terminals_are_unavailable_and_nothing_follows_an_unsubscription) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN);
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"nope\"}");
    CHECK_NEXT(&ws, "{\"type\":\"terminal_closed\",\"terminalId\":\"nope\",\"reason\":\"unavailable\"}");
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
    CHECK_NEXT(&ws, "terminal_ready");
    fake_deliver(&ws, "{\"type\":\"terminal_unsubscribe\",\"terminalId\":\"term-a\"}");
    fake_prints(f.a, "x");
    CHECK_SILENT(&ws);
    /* Twice is once, from the beginning. */
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
    CHECK_NEXT(&ws, "terminal_ready");
    CHECK_NEXT(&ws, "PHNjcmVlbj4=");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    for (size_t i = 0; i < ARRAY_LEN(f.a->viewers); i++)
        CHECK(f.a->viewers[i] == NULL);
    teardown(&f);
}

TEST(two_that_print_take_turns) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN);
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
    CHECK_NEXT(&ws, "terminal_ready");
    CHECK_NEXT(&ws, "PHNjcmVlbj4=");
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-b\"}");
    CHECK_NEXT(&ws, "terminal_ready");
    CHECK_NEXT(&ws, "term-b");
    for (int i = 0; i < 3; i++)
        fake_prints(f.a, "flood");
    fake_prints(f.b, "word");
    CHECK_NEXT(&ws, "term-a");
    CHECK_NEXT(&ws, "term-b");
    CHECK_NEXT(&ws, "term-a");
    CHECK_NEXT(&ws, "term-a");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(what_clients_say_reaches_the_terminal) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN);
    fake_deliver(&ws, "{\"type\":\"terminal_input\",\"terminalId\":\"term-a\",\"data\":\"ls\\r\"}");
    fake_deliver(&ws, "{\"type\":\"terminal_resize\",\"terminalId\":\"term-a\",\"cols\":100,\"rows\":30}");
    CHECK_STR(f.a->input, "ls\r[100x30]");
    CHECK_SILENT(&ws);
    fake_deliver(&ws, "{\"type\":\"terminal_resize\",\"terminalId\":\"term-a\",\"cols\":1,\"rows\":30}");
    CHECK_NEXT(&ws, "\"type\":\"error\"", "2 to 1000 columns");
    f.a->refuse = -EPIPE;
    fake_deliver(&ws, "{\"type\":\"terminal_input\",\"terminalId\":\"term-a\",\"data\":\"x\"}");
    CHECK_NEXT(&ws, "not running");
    f.a->refuse = -ENOBUFS;
    fake_deliver(&ws, "{\"type\":\"terminal_input\",\"terminalId\":\"term-a\",\"data\":\"x\"}");
    CHECK_NEXT(&ws, "does not read");
    fake_deliver(&ws, "{\"type\":\"terminal_input\",\"terminalId\":\"nope\",\"data\":\"x\"}");
    CHECK_NEXT(&ws, "no such terminal");
    fake_drop(&ws);
    teardown(&f);
}

TEST(who_disconnects_from_a_terminal_only_looks_elsewhere) {
    struct fixture f;
    setup(&f);
    struct ws ws, other;
    connect_client(&f, &ws, BOARD_PLAIN);
    connect_client(&f, &other, BOARD_PLAIN);
    struct ws *const both[] = {&ws, &other};
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        fake_deliver(both[i], "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
        CHECK_NEXT(both[i], "terminal_ready");
        CHECK_NEXT(both[i], "PHNjcmVlbj4=");
    }
    fake_deliver(&ws, "{\"type\":\"terminal_disconnect\",\"terminalId\":\"term-a\"}");
    fake_deliver(&ws, "{\"type\":\"terminal_disconnect\",\"terminalId\":\"nope\"}");
    CHECK(!f.a->ended);
    fake_prints(f.a, "hi");
    CHECK_SILENT(&ws);
    CHECK_NEXT(&other, "\"data\":\"aGk=\"");
    fake_drop(&ws);
    fake_drop(&other);
    teardown(&f);
}

TEST(the_board_is_told_how_terminals_are_the_newest_once) {
    struct fixture f;
    setup(&f);
    board_terminal_changed(f.board, f.a);
    board_terminal_changed(f.board, f.b);
    struct ws ws, plain;
    connect_client(&f, &ws, BOARD_V1);
    CHECK_NEXT(&ws, "{\"type\":\"terminal_state\",\"terminal\":{\"terminalId\":\"term-a\"",
               "\"connection\":\"live\"", "\"kind\":\"agent\"");
    CHECK_NEXT(&ws, "\"terminalId\":\"term-b\"");
    CHECK_SILENT(&ws);
    connect_client(&f, &plain, BOARD_PLAIN);
    CHECK_SILENT(&plain);
    /* A slow client: three changes are one. */
    board_terminal_changed(f.board, f.a);
    board_terminal_changed(f.board, f.b);
    f.a->facts.cols = 99;
    board_terminal_changed(f.board, f.a);
    CHECK(ws.wants_write);
    CHECK_NEXT(&ws, "\"terminalId\":\"term-b\"");
    CHECK_NEXT(&ws, "\"terminalId\":\"term-a\"", "\"cols\":99");
    CHECK_SILENT(&ws);
    board_terminal_removed(f.board, "term-a");
    CHECK_NEXT(&ws, "{\"type\":\"terminal_removed\",\"terminalId\":\"term-a\"}");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    fake_drop(&plain);
    teardown(&f);
}

TEST(thumbnails_come_now_and_when_they_change) {
    struct fixture f;
    setup(&f);
    board_terminal_changed(f.board, f.a);
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1);
    CHECK_NEXT(&ws, "terminal_state");
    f.b->loading = true;
    fake_deliver(&ws, "{\"type\":\"terminal_thumbnails\",\"terminalIds\":[\"term-a\",\"term-b\",\"nope\"]}");
    CHECK_NEXT(&ws, "{\"type\":\"terminal_screen\",\"terminalId\":\"term-a\",\"cols\":10,\"rows\":2,",
               "\"cursor\":{\"col\":9,\"row\":1,\"visible\":true},\"lines\":[\"row 0\",\"row 1\"]}");
    CHECK_SILENT(&ws);
    fake_loaded(f.b);
    CHECK_NEXT(&ws, "\"terminal_screen\",\"terminalId\":\"term-b\"");
    CHECK_SILENT(&ws);
    board_terminal_painted(f.board, f.a);
    board_terminal_painted(f.board, f.a);
    CHECK_NEXT(&ws, "\"terminal_screen\",\"terminalId\":\"term-a\"");
    CHECK_SILENT(&ws);
    fake_deliver(&ws, "{\"type\":\"terminal_thumbnails\",\"terminalIds\":[]}");
    board_terminal_painted(f.board, f.a);
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(board_news_go_before_output) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1);
    fake_deliver(&ws, "{\"type\":\"terminal_subscribe\",\"terminalId\":\"term-a\"}");
    CHECK_NEXT(&ws, "terminal_ready");
    CHECK_NEXT(&ws, "terminal_output");
    fake_prints(f.a, "flood");
    board_terminal_changed(f.board, f.a);
    fake_deliver(&ws, "{\"type\":\"hello\"}");
    CHECK_NEXT(&ws, "\"ready\"");
    CHECK_NEXT(&ws, "terminal_state");
    CHECK_NEXT(&ws, "terminal_output");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TESTS(RUN(a_subscriber_gets_ready_the_screen_and_what_follows),
      RUN(unknown_terminals_are_unavailable_and_nothing_follows_an_unsubscription),
      RUN(two_that_print_take_turns), RUN(what_clients_say_reaches_the_terminal),
      RUN(who_disconnects_from_a_terminal_only_looks_elsewhere),
      RUN(the_board_is_told_how_terminals_are_the_newest_once), RUN(thumbnails_come_now_and_when_they_change),
      RUN(board_news_go_before_output))
