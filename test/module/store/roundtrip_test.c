/* What goes into the database comes out of it. */
#include "base/str.h"
#include "fixture.h"

#include "base/mem.h"
#include "core/subagent.h"

/* A value of its own for every string field, so that no two can be mixed up. */
static void fill_strings(struct session *s) {
    struct conversation *c = &s->primary->conversation;
    struct {
        char **slot;
        const char *value;
    } fields[] = {
        {&s->project_path, "/home/u/alpha"},
        {&s->project_name, "alpha"},
        {&s->title, "alpha #1 — Fix the flaky test"},
        {&s->source, "vscode"},
        {&s->label, "mine"},
        {&s->accent_color, "#ff8800"},
        {&s->character_model, "robot"},
        {&s->summary, "did things"},
        {&c->session_id, "agent-2"},
        {&c->evidence.event, "PreToolUse"},
        {&c->current_prompt, "fix\nthe \"flaky\" test ✓"},
        {&c->model, "opus"},
        {&c->permission_mode, "plan"},
        {&c->transcript_path, "/t/x.jsonl"},
        {&c->notice.text, "Done.…"},
        {&c->notice.detail, "Done.\nAll of it."},
        {&c->last_words, "Done."},
        {&c->error_kind, "rate_limit"},
        {&c->error_detail, "429"},
        {&c->tool_now, "Edit"},
        {&c->tool_now_input, "main.c"},
        {&c->last_subagent_name, "explorer"},
        {&c->spawned_type, "reviewer"},
        {&s->primary->terminal_id, "terminal-1"},
        {&s->primary->last_terminal_id, "terminal-0"},
        {&s->team_name, "crew"},
        {&s->agent_name, "backend"},
        {&s->agent_type, "engineer"},
        {&s->agent_color, "#00ff88"},
        {&s->tmux_pane, "%3"},
        {&s->backend, "node"},
    };
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        str_set(fields[i].slot, span_str(fields[i].value));
}

static void fill_asking(struct conversation *c) {
    struct asking_text {
        char **slot;
        const char *value;
    };
    c->requests = xcalloc(2, sizeof *c->requests);
    c->request_count = 2;
    for (size_t i = 0; i < 2; i++) {
        struct request *r = &c->requests[i];
        id_from_position(r->id, 'r', 4711 + i);
        r->kind = i ? ATTENTION_PLAN : ATTENTION_APPROVAL;
        r->form = i ? TEXT_FORM_MARKDOWN : TEXT_FORM_COMMAND;
        r->since_ms = 1700000000321;
        r->certain = i == 0;
        const struct asking_text texts[] = {
            {&r->text, "Run \"make\""},
            {&r->detail, "make\n\tinstall"},
            {&r->tool, "Bash"},
            {&r->summary, "make"},
            {&r->label, "Approve Bash: make"},
            {&r->agent, i ? "agent-7" : "agent-6"},
            {&r->call, "toolu_1"},
        };
        for (size_t k = 0; k < ARRAY_LEN(texts); k++)
            str_set(texts[k].slot, span_str(texts[k].value));
    }
    c->calls = xcalloc(1, sizeof *c->calls);
    c->call_count = 1;
    c->calls[0] = (struct tool_call){.id = xstrdup("toolu_1"),
                                     .agent = xstrdup("agent-7"),
                                     .tool = xstrdup("Bash"),
                                     .input = xstrdup("{\"command\":\"make\"}"),
                                     .pos = 99};
    subagent_began(c, SPAN("agent-7"));
    subagent_began(c, SPAN(""));
}

