/* What a batch means when sessions come more than once, leave, or are written again. */
#include "base/str.h"
#include "fixture.h"

TEST(a_session_is_written_as_it_was_put_in_last) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct store_batch *b = store_batch_new();
    str_set(&s->title, SPAN("first"));
    store_batch_session(b, s);
    str_set(&s->title, SPAN("second"));
    s->primary->conversation.status = SESSION_STATUS_WORKING;
    store_batch_session(b, s);
    str_set(&s->title, SPAN("never put in"));
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct session *back = state_find(&after, span_str(s->id))->session;
    CHECK_STR(back->title, "second");
    CHECK_INT(back->primary->conversation.status, SESSION_STATUS_WORKING);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(a_value_that_went_away_is_gone) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct conversation *c = &s->primary->conversation;
    str_set(&c->last_words, SPAN("Bash"));
    c->ended_ms = 5;
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    fixture_commit(&f, b);
    str_set(&c->last_words, SPAN_NONE);
    c->ended_ms = 0;
    b = store_batch_new();
    store_batch_session(b, s);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct conversation *back = &state_find(&after, span_str(s->id))->conversation;
    CHECK(back->last_words == NULL);
    CHECK_INT(back->ended_ms, 0);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(the_same_batch_again_changes_nothing) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct conversation *c = &s->primary->conversation;
    struct entry *prompt = history_push(&c->history[HISTORY_PROMPT], 10, 1, SPAN("do it"), SPAN_NONE);
    struct entry *tool = history_push(&c->history[HISTORY_TOOL], 20, 2, SPAN("Bash"), SPAN("make"));
    struct entry *response = history_push(&c->history[HISTORY_RESPONSE], 30, 3, SPAN("done"), SPAN_NONE);
    struct entry *event =
        history_push(&c->history[HISTORY_EVENT], 10, 1, SPAN("UserPromptSubmit"), SPAN("do it"));
    entry_set_error(tool, SPAN("exit 2"));
    for (int i = 0; i < 3; i++) {
        struct store_batch *b = store_batch_new();
        store_batch_append(b, s, HISTORY_PROMPT, prompt);
        store_batch_append(b, s, HISTORY_TOOL, tool);
        store_batch_append(b, s, HISTORY_RESPONSE, response);
        store_batch_append(b, s, HISTORY_EVENT, event);
        store_batch_amend(b, s, HISTORY_TOOL, tool);
        store_batch_session(b, s);
        store_batch_key(b, SPAN("k"), 1);
        fixture_commit(&f, b);
    }
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM sessions"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM aliases"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM workers"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM prompts"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM tool_calls WHERE failed = 1 AND error = 'exit 2'"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM responses"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM idempotency"), 1);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    CHECK_INT(state_find(&after, span_str(s->id))->conversation.history[HISTORY_TOOL].count, 1);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(two_calls_in_one_millisecond_are_two) {
    struct fixture f;
    fixture_open(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    struct store_batch *b = store_batch_new();
    for (uint64_t pos = 1; pos <= 2; pos++)
        store_batch_append(
            b, s, HISTORY_TOOL,
            history_push(&s->primary->conversation.history[HISTORY_TOOL], pos, 5, SPAN("Read"), SPAN("a.c")));
    fixture_commit(&f, b);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM tool_calls WHERE timestamp = 5"), 2);
    state_fini(&st);
    fixture_close(&f);
}

TEST(a_removed_session_leaves_the_board_and_keeps_its_history) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct session *other = state_add_session(&before, 2, SESSION_KIND_OBSERVED);
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    store_batch_session(b, other);
    append_event(b, s, 1);
    fixture_commit(&f, b);

    b = store_batch_new();
    s->primary->conversation.status = SESSION_STATUS_ENDED;
    append_event(b, s, 2);
    store_batch_remove(b, s);
    state_remove_session(&before, s);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    CHECK_INT(after.session_count, 1);
    CHECK(state_find(&after, span_str(other->id)) != NULL);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), 2);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM sessions WHERE on_board = 0 AND status = 'ended'"), 1);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

/* B is older in the batch than A's removal, and takes A's alias after it. */
TEST(an_alias_follows_the_card_that_took_it_over) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *a = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct session *b = state_add_session(&before, 2, SESSION_KIND_OBSERVED);
    state_add_alias(&before, SPAN("agent"), a->primary);
    struct store_batch *batch = store_batch_new();
    store_batch_session(batch, b);
    store_batch_session(batch, a);
    store_batch_remove(batch, a);
    state_remove_session(&before, a);
    state_add_alias(&before, SPAN("agent"), b->primary);
    store_batch_session(batch, b);
    fixture_commit(&f, batch);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    CHECK_INT(after.session_count, 1);
    CHECK_STR(state_find(&after, SPAN("agent"))->session->id, b->id);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(sessions_come_back_in_the_order_of_their_birth) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    const uint64_t births[] = {5, 35, 36, 1000, 1ull << 40};
    struct session *sessions[ARRAY_LEN(births)];
    for (size_t i = 0; i < ARRAY_LEN(births); i++)
        sessions[i] = state_add_session(&before, births[i], SESSION_KIND_OBSERVED);
    struct store_batch *b = store_batch_new();
    for (size_t i = ARRAY_LEN(births); i-- > 0;)
        store_batch_session(b, sessions[i]);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    size_t i = 0;
    list_for_each(pos, &after.sessions)
        CHECK_STR(list_entry(pos, struct session, in_state)->id, sessions[i++]->id);
    CHECK_INT(i, ARRAY_LEN(births));
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TESTS(RUN(a_session_is_written_as_it_was_put_in_last), RUN(a_value_that_went_away_is_gone),
      RUN(the_same_batch_again_changes_nothing), RUN(two_calls_in_one_millisecond_are_two),
      RUN(a_removed_session_leaves_the_board_and_keeps_its_history),
      RUN(an_alias_follows_the_card_that_took_it_over), RUN(sessions_come_back_in_the_order_of_their_birth))
