/* The board's channel, against a peer in memory: no sockets, no loop. */
#include "api/board.h"

#include "base/cleanup.h"
#include "core/apply.h"
#include "fake_ws.h"
#include "test.h"

struct fixture {
    struct state state;
    struct effects fx;
    struct arena arena;
    struct board *board;
    uint64_t pos;
};

static void setup(struct fixture *f) {
    *f = (struct fixture){.arena = ARENA_INIT(1 << 20), .pos = 100};
    state_init(&f->state);
    f->board = board_new(&f->state, &clock_system, "/x/ostler-hook", 1);
}

static void teardown(struct fixture *f) {
    board_free(f->board);
    effects_fini(&f->fx);
    arena_fini(&f->arena);
    state_fini(&f->state);
}

/* A hook event of agent `id`, applied and published at once. */
static void happens(struct fixture *f, const char *id, const char *event, const char *fields) {
    struct span record = arena_printf(
        &f->arena,
        "{\"ostler\":{\"hook_sent_at\":%llu},\"payload\":{\"session_id\":\"%s\",\"cwd\":\"/p/alpha\","
        "\"hook_event_name\":\"%s\"%s}}",
        (unsigned long long)f->pos, id, event, fields);
    struct event ev;
    struct err err = {0};
    CHECK_INT(event_parse(record, f->pos, &f->arena, &ev, &err), 0);
    f->pos += 100;
    (void)apply_event(&f->state, &ev, &f->arena, &f->fx);
    for (size_t i = 0; i < f->fx.count; i++) {
        const struct effect *e = &f->fx.items[i];
        if (e->kind == EFFECT_AMEND) board_amended(f->board, e->session, e->entry);
        if (e->kind == EFFECT_BROADCAST) board_publish(f->board, e->session);
    }
    effects_clear(&f->fx);
    arena_reset(&f->arena);
}

static void connect_client(struct fixture *f, struct ws *ws, enum board_dialect d, const uint64_t *since) {
    void *user;
    const struct ws_channel *channel = board_connect(f->board, ws, d, since, &user);
    fake_open(ws, channel, user);
}

#define CHECK_NEXT(ws, ...)                                                             \
    do {                                                                                \
        AUTO(free) char *text_ = fake_take(ws);                                         \
        CHECK(text_ != NULL);                                                           \
        const char *const parts_[] = {__VA_ARGS__};                                     \
        for (size_t i_ = 0; i_ < ARRAY_LEN(parts_); i_++)                               \
            if (!strstr(text_, parts_[i_])) fail_msg("no %s in %s", parts_[i_], text_); \
    } while (0)
#define CHECK_SILENT(ws)                             \
    do {                                             \
        AUTO(free) char *text_ = fake_take(ws);      \
        if (text_) fail_msg("unexpected %s", text_); \
    } while (0)

TEST(a_plain_client_gets_whole_sessions) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    CHECK_NEXT(&ws, "{\"type\":\"snapshot\"", "\"sessions\":{\"a\":{\"id\":\"s2s\"", "\"teams\":{}",
               "\"seq\":1}");
    CHECK_SILENT(&ws);
    happens(&f, "a", "Stop", "");
    CHECK(ws.wants_write);
    CHECK_NEXT(&ws, "\"type\":\"session_update\"", "\"seq\":2", "\"status\":\"waiting\"", "\"toolLog\":[]");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(the_board_gets_a_welcome_summaries_and_patches) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1, NULL);
    CHECK_NEXT(&ws, "{\"type\":\"welcome\",\"schema\":1",
               "\"seq\":1,\"now\":", "\"hook\":\"/x/ostler-hook\"}");
    CHECK_NEXT(&ws, "{\"type\":\"snapshot\",\"seq\":1,\"sessions\":[{\"id\":\"s2s\"");
    happens(&f, "a", "PreToolUse", ",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}");
    AUTO(free) char *patch = fake_take(&ws);
    CHECK(strstr(patch, "\"id\":\"s2s\",\"patch\":{") &&
          strstr(patch, "\"tool\":{\"tool\":\"Bash\",\"input\":\"ls\""));
    /* Only what changed. */
    CHECK(!strstr(patch, "projectPath") && !strstr(patch, "currentPrompt") && !strstr(patch, "toolLog"));
    /* A session that nobody knew comes whole. */
    happens(&f, "b", "SessionStart", "");
    CHECK_NEXT(&ws, "\"patch\":{\"id\":\"s8c\"", "\"projectPath\":\"/p/alpha\"", "\"currentPrompt\":\"\"");
    fake_drop(&ws);
    teardown(&f);
}

TEST(a_client_continues_where_it_was) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    happens(&f, "b", "SessionStart", "");
    happens(&f, "a", "UserPromptSubmit", ",\"prompt\":\"x\"");
    happens(&f, "a", "Stop", "");
    struct ws ws;
    uint64_t since = 2;
    connect_client(&f, &ws, BOARD_V1, &since);
    CHECK_NEXT(&ws, "welcome", "\"seq\":4");
    /* The newest state of what changed, once. */
    CHECK_NEXT(&ws, "session_update", "\"seq\":4", "\"status\":\"waiting\"", "\"sessionId\":\"a\"");
    CHECK_NEXT(&ws, "{\"type\":\"replay\",\"sinceSeq\":2,\"seq\":4,\"count\":1}");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(a_number_from_elsewhere_gets_a_snapshot) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    const uint64_t numbers[] = {2, 1000000, UINT64_MAX};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        struct ws ws;
        connect_client(&f, &ws, BOARD_V1, &numbers[i]);
        CHECK_NEXT(&ws, "welcome");
        CHECK_NEXT(&ws, "snapshot");
        fake_drop(&ws);
    }
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    CHECK_NEXT(&ws, "snapshot");
    fake_deliver(&ws, "{\"type\":\"replay\",\"sinceSeq\":99}");
    CHECK_NEXT(&ws, "snapshot");
    fake_deliver(&ws, "{\"type\":\"replay\",\"sinceSeq\":1}");
    CHECK_NEXT(&ws, "\"count\":0");
    fake_drop(&ws);
    teardown(&f);
}

