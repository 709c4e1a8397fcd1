/*
 * The promise of the whole design: a run that was killed again and again, each time loading the last commit and
 * applying the rest of the records anew, ends with the same board as one that was never disturbed. Random events,
 * a real database, random commits and crashes. The seed is printed; give it as the argument to see the same run.
 */
#include "../module/store/fixture.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "core/apply.h"
#include "wire/board_msg.h"

enum { RECORDS = 600, AGENTS = 6, RUNS = 8, POSITIONS = 10 };

static uint64_t seed;

static uint64_t draw(uint64_t below) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * 2685821657736338717U % below;
}

/* What the daemon itself notes: terminals, resumes, what people set, processes that died or were found. */
static void write_daemon_record(struct buf *out, int64_t now_ms) {
    static const char *const notes[] = {
        "\"command\":{\"name\":\"terminal-made\",\"terminal\":\"term-#\",\"path\":\"/p/1\",\"source\":\"ssh\",\"pid\":7#}",
        "\"command\":{\"name\":\"terminal-gone\",\"terminal\":\"term-#\"}",
        "\"command\":{\"name\":\"resume\",\"session\":\"agent-#\",\"terminal\":\"term-r\"}",
        "\"command\":{\"name\":\"resume\",\"session\":\"term-#\",\"terminal\":\"term-q\"}",
        "\"command\":{\"name\":\"title\",\"session\":\"agent-#\",\"value\":\"mine\"}",
        "\"command\":{\"name\":\"label\",\"session\":\"agent-#\"}",
        "\"command\":{\"name\":\"killed\",\"session\":\"agent-#\"}",
        "\"command\":{\"name\":\"delete\",\"session\":\"agent-#\"}",
        "\"command\":{\"name\":\"member\",\"session\":\"agent-#\",\"pane\":\"%3\",\"color\":\"red\"}",
        "\"probe\":{\"session\":\"agent-#\",\"for\":\"exit\",\"pid\":9,\"alive\":false,\"child\":false}",
        "\"probe\":{\"session\":\"agent-#\",\"for\":\"restart\",\"pid\":9,\"alive\":false,\"child\":false}",
        "\"probe\":{\"session\":\"agent-#\",\"for\":\"find\",\"pid\":8,\"start\":3,\"alive\":true,\"child\":false}",
    };
    (void)buf_printf(out, "{\"ostler\":{\"via\":\"daemon\",\"hook_sent_at\":%lld,", (long long)now_ms);
    const char *note = notes[draw(ARRAY_LEN(notes))];
    uint64_t who = draw(AGENTS);
    for (const char *hole; (hole = strchr(note, '#')); note = hole + 1)
        (void)buf_printf(out, "%.*s%llu", (int)(hole - note), note, (unsigned long long)who);
    (void)buf_printf(out, "%s},\"payload\":{}}", note);
}

/* Marks in the environment that lead to cards, right or wrong. */
static const char *random_env(void) {
    static const char *const envs[] = {
        "",
        "",
        "",
        ",\"claude_pid\":9",
        ",\"claude_pid\":9,\"claude_start\":5",
        ",\"claude_pid\":10,\"claude_start\":6,\"claude_ppid\":71",
        ",\"agent_terminal_id\":\"term-1\"",
        ",\"agent_terminal_id\":\"term-r\"",
        ",\"agent_terminal_id\":\"term-2\",\"claude_pid\":11,\"claude_start\":7",
        ",\"parent_session_id\":\"agent-0\",\"agent_name\":\"helper\",\"team_name\":\"crew\"",
        ",\"parent_session_id\":\"agent-3\"",
        ",\"key\":\"k\"",
    };
    return envs[draw(ARRAY_LEN(envs))];
}

/* A record for a random event of a random agent, at a time that mostly goes on. */
static void write_record(struct buf *out, int64_t *now_ms) {
    static const char *const events[] = {
        "SessionStart",
        "SessionStart\",\"source\":\"clear",
        "UserPromptSubmit\",\"prompt\":\"do it\\u00e9",
        "PreToolUse\",\"tool_name\":\"Bash",
        "PreToolUse\",\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"/x\"},\"x\":\"",
        "PostToolUse",
        "PostToolUseFailure\",\"tool_name\":\"Bash\",\"error\":\"boom",
        "PermissionRequest\",\"tool_name\":\"Bash",
        "Stop\",\"last_assistant_message\":\"done",
        "Notification\",\"message\":\"hm",
        "SubagentStart\",\"agent_type\":\"x",
        "SubagentStop",
        "PermissionRequest\",\"tool_name\":\"Bash\",\"agent_id\":\"s1",
        "PostToolUse\",\"agent_id\":\"s1",
        "StopFailure\",\"error\":\"overloaded",
        "Interrupt",
        "Notification\",\"notification_type\":\"idle_prompt",
        "TaskCompleted",
        "SessionEnd",
    };
    *now_ms += (int64_t)draw(4000) - 200;
    if (draw(5) == 0) {
        write_daemon_record(out, *now_ms);
        return;
    }
    uint64_t agent = draw(AGENTS);
    (void)buf_printf(
        out,
        "{\"ostler\":{\"hook_sent_at\":%lld%s},\"payload\":{\"session_id\":\"agent-%llu\",\"cwd\":\"/p/%llu\","
        "\"hook_event_name\":\"%s\"}}",
        (long long)*now_ms, random_env(), (unsigned long long)agent, (unsigned long long)(agent % 3),
        events[draw(ARRAY_LEN(events))]);
}

struct run {
    struct state state;
    struct effects fx;
    struct arena arena;
};

