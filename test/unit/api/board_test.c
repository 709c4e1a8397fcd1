/* The board's channel, against a peer in memory: no sockets, no loop. */
#include "api/board.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "core/apply.h"
#include "fake_ws.h"
#include "test.h"

struct fixture {
    struct state state;
    struct effects fx;
    struct arena arena;
    struct board *board;
    struct board_ops ops;
    struct hook_stats stats;
    uint64_t pos;
    char queued[64]; /* the newest "SESSION COUNT" */
};

static void on_queue_count(void *user, const struct session *s, int64_t count) {
    struct fixture *f = user;
    (void)snprintf(f->queued, sizeof f->queued, "%s %lld", session_wire_id(s), (long long)count);
}

static void setup(struct fixture *f) {
    *f = (struct fixture){.arena = ARENA_INIT(1 << 20), .pos = 100};
    state_init(&f->state);
    hook_stats_init(&f->stats);
    f->ops = (struct board_ops){.hook = "/x/ostler-hook", .stats = &f->stats, .queue_count = on_queue_count};
    f->board = board_new(&f->state, &clock_system, &f->ops, f, 1);
}

static void teardown(struct fixture *f) {
    board_free(f->board);
    effects_fini(&f->fx);
    arena_fini(&f->arena);
    state_fini(&f->state);
    hook_stats_fini(&f->stats);
}

/* A record, applied and published at once. */
static void happens_record(struct fixture *f, struct span record) {
    struct event ev;
    struct err err = {0};
    CHECK_INT(event_parse(record, f->pos, &f->arena, &ev, &err), 0);
    f->pos += 100;
    (void)apply_event(&f->state, &ev, &f->arena, &f->fx);
    for (size_t i = 0; i < f->fx.count; i++) {
        const struct effect *e = &f->fx.items[i];
        if (e->kind == EFFECT_AMEND) board_amended(f->board, e->session, e->entry);
        if (e->kind == EFFECT_BROADCAST) board_publish(f->board, e->session);
        if (e->kind == EFFECT_TEAM) board_publish_team(f->board, e->team);
        if (e->kind == EFFECT_TEAM_REMOVED) board_publish_team_removed(f->board, e->team->id);
    }
    effects_clear(&f->fx);
    state_reap(&f->state);
    arena_reset(&f->arena);
}

/* A hook event of agent `id`, with these members in its envelope. */
static void happens_in(struct fixture *f, const char *env, const char *id, const char *event,
                       const char *fields) {
    happens_record(f, arena_printf(&f->arena,
                                   "{\"ostler\":{\"hook_sent_at\":%llu%s},\"payload\":{\"session_id\":\"%s\","
                                   "\"cwd\":\"/p/alpha\",\"hook_event_name\":\"%s\"%s}}",
                                   (unsigned long long)f->pos, env, id, event, fields));
}

static void happens(struct fixture *f, const char *id, const char *event, const char *fields) {
    happens_in(f, "", id, event, fields);
}

static void commanded(struct fixture *f, const char *command) {
    happens_record(f, arena_printf(&f->arena,
                                   "{\"ostler\":{\"via\":\"daemon\",\"hook_sent_at\":%llu,\"command\":%s},"
                                   "\"payload\":{}}",
                                   (unsigned long long)f->pos, command));
}

static void connect_client(struct fixture *f, struct ws *ws, enum board_dialect d, const uint64_t *since) {
    void *user;
    const struct ws_channel *channel = board_connect(f->board, ws, d, since, &user);
    fake_open(ws, channel, user);
}

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

static char *name_of(char ret[16], int i) {
    (void)snprintf(ret, 16, "a%d", i);
    return ret;
}

