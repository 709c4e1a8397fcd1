#include "core/apply.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "test.h"

struct board {
    struct state st;
    struct effects fx;
    struct arena arena;
    uint64_t pos;
};

static void board_open(struct board *b) {
    *b = (struct board){.arena = ARENA_INIT(1 << 20)};
    state_init(&b->st);
}

static void board_close(struct board *b) {
    state_fini(&b->st);
    effects_fini(&b->fx);
    arena_fini(&b->arena);
}

static void apply_text(struct board *b, const char *record) {
    struct event ev;
    struct err err = {0};
    CHECK_INT(event_parse(span_str(record), ++b->pos, &b->arena, &ev, &err), 0);
    CHECK(apply_event(&b->st, &ev, &b->arena, &b->fx));
    effects_clear(&b->fx);
    state_reap(&b->st);
    arena_reset(&b->arena);
}

/* Names of tools come from outside: without a cap an agent could fill the memory with them. */
TEST(only_so_many_tools_are_counted_by_name) {
    enum { MANY = APPLY_TOOL_NAMES_MAX + 50 };
    struct board b;
    board_open(&b);
    AUTO(buf) struct buf record = BUF_INIT(1000);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            buf_clear(&record);
            (void)buf_printf(&record,
                             "{\"ostler\":{\"hook_sent_at\":1000},\"payload\":{\"session_id\":\"a\","
                             "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"T%d\"}}",
                             i);
            apply_text(&b, record.p);
        }
    }
    const struct conversation *c = &state_find(&b.st, SPAN("a"))->conversation;
    CHECK_INT(c->tool_calls, 2 * MANY);
    CHECK_INT(c->tool_usage_count, APPLY_TOOL_NAMES_MAX);
    CHECK_STR(c->tool_usage[APPLY_TOOL_NAMES_MAX - 1].tool, "T199");
    CHECK_INT(c->tool_usage[APPLY_TOOL_NAMES_MAX - 1].count, 2);
    board_close(&b);
}

TEST(the_newest_keys_are_remembered) {
    struct state st;
    state_init(&st);
    char key[24];
    for (int i = 0; i < STATE_KEYS_MAX + 5; i++) {
        (void)snprintf(key, sizeof key, "key-%d", i);
        CHECK(state_remember_key(&st, span_str(key)));
    }
    CHECK_INT(st.keys.count, STATE_KEYS_MAX);
    CHECK(!state_remember_key(&st, SPAN("key-5")));
    CHECK(state_remember_key(&st, SPAN("key-4"))); /* forgotten, and the next oldest goes for it */
    CHECK(state_remember_key(&st, SPAN("key-5")));
    CHECK_INT(st.keys.count, STATE_KEYS_MAX);
    state_fini(&st);
}

TESTS(RUN(only_so_many_tools_are_counted_by_name), RUN(the_newest_keys_are_remembered))