static void fill_numbers(struct session *s) {
    struct conversation *c = &s->primary->conversation;
    s->archived = true;
    s->queue_count = 3;
    c->cli = CLI_CODEX;
    c->status = SESSION_STATUS_APPROVAL;
    c->animation = ANIMATION_WAITING;
    c->emote = EMOTE_THUMBS_UP;
    c->evidence.source = EVIDENCE_TIMER;
    c->evidence.at_ms = 1700000000123;
    c->started_ms = 1700000000001;
    c->last_activity_ms = 1700000000002;
    c->ended_ms = 1700000000003;
    c->tool_now_ms = 1700000000004;
    c->turn_tool_calls = 5;
    c->tool_calls = 6;
    c->prompt_count = 7;
    fill_asking(c);
    c->notice.kind = ATTENTION_FINISHED;
    c->notice.form = TEXT_FORM_MARKDOWN;
    c->notice.since_ms = 1700000000777;
    c->background = 8;
    c->runner_pid = 4242;
    c->by_hook = true;
    s->hidden = s->primary->is_shell = s->primary->starts_fresh = true;
    c->pid = 9;
    c->pid_start = 10;
    c->pid_guessed = c->pid_doubtful = true;
    c->error_ms = 1700000000005;
    c->status_since_ms = 1700000000006;
    s->number = 11;
    c->restart_ms = 1700000000007;
    c->history_from = 12;
    c->spawned = 13;
    c->spawned_ms = 1700000000008;
    s->primary->terminal_pid = 14;
    s->primary->linked_ms = 1700000000009;
    s->titled = true;
    for (size_t i = 0; i < DEADLINE_WORKER_N_; i++)
        s->primary->deadlines[i].at_ms = 1700000000100 + (int64_t)i;
    c->tool_usage = xcalloc(2, sizeof *c->tool_usage);
    c->tool_usage_count = 2;
    c->tool_usage[0] = (struct tool_count){.tool = str_dup(SPAN("Bash")), .count = 4};
    c->tool_usage[1] = (struct tool_count){.tool = str_dup(SPAN("mcp__\"q\"")), .count = 2};
}

static void check_same_strings(const struct session *a, const struct session *b) {
    const struct conversation *c = &a->primary->conversation, *d = &b->primary->conversation;
    CHECK_STR(a->id, b->id);
    CHECK_STR(a->primary->id, b->primary->id);
    CHECK_STR(a->project_path, b->project_path);
    CHECK_STR(a->project_name, b->project_name);
    CHECK_STR(a->title, b->title);
    CHECK_STR(a->source, b->source);
    CHECK_STR(a->label, b->label);
    CHECK_STR(a->accent_color, b->accent_color);
    CHECK_STR(a->character_model, b->character_model);
    CHECK_STR(a->summary, b->summary);
    CHECK_STR(c->session_id, d->session_id);
    CHECK_STR(c->evidence.event, d->evidence.event);
    CHECK_STR(c->current_prompt, d->current_prompt);
    CHECK_STR(c->model, d->model);
    CHECK_STR(c->permission_mode, d->permission_mode);
    CHECK_STR(c->transcript_path, d->transcript_path);
    CHECK_STR(c->notice.text, d->notice.text);
    CHECK_STR(c->notice.detail, d->notice.detail);
    CHECK_STR(c->last_words, d->last_words);
    CHECK_STR(c->error_kind, d->error_kind);
    CHECK_STR(c->error_detail, d->error_detail);
    CHECK_STR(c->tool_now, d->tool_now);
    CHECK_STR(c->tool_now_input, d->tool_now_input);
    CHECK_STR(c->last_subagent_name, d->last_subagent_name);
    CHECK_STR(c->spawned_type, d->spawned_type);
    CHECK_STR(a->primary->terminal_id, b->primary->terminal_id);
    CHECK_STR(a->primary->last_terminal_id, b->primary->last_terminal_id);
    CHECK_STR(a->team_name, b->team_name);
    CHECK_STR(a->agent_name, b->agent_name);
    CHECK_STR(a->agent_type, b->agent_type);
    CHECK_STR(a->agent_color, b->agent_color);
    CHECK_STR(a->tmux_pane, b->tmux_pane);
    CHECK_STR(a->backend, b->backend);
}