/* More than a client's queue holds; what changes meanwhile comes behind it. */
static void check_whole_replay(enum board_dialect d) {
    enum { CHANGED = 499 };
    struct fixture f;
    setup(&f);
    char name[16];
    happens(&f, "first", "SessionStart", "");
    for (int i = 0; i < CHANGED; i++)
        happens(&f, name_of(name, i), "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, d, NULL);
    if (d == BOARD_V1) CHECK_NEXT(&ws, "welcome");
    CHECK_NEXT(&ws, "snapshot");
    fake_deliver(&ws, "{\"type\":\"replay\",\"sinceSeq\":1}");
    for (int i = 0; i < CHANGED; i++) {
        AUTO(free) char *id = str_format("\"sessionId\":\"%s\"", name_of(name, i));
        CHECK_NEXT(&ws, "session_update", id);
        if (i == 10) happens(&f, "first", "Stop", "");
    }
    CHECK_NEXT(&ws, "{\"type\":\"replay\",\"sinceSeq\":1,\"seq\":500,\"count\":499}");
    CHECK_NEXT(&ws, "session_update", "\"seq\":501", "\"status\":\"waiting\"");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(everything_that_the_ring_holds_is_replayed) {
    check_whole_replay(BOARD_PLAIN);
    check_whole_replay(BOARD_V1);
}

TEST(a_replay_that_takes_too_long_becomes_a_snapshot) {
    struct fixture f;
    setup(&f);
    char name[16];
    for (int i = 0; i < 400; i++)
        happens(&f, name_of(name, i), "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    CHECK_NEXT(&ws, "snapshot");
    fake_deliver(&ws, "{\"type\":\"replay\",\"sinceSeq\":1}");
    CHECK_NEXT(&ws, "session_update", "\"sessionId\":\"a1\"");
    for (int i = 0; i < BOARD_QUEUE_FRAMES + 1; i++)
        happens(&f, "a0", "Stop", "");
    CHECK_NEXT(&ws, "snapshot");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    teardown(&f);
}

TEST(a_number_of_an_earlier_daemon_is_answered_by_the_snapshot_that_came_first) {
    struct fixture f;
    setup(&f);
    board_free(f.board);
    f.board = board_new(&f.state, &clock_system, &f.ops, &f, 1000);
    happens(&f, "a", "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    CHECK_NEXT(&ws, "snapshot");
    fake_deliver(&ws, "{\"type\":\"replay\",\"sinceSeq\":7}");
    CHECK_NEXT(&ws, "{\"type\":\"replay\",\"sinceSeq\":7,\"seq\":1000,\"count\":0}");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
    /* Asked for at once, it comes behind that snapshot. */
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    fake_deliver(&ws, "{\"type\":\"replay\",\"sinceSeq\":7}");
    CHECK_NEXT(&ws, "\"snapshot\"");
    CHECK_NEXT(&ws, "\"replay\"");
    CHECK_SILENT(&ws);
    fake_drop(&ws);
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

TEST(teams_are_told_and_replayed) {
    struct fixture f;
    setup(&f);
    struct ws plain, v1;
    happens(&f, "a", "SessionStart", "");
    connect_client(&f, &plain, BOARD_PLAIN, NULL);
    connect_client(&f, &v1, BOARD_V1, NULL);
    CHECK_NEXT(&plain, "snapshot", "\"teams\":{}");
    CHECK_NEXT(&v1, "welcome");
    CHECK_NEXT(&v1, "snapshot", "\"teams\":[]");
    happens_in(&f, ",\"parent_session_id\":\"a\"", "b", "SessionStart", "");
    CHECK_NEXT(&v1, "session_update", "\"teamRole\":\"leader\"");
    CHECK_NEXT(
        &v1, "{\"type\":\"team_update\",\"seq\":3,\"team\":{\"teamId\":\"team-a\",\"parentSessionId\":\"a\"",
        "\"childSessionIds\":[\"b\"]", "\"teamName\":\"alpha Team\"");
    CHECK_NEXT(&v1, "session_update", "\"teamRole\":\"member\"");
    CHECK_NEXT(&plain, "session_update", "\"team\":{\"teamId\":\"team-a\"");
    CHECK_NEXT(&plain, "team_update");
    CHECK_NEXT(&plain, "session_update", "\"teamRole\":\"member\"");

    struct ws late;
    uint64_t since = 1;
    connect_client(&f, &late, BOARD_V1, &since);
    CHECK_NEXT(&late, "welcome");
    CHECK_NEXT(&late, "session_update", "\"sessionId\":\"a\"");
    CHECK_NEXT(&late, "team_update", "\"seq\":3");
    CHECK_NEXT(&late, "session_update", "\"sessionId\":\"b\"");
    CHECK_NEXT(&late, "\"count\":3}");

    struct ws fresh;
    connect_client(&f, &fresh, BOARD_PLAIN, NULL);
    CHECK_NEXT(&fresh, "snapshot", "\"teams\":{\"team-a\":{\"teamId\":\"team-a\"");
    board_publish_team_removed(f.board, "team-a");
    CHECK_NEXT(&fresh, "{\"type\":\"team_removed\",\"seq\":5,\"teamId\":\"team-a\"}");
    struct ws *const all[] = {&plain, &v1, &late, &fresh};
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        fake_drop(all[i]);
    teardown(&f);
}

TEST(a_patch_says_what_is_gone) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1, NULL);
    CHECK_NEXT(&ws, "welcome");
    CHECK_NEXT(&ws, "snapshot");
    commanded(&f, "{\"name\":\"label\",\"session\":\"a\",\"value\":\"mine\"}");
    CHECK_NEXT(&ws, "\"label\":\"mine\"");
    commanded(&f, "{\"name\":\"label\",\"session\":\"a\"}");
    CHECK_NEXT(&ws, "\"label\":null");
    fake_drop(&ws);
    teardown(&f);
}

TEST(statistics_go_to_who_asked) {
    struct fixture f;
    setup(&f);
    struct ws ws;
    connect_client(&f, &ws, BOARD_V1, NULL);
    CHECK_NEXT(&ws, "welcome");
    CHECK_NEXT(&ws, "snapshot");
    board_publish_stats(f.board);
    CHECK_SILENT(&ws);
    fake_deliver(&ws, "{\"type\":\"stats\",\"on\":true}");
    CHECK_NEXT(&ws, "{\"type\":\"hook_stats\",\"stats\":{\"totalHooks\":0");
    hook_stats_note(&f.stats, SPAN("Stop"), 1, 1, 1);
    board_publish_stats(f.board);
    CHECK_NEXT(&ws, "\"totalHooks\":1");
    fake_deliver(&ws, "{\"type\":\"stats\",\"on\":false}");
    board_publish_stats(f.board);
    CHECK_SILENT(&ws);
    fake_deliver(&ws, "{\"type\":\"stats\"}");
    CHECK_NEXT(&ws, "on must be true or false");
    fake_drop(&ws);
    teardown(&f);
}

TEST(queued_prompts_are_counted) {
    struct fixture f;
    setup(&f);
    happens(&f, "a", "SessionStart", "");
    struct ws ws;
    connect_client(&f, &ws, BOARD_PLAIN, NULL);
    CHECK_NEXT(&ws, "snapshot");
    fake_deliver(&ws, "{\"type\":\"update_queue_count\",\"sessionId\":\"a\",\"count\":3}");
    CHECK_STR(f.queued, "a 3");
    fake_deliver(&ws, "{\"type\":\"update_queue_count\",\"sessionId\":\"a\",\"count\":-1}");
    CHECK_NEXT(&ws, "count must be a number");
    fake_deliver(&ws, "{\"type\":\"update_queue_count\",\"sessionId\":\"x\",\"count\":1}");
    CHECK_NEXT(&ws, "no such session");
    fake_drop(&ws);
    teardown(&f);
}

TESTS(RUN(a_plain_client_gets_whole_sessions), RUN(the_board_gets_a_welcome_summaries_and_patches),
      RUN(a_client_continues_where_it_was), RUN(a_number_from_elsewhere_gets_a_snapshot),
      RUN(more_changes_than_the_ring_holds_mean_a_snapshot), RUN(a_removed_session_is_replayed_as_removed),
      RUN(everything_that_the_ring_holds_is_replayed), RUN(a_replay_that_takes_too_long_becomes_a_snapshot),
      RUN(a_number_of_an_earlier_daemon_is_answered_by_the_snapshot_that_came_first),
      RUN(a_slow_client_falls_back_to_a_snapshot), RUN(an_open_session_sends_its_log),
      RUN(what_is_not_understood_is_answered), RUN(teams_are_told_and_replayed),
      RUN(a_patch_says_what_is_gone), RUN(statistics_go_to_who_asked), RUN(queued_prompts_are_counted))