TEST(more_changes_than_the_ring_holds_mean_a_snapshot) {
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 501; i++)
        happens(&f, "a", "Stop", "");
    struct ws near_enough, too_old;
    const uint64_t one = 1, none = 0;
    connect_client(&f, &near_enough, BOARD_V1, &one);
    CHECK_NEXT(&near_enough, "welcome");
    CHECK_NEXT(&near_enough, "session_update");
    CHECK_NEXT(&near_enough, "replay");
    connect_client(&f, &too_old, BOARD_V1, &none);
    CHECK_NEXT(&too_old, "welcome");
    CHECK_NEXT(&too_old, "snapshot");
    fake_drop(&near_enough);
    fake_drop(&too_old);
    teardown(&f);
}

TEST(a_removed_session_is_replayed_as_removed) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    struct session *s = state_find(&f.state, SPAN("a"))->session;
    state_remove_session(&f.state, s);
    board_publish_removed(f.board, s);
    state_reap(&f.state);
    struct ws ws;
    const uint64_t since = 1;
    connect_client(&f, &ws, BOARD_PLAIN, &since);
    CHECK_NEXT(&ws, "{\"type\":\"session_removed\",\"seq\":2,\"id\":\"s2s\",\"sessionId\":\"a\"}");
    CHECK_NEXT(&ws, "replay", "\"count\":1");
    fake_drop(&ws);
    teardown(&f);
}

TEST(a_slow_client_falls_back_to_a_snapshot) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    CHECK_NEXT(&ws, "snapshot");
    for (int i = 0; i < BOARD_QUEUE_FRAMES + 5; i++)
        happens(&f, "a", "Stop", "");
    CHECK_NEXT(&ws, "snapshot", "\"seq\":262");
    CHECK_SILENT(&ws);
    happens(&f, "a", "Stop", "");
    CHECK_NEXT(&ws, "session_update", "\"seq\":263");
    fake_drop(&ws);
    teardown(&f);
}

TEST(an_open_session_sends_its_log) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "UserPromptSubmit", ",\"prompt\":\"first\"");
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1, NULL);
    CHECK_NEXT(&ws, "welcome");
    CHECK_NEXT(&ws, "snapshot");
    /* By the agent's id: any alias will do. */
    fake_deliver(&ws, "{\"type\":\"open\",\"id\":\"a\"}");
    CHECK_NEXT(&ws,
               "{\"type\":\"session_detail\",\"id\":\"s2s\",\"prompts\":[{\"pos\":100,\"text\":\"first\"");
    happens(&f, "a", "PreToolUse", ",\"tool_name\":\"Bash\"");
    CHECK_NEXT(&ws, "session_update");
    AUTO(free) char *log = fake_take(&ws);
    CHECK(strstr(log, "{\"type\":\"session_log\",\"id\":\"s2s\""));
    CHECK(strstr(log, "\"tools\":[{\"pos\":200,\"tool\":\"Bash\""));
    /* What the detail had is not repeated. */
    CHECK(!strstr(log, "first"));
    happens(&f, "a", "PostToolUseFailure", ",\"tool_name\":\"Bash\",\"error\":\"no\"");
    CHECK_NEXT(&ws, "session_update");
    /* The entry that failed comes again, under its position. */
    CHECK_NEXT(&ws, "\"tools\":[{\"pos\":200,\"tool\":\"Bash\"", "\"failed\":true,\"error\":\"no\"",
               "\"events\":[{\"pos\":300");
    fake_deliver(&ws, "{\"type\":\"close\",\"id\":\"s2s\"}");
    happens(&f, "a", "Stop", "");
    CHECK_NEXT(&ws, "session_update");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(what_is_not_understood_is_answered) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1, NULL);
    CHECK_NEXT(&ws, "welcome");
    CHECK_NEXT(&ws, "snapshot");
    static const struct {
        const char *message, *answer;
    } cases[] = {
        {"", "one JSON object"},
        {"[1]", "one JSON object"},
        {"{\"x\":1}", "needs a type"},
        {"{\"type\":\"dance\"}", "unknown message type: dance"},
        {"{\"type\":\"replay\"}", "sinceSeq must be a number"},
        {"{\"type\":\"replay\",\"sinceSeq\":-1}", "sinceSeq must be a number"},
        {"{\"type\":\"open\",\"id\":7}", "id must be"},
        {"{\"type\":\"open\",\"id\":\"nobody\"}", "no such session"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        fake_deliver(&ws, cases[i].message);
        CHECK_NEXT(&ws, "{\"type\":\"error\",\"error\":\"", cases[i].answer);
    }
    fake_deliver(&ws, "{\"type\":\"close\",\"id\":\"nobody\"}");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TESTS(RUN(a_plain_client_gets_whole_sessions), RUN(the_board_gets_a_welcome_summaries_and_patches),
      RUN(a_client_continues_where_it_was), RUN(a_number_from_elsewhere_gets_a_snapshot),
      RUN(more_changes_than_the_ring_holds_mean_a_snapshot), RUN(a_removed_session_is_replayed_as_removed),
      RUN(a_slow_client_falls_back_to_a_snapshot), RUN(an_open_session_sends_its_log),
      RUN(what_is_not_understood_is_answered))