static void check_same_asking(const struct conversation *c, const struct conversation *d) {
    CHECK_INT(c->request_count, d->request_count);
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *x = &c->requests[i], *y = &d->requests[i];
        CHECK_STR(x->id, y->id);
        CHECK_INT(x->kind, y->kind);
        CHECK_INT(x->form, y->form);
        CHECK_STR(x->text, y->text);
        CHECK_STR(x->detail, y->detail);
        CHECK_STR(x->tool, y->tool);
        CHECK_STR(x->summary, y->summary);
        CHECK_STR(x->label, y->label);
        CHECK_STR(x->agent, y->agent);
        CHECK_STR(x->call, y->call);
        CHECK_INT(x->since_ms, y->since_ms);
        CHECK_INT(x->certain, y->certain);
    }
    CHECK_INT(c->call_count, d->call_count);
    for (size_t i = 0; i < c->call_count; i++) {
        CHECK_STR(c->calls[i].id, d->calls[i].id);
        CHECK_STR(c->calls[i].agent, d->calls[i].agent);
        CHECK_STR(c->calls[i].tool, d->calls[i].tool);
        CHECK_STR(c->calls[i].input, d->calls[i].input);
        CHECK_INT(c->calls[i].pos, d->calls[i].pos);
    }
    CHECK_INT(c->subagent_count, d->subagent_count);
    for (size_t i = 0; i < c->subagent_count; i++)
        CHECK_STR(c->subagents[i], d->subagents[i]);
}

static void check_same_numbers(const struct session *a, const struct session *b) {
    const struct conversation *c = &a->primary->conversation, *d = &b->primary->conversation;
    CHECK_INT(a->kind, b->kind);
    CHECK_INT(a->archived, b->archived);
    CHECK_INT(a->queue_count, b->queue_count);
    CHECK_INT(c->cli, d->cli);
    CHECK_INT(c->status, d->status);
    CHECK_INT(c->animation, d->animation);
    CHECK_INT(c->emote, d->emote);
    CHECK_INT(c->evidence.source, d->evidence.source);
    CHECK_INT(c->evidence.at_ms, d->evidence.at_ms);
    CHECK_INT(c->started_ms, d->started_ms);
    CHECK_INT(c->last_activity_ms, d->last_activity_ms);
    CHECK_INT(c->ended_ms, d->ended_ms);
    CHECK_INT(c->tool_now_ms, d->tool_now_ms);
    CHECK_INT(c->error_ms, d->error_ms);
    CHECK_INT(c->status_since_ms, d->status_since_ms);
    CHECK_INT(c->pid_start, d->pid_start);
    CHECK_INT(c->pid_guessed, d->pid_guessed);
    CHECK_INT(c->pid_doubtful, d->pid_doubtful);
    CHECK_INT(c->restart_ms, d->restart_ms);
    CHECK_INT(c->history_from, d->history_from);
    CHECK_INT(c->spawned, d->spawned);
    CHECK_INT(c->spawned_ms, d->spawned_ms);
    CHECK_INT(a->primary->terminal_pid, b->primary->terminal_pid);
    CHECK_INT(a->primary->linked_ms, b->primary->linked_ms);
    CHECK_INT(a->titled, b->titled);
    for (size_t i = 0; i < DEADLINE_WORKER_N_; i++)
        CHECK_INT(a->primary->deadlines[i].at_ms, b->primary->deadlines[i].at_ms);
    CHECK_INT(c->turn_tool_calls, d->turn_tool_calls);
    CHECK_INT(c->tool_calls, d->tool_calls);
    CHECK_INT(c->prompt_count, d->prompt_count);
    CHECK_INT(c->notice.kind, d->notice.kind);
    CHECK_INT(c->notice.form, d->notice.form);
    CHECK_INT(c->notice.since_ms, d->notice.since_ms);
    CHECK_INT(c->background, d->background);
    CHECK_INT(c->by_hook, d->by_hook);
    CHECK_INT(c->runner_pid, d->runner_pid);
    CHECK_INT(a->hidden, b->hidden);
    CHECK_INT(a->primary->is_shell, b->primary->is_shell);
    CHECK_INT(a->primary->starts_fresh, b->primary->starts_fresh);
    check_same_asking(c, d);
    CHECK_INT(c->pid, d->pid);
    CHECK_INT(c->tool_usage_count, d->tool_usage_count);
    for (size_t i = 0; i < c->tool_usage_count; i++) {
        CHECK_STR(c->tool_usage[i].tool, d->tool_usage[i].tool);
        CHECK_INT(c->tool_usage[i].count, d->tool_usage[i].count);
    }
}