static void run_init(struct run *r) {
    *r = (struct run){.arena = ARENA_INIT(1 << 20)};
    state_init(&r->state);
}

static void run_fini(struct run *r) {
    state_fini(&r->state);
    effects_fini(&r->fx);
    arena_fini(&r->arena);
}

/* With the first broadcast it is said and forgotten. */
static void tell(struct session *s) {
    free(s->replaces_id);
    s->replaces_id = NULL;
}

static void carry_out(struct run *r, struct store_batch *b) {
    for (size_t i = 0; i < r->fx.count; i++)
        if (r->fx.items[i].kind == EFFECT_BROADCAST) tell(r->fx.items[i].session);
    for (size_t i = 0; i < r->fx.count && b; i++) {
        const struct effect *e = &r->fx.items[i];
        if (e->kind == EFFECT_APPEND) store_batch_append(b, e->session, e->history, e->entry);
        if (e->kind == EFFECT_AMEND) store_batch_amend(b, e->session, e->history, e->entry);
        if (e->kind == EFFECT_REMOVE) store_batch_remove(b, e->session);
        if (e->kind == EFFECT_TEAM_REMOVED) store_batch_team(b, e->team, true);
    }
    effects_clear(&r->fx);
    state_reap(&r->state);
    arena_reset(&r->arena);
}

/* Positions are made of the records' numbers here: all that counts is that they grow by more than a record logs. */
static void apply_record(struct run *r, struct span record, uint64_t pos, struct store_batch *b) {
    struct event ev;
    struct err err = {0};
    CHECK_INT(event_parse(record, pos, &r->arena, &ev, &err), 0);
    bool fresh = apply_event(&r->state, &ev, &r->arena, &r->fx);
    if (fresh && ev.key.n && b) store_batch_key(b, ev.key, ev.at_ms);
    carry_out(r, b);
}

static void fill_batch(struct run *r, struct store_batch *b, uint64_t done) {
    list_for_each_safe(pos, &r->state.dirty) {
        struct session *s = list_entry(pos, struct session, in_dirty);
        store_batch_session(b, s);
        list_remove(&s->in_dirty);
        s->dirty = false;
    }
    list_for_each_safe(pos, &r->state.dirty_projects) {
        store_batch_project(b, list_entry(pos, struct project, in_dirty));
        list_remove(pos);
    }
    list_for_each_safe(pos, &r->state.dirty_teams) {
        store_batch_team(b, list_entry(pos, struct team, in_dirty), false);
        list_remove(pos);
    }
    store_batch_mark(b, &(struct spool_mark){.off = done}, 1);
}

/* Applies everything with commits and crashes in between, and writes the board that is left. */
static void crashing_run(const struct buf *records, struct buf *board) {
    struct fixture f;
    fixture_open(&f);
    uint64_t done = 0;
    while (done < RECORDS) {
        struct run r;
        run_init(&r);
        struct store_meta meta;
        struct err err = {0};
        CHECK_INT(store_load(f.store, &r.state, &meta, &err), 0);
        done = spool_mark_position(&meta.mark);
        struct store_batch *b = store_batch_new();
        uint64_t life = 1 + draw(120);
        for (uint64_t i = 0; i < life && done < RECORDS; i++, done++) {
            apply_record(&r, buf_span(&records[done]), (done + 1) * POSITIONS, b);
            if (draw(12) != 0 && done + 1 < RECORDS) continue;
            fill_batch(&r, b, done + 1);
            fixture_commit(&f, b);
            b = store_batch_new();
        }
        if (done == RECORDS) board_msg_snapshot(board, BOARD_PLAIN, &r.state, 0);
        store_batch_free(b); /* what was not committed dies with the process */
        run_fini(&r);
        fixture_close_store(&f);
        fixture_open_store(&f);
    }
    fixture_close(&f);
}

/* Boards are long: shows where they part. */
static void check_same(struct span actual, struct span expected) {
    size_t at = 0;
    while (at < actual.n && at < expected.n && actual.p[at] == expected.p[at])
        at++;
    if (at == actual.n && at == expected.n) return;
    size_t from = at > 150 ? at - 150 : 0;
    fail_msg("at byte %zu\n# after crashes: %.*s\n# without:       %.*s", at, 300, actual.p + from, 300,
             expected.p + from);
}

TEST(a_run_with_crashes_ends_like_one_without) {
    for (int i = 0; i < RUNS; i++) {
        print_message("# seed %llu\n", (unsigned long long)seed);
        static struct buf records[RECORDS];
        int64_t now_ms = 1000000;
        struct run calm;
        run_init(&calm);
        for (uint64_t n = 0; n < RECORDS; n++) {
            records[n] = BUF_INIT(4096);
            write_record(&records[n], &now_ms);
            apply_record(&calm, buf_span(&records[n]), (n + 1) * POSITIONS, NULL);
        }
        AUTO(buf) struct buf expected = BUF_INIT(16 << 20);
        AUTO(buf) struct buf actual = BUF_INIT(16 << 20);
        board_msg_snapshot(&expected, BOARD_PLAIN, &calm.state, 0);
        crashing_run(records, &actual);
        CHECK(expected.n > 1000);
        check_same(buf_span(&actual), buf_span(&expected));
        run_fini(&calm);
        for (size_t n = 0; n < RECORDS; n++)
            buf_fini(&records[n]);
    }
}

int main(int argc, char **argv) {
    uint64_t given;
    seed = argc > 1 && span_u64(span_str(argv[1]), &given) ? given
                                                           : (uint64_t)time(NULL) * 0x9E3779B97F4A7C15U | 1;
    const struct CMUnitTest tests[] = {RUN(a_run_with_crashes_ends_like_one_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