TEST(every_field_of_a_session_comes_back) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 4096, SESSION_KIND_WORKTREE);
    fill_strings(s);
    fill_numbers(s);
    state_add_alias(&before, SPAN("terminal-1"), s->primary);
    state_add_alias(&before, SPAN("agent-1"), s->primary);
    state_add_alias(&before, SPAN("agent-2"), s->primary);

    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    CHECK_INT(after.session_count, 1);
    CHECK(map_get(&after.aliases, SPAN("agent-1")) != NULL);
    struct worker *w = state_find(&after, SPAN("agent-1"));
    check_same_strings(s, w->session);
    check_same_numbers(s, w->session);
    CHECK_INT(w->alias_count, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_STR(w->aliases[i], s->primary->aliases[i]);
    CHECK_INT(w->session->changed, 0);
    CHECK(!w->session->dirty);
    CHECK(list_empty(&after.dirty));
    CHECK_INT(after.deadlines.count, DEADLINE_WORKER_N_);
    CHECK(state_find_process(&after, 9, 10) == w);
    CHECK(state_find_terminal(&after, 14) == w);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(previous_conversations_come_back) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    s->previous_count = 2;
    s->previous[0] = (struct previous){.session_id = xstrdup("a \"quoted\" one"),
                                       .started_ms = 1,
                                       .ended_ms = 2,
                                       .prompts = 3,
                                       .tool_calls = 4,
                                       .last_prompt = xstrdup("fix\nit ✓")};
    s->previous[1] = (struct previous){.session_id = xstrdup("b")};
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct session *back = state_find(&after, span_str(s->id))->session;
    CHECK_INT(back->previous_count, 2);
    CHECK_STR(back->previous[0].session_id, "a \"quoted\" one");
    CHECK_INT(back->previous[0].started_ms, 1);
    CHECK_INT(back->previous[0].ended_ms, 2);
    CHECK_INT(back->previous[0].prompts, 3);
    CHECK_INT(back->previous[0].tool_calls, 4);
    CHECK_STR(back->previous[0].last_prompt, "fix\nit ✓");
    CHECK_STR(back->previous[1].session_id, "b");
    CHECK(back->previous[1].last_prompt == NULL);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

static struct session *add_to_team(struct state *st, struct team *team, uint64_t pos, enum team_role role,
                                   uint64_t joined) {
    struct session *s = state_add_session(st, pos, SESSION_KIND_OBSERVED);
    s->team = team;
    s->team_role = role;
    s->team_joined = joined;
    if (role == TEAM_ROLE_LEADER)
        team->parent = s;
    else
        list_append(joined ? &team->members : &team->former, &s->in_team);
    return s;
}

TEST(a_team_comes_back_with_its_leader_and_members_in_order) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct team *team = state_add_team(&before, SPAN("team-x"));
    team->name = xstrdup("crew");
    team->parent_session_id = xstrdup("x");
    team->created_ms = 5;
    team->deadline.at_ms = 6;
    const struct session *all[] = {add_to_team(&before, team, 1, TEAM_ROLE_LEADER, 0),
                                   add_to_team(&before, team, 2, TEAM_ROLE_MEMBER, 30),
                                   add_to_team(&before, team, 3, TEAM_ROLE_MEMBER, 20),
                                   add_to_team(&before, team, 4, TEAM_ROLE_MEMBER, 0)};
    struct store_batch *b = store_batch_new();
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        store_batch_session(b, all[i]);
    store_batch_team(b, team, false);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct team *back = state_find_team(&after, SPAN("team-x"));
    CHECK_STR(back->name, "crew");
    CHECK_STR(back->parent_session_id, "x");
    CHECK_INT(back->created_ms, 5);
    CHECK_INT(back->deadline.at_ms, 6);
    CHECK_INT(after.deadlines.count, 1);
    CHECK_STR(back->parent->id, all[0]->id);
    CHECK_STR(list_first(&back->members, struct session, in_team)->id, all[2]->id);
    CHECK_STR(list_entry(back->members.prev, struct session, in_team)->id, all[1]->id);
    CHECK_STR(list_first(&back->former, struct session, in_team)->id, all[3]->id);
    state_fini(&after);

    b = store_batch_new();
    store_batch_team(b, team, true);
    fixture_commit(&f, b);
    fixture_reload(&f, &after, &meta);
    CHECK(state_find_team(&after, SPAN("team-x")) == NULL);
    CHECK(state_find(&after, span_str(all[0]->id))->session->team == NULL);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(what_is_unset_stays_unset) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    fixture_commit(&f, b);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM sessions WHERE ended_at IS NULL AND emote IS NULL"),
              1);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct session *back = state_find(&after, span_str(s->id))->session;
    CHECK(back->title == NULL);
    CHECK(back->primary->conversation.session_id == NULL);
    CHECK_INT(back->primary->conversation.ended_ms, 0);
    CHECK_INT(back->primary->conversation.emote, EMOTE_NONE);
    check_same_numbers(s, back);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

static void append_many(struct store_batch *b, struct session *s, struct history *h, enum history_kind kind) {
    for (size_t i = 0; i < h->max + 25; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%zu", i);
        bool two = kind == HISTORY_TOOL || kind == HISTORY_EVENT;
        struct entry *e =
            history_push(h, 10 * i + 1, 5000 + (int64_t)i, span_str(text), two ? SPAN("more") : SPAN_NONE);
        store_batch_append(b, s, kind, e);
    }
}

static void check_same_history(const struct history *a, const struct history *b) {
    CHECK_INT(b->count, a->max);
    CHECK_INT(a->count, a->max);
    struct history_cursor one = history_begin(a), other = history_begin(b);
    for (const struct entry *e, *g; (e = history_next(&one)) && (g = history_next(&other));) {
        CHECK_INT(e->pos, g->pos);
        CHECK_INT(e->at_ms, g->at_ms);
        CHECK(span_eq(entry_what(e), entry_what(g)));
        CHECK(span_eq(entry_detail(e), entry_detail(g)));
        CHECK_INT(e->failed, g->failed);
    }
}

TEST(the_newest_history_comes_back_in_order_and_the_rest_is_kept) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct conversation *c = &s->primary->conversation;
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    append_many(b, s, &c->history[HISTORY_PROMPT], HISTORY_PROMPT);
    append_many(b, s, &c->history[HISTORY_TOOL], HISTORY_TOOL);
    append_many(b, s, &c->history[HISTORY_RESPONSE], HISTORY_RESPONSE);
    append_many(b, s, &c->history[HISTORY_EVENT], HISTORY_EVENT);
    fixture_commit(&f, b);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM tool_calls"), HISTORY_TOOLS_MAX + 25);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct conversation *d = &state_find(&after, span_str(s->id))->conversation;
    check_same_history(&c->history[HISTORY_PROMPT], &d->history[HISTORY_PROMPT]);
    check_same_history(&c->history[HISTORY_TOOL], &d->history[HISTORY_TOOL]);
    check_same_history(&c->history[HISTORY_RESPONSE], &d->history[HISTORY_RESPONSE]);
    check_same_history(&c->history[HISTORY_EVENT], &d->history[HISTORY_EVENT]);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(a_tool_call_that_failed_later_comes_back_failed) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct history *tools = &s->primary->conversation.history[HISTORY_TOOL];
    struct entry *early = history_push(tools, 10, 1, SPAN("Bash"), SPAN("make"));
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    store_batch_append(b, s, HISTORY_TOOL, early);
    entry_set_error(early, SPAN("exit 2"));
    store_batch_amend(b, s, HISTORY_TOOL, early);
    struct entry *late = history_push(tools, 20, 2, SPAN("Bash"), SPAN("make check"));
    struct entry *fine = history_push(tools, 30, 3, SPAN("Read"), SPAN("a.c"));
    store_batch_append(b, s, HISTORY_TOOL, late);
    store_batch_append(b, s, HISTORY_TOOL, fine);
    fixture_commit(&f, b);
    b = store_batch_new();
    entry_set_error(late, SPAN("exit 1"));
    store_batch_amend(b, s, HISTORY_TOOL, late);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    const struct history *back = &state_find(&after, span_str(s->id))->conversation.history[HISTORY_TOOL];
    CHECK_INT(back->count, 3);
    struct history_cursor all = history_begin(back);
    const struct entry *e = history_next(&all);
    CHECK(e->failed);
    CHECK_STR(e->error, "exit 2");
    e = history_next(&all);
    CHECK(e->failed);
    CHECK_STR(e->error, "exit 1");
    e = history_next(&all);
    CHECK(!e->failed);
    CHECK(e->error == NULL);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(text_may_hold_any_byte) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct session *s = state_add_session(&before, 1, SESSION_KIND_OBSERVED);
    struct span odd = span_of("a\0b\xff\xc3", 5);
    struct entry *e = history_push(&s->primary->conversation.history[HISTORY_PROMPT], 7, 1, odd, SPAN_NONE);
    struct store_batch *b = store_batch_new();
    store_batch_session(b, s);
    store_batch_append(b, s, HISTORY_PROMPT, e);
    fixture_commit(&f, b);

    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    CHECK(span_eq(entry_what(history_newest(
                      &state_find(&after, span_str(s->id))->conversation.history[HISTORY_PROMPT])),
                  odd));
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TEST(marks_keys_and_projects_come_back) {
    struct fixture f;
    fixture_open(&f);
    struct state before, after;
    state_init(&before);
    struct store_meta meta;
    fixture_reload(&f, &after, &meta);
    CHECK_INT(meta.mark.base + meta.mark.off + meta.mark.fingerprint + meta.seq, 0);
    state_fini(&after);

    struct project *p = state_project(&before, SPAN("alpha"));
    p->sessions = 12;
    const struct spool_mark mark = {.base = 1ull << 40, .off = 77, .fingerprint = UINT64_MAX - 1};
    struct store_batch *b = store_batch_new();
    CHECK(store_batch_empty(b));
    store_batch_project(b, p);
    char key[32];
    for (int i = 0; i < 10010; i++) {
        (void)snprintf(key, sizeof key, "key-%d", i);
        store_batch_key(b, span_str(key), i);
    }
    store_batch_mark(b, &mark, 900);
    CHECK(!store_batch_empty(b));
    CHECK(store_batch_bytes(b) > 10010 * 8);
    fixture_commit(&f, b);

    fixture_reload(&f, &after, &meta);
    CHECK_INT(meta.mark.base, mark.base);
    CHECK_INT(meta.mark.off, mark.off);
    CHECK(meta.mark.fingerprint == mark.fingerprint);
    CHECK_INT(meta.seq, 900);
    CHECK_INT(after.projects.count, 1);
    CHECK_INT(state_project(&after, SPAN("alpha"))->sessions, 12);
    CHECK(list_empty(&after.dirty_projects));
    CHECK_INT(after.keys.count, 10000);
    CHECK(map_get(&after.keys, SPAN("key-10009")) != NULL);
    CHECK(map_get(&after.keys, SPAN("key-9")) == NULL);
    state_fini(&before);
    state_fini(&after);
    fixture_close(&f);
}

TESTS(RUN(every_field_of_a_session_comes_back), RUN(previous_conversations_come_back),
      RUN(a_team_comes_back_with_its_leader_and_members_in_order), RUN(what_is_unset_stays_unset),
      RUN(the_newest_history_comes_back_in_order_and_the_rest_is_kept),
      RUN(a_tool_call_that_failed_later_comes_back_failed), RUN(text_may_hold_any_byte),
      RUN(marks_keys_and_projects_come_back))
