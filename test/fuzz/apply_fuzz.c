/*
 * Any sequence of events, commands, findings and passing time, over a handful of agents, directories, terminals and
 * processes so that they get in each other's way. After every step the board must hold together: one card for a
 * conversation, every name leads to one card, nothing ticks for what has ended, teams agree with their members.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "core/apply.h"
#include "core/command.h"
#include "core/deadline.h"
#include "core/subagent.h"
#include "wire/board_msg.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    STEPS_MAX = 300,
    POSITIONS = 10,
    RECORD_BYTES = 4096,
    MESSAGE_BYTES = 16 << 20,
    START_MS = 1000000000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define require(ok)                                                    \
    do {                                                               \
        if (ok) break;                                                 \
        (void)fprintf(stderr, "line %d: not so: %s\n", __LINE__, #ok); \
        abort();                                                       \
    } while (0)

/* The input, a byte at a time; zeros behind its end. */
struct source {
    const uint8_t *p;
    size_t n;
};

static unsigned draw(struct source *in, unsigned below) {
    if (!in->n) return 0;
    in->n--;
    return *in->p++ % below;
}

/* Records */

static const char *const events[] = {
    "SessionStart",
    "SessionStart\",\"source\":\"clear",
    "SessionStart\",\"source\":\"resume",
    "UserPromptSubmit\",\"prompt\":\"do it",
    "PreToolUse\",\"tool_name\":\"Bash",
    "PreToolUse\",\"tool_name\":\"Read",
    "PreToolUse\",\"tool_name\":\"AskUserQuestion",
    "PostToolUse",
    "PostToolUseFailure\",\"tool_name\":\"Bash\",\"error\":\"boom",
    "PermissionRequest\",\"tool_name\":\"Bash",
    "PermissionRequest\",\"tool_name\":\"Bash\",\"agent_id\":\"s1",
    "PostToolUse\",\"agent_id\":\"s1",
    "Elicitation",
    "Stop\",\"last_assistant_message\":\"done",
    "StopFailure\",\"error\":\"overloaded",
    "Interrupt",
    "Notification\",\"notification_type\":\"idle_prompt",
    "Notification\",\"notification_type\":\"permission_prompt",
    "SubagentStart\",\"agent_type\":\"x",
    "SubagentStop",
    "BeforeAgent\",\"prompt\":\"x",
    "AfterAgent",
    "agent-turn-complete",
    "SessionEnd",
};

static void write_event(struct buf *out, struct source *in, int64_t now_ms) {
    (void)buf_printf(out, "{\"ostler\":{\"hook_sent_at\":%lld", (long long)now_ms);
    unsigned env = draw(in, 64);
    if (env & 1) (void)buf_printf(out, ",\"agent_terminal_id\":\"term-%u\"", draw(in, 3));
    if (env & 2)
        (void)buf_printf(out, ",\"claude_pid\":%u,\"claude_ppid\":%u", 10 + draw(in, 3), 70 + draw(in, 3));
    if (env & 4) (void)buf_printf(out, ",\"claude_start\":%u", 1 + draw(in, 2));
    if (env & 8) (void)buf_printf(out, ",\"parent_session_id\":\"agent-%u\"", draw(in, 5));
    if (env & 16) (void)buf_printf(out, ",\"cli\":\"codex\"");
    if (env & 32) (void)buf_printf(out, ",\"agent_name\":\"helper\",\"team_name\":\"crew\"");
    (void)buf_printf(
        out, "},\"payload\":{\"session_id\":\"agent-%u\",\"cwd\":\"/p/%u\",\"hook_event_name\":\"%s\"}}",
        draw(in, 5), draw(in, 3), events[draw(in, ARRAY_LEN(events))]);
}

static void write_daemon(struct buf *out, struct source *in, int64_t now_ms) {
    (void)buf_printf(out, "{\"ostler\":{\"via\":\"daemon\",\"hook_sent_at\":%lld,", (long long)now_ms);
    const char *kind = draw(in, 2) ? "agent" : "term";
    unsigned who = draw(in, 5), what = draw(in, COMMAND_N_ + PROBE_N_), terminal = draw(in, 3);
    if (what < COMMAND_N_)
        (void)buf_printf(
            out,
            "\"command\":{\"name\":\"%s\",\"session\":\"%s-%u\",\"terminal\":\"term-%u\",\"path\":\"/p/%u\","
            "\"pid\":%u,\"number\":%u,\"value\":\"v\",\"call\":1}",
            command_to_str((enum command_kind)what), kind, who, terminal, draw(in, 3), 70 + terminal, who);
    else
        (void)buf_printf(
            out,
            "\"probe\":{\"session\":\"%s-%u\",\"for\":\"%s\",\"pid\":%u,\"start\":%u,\"alive\":%s,\"child\":%s}",
            kind, who, probe_to_str((enum probe)(what - COMMAND_N_)), 10 + draw(in, 3), 1 + draw(in, 2),
            draw(in, 2) ? "true" : "false", draw(in, 2) ? "true" : "false");
    (void)buf_printf(out, "},\"payload\":{}}");
}

/* What must hold */

static void check_worker(const struct state *st, const struct worker *w) {
    const struct conversation *c = &w->conversation;
    for (size_t i = 0; i < w->alias_count; i++)
        require(state_find(st, span_str(w->aliases[i])) == w);
    if (c->session_id) require(state_find(st, span_str(c->session_id)) == w);
    if (w->terminal_id) require(state_find(st, span_str(w->terminal_id)) == w);
    if (c->status == SESSION_STATUS_ENDED) {
        require(c->ended_ms && !deadline_get(w, DEADLINE_APPROVAL) && !deadline_get(w, DEADLINE_IDLE));
        require(!c->request_count && !c->call_count && !c->tool_now);
    } else {
        require(!c->ended_ms && !deadline_get(w, DEADLINE_REMOVAL));
    }
    require(c->subagent_count <= SUBAGENTS_MAX && c->spawned <= STEPS_MAX);
    require(c->request_count <= REQUESTS_MAX && c->call_count <= CALLS_MAX);
    for (enum history_kind kind = 0; kind < HISTORY_N_; kind++)
        require(c->history[kind].count <= c->history[kind].max);
}

static void check_session(const struct state *st, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    bool hosted = s->kind != SESSION_KIND_OBSERVED;
    require(s->id[0] && session_wire_id(s)[0] && (hosted || c->session_id));
    require(s->historical == (hosted && c->status == SESSION_STATUS_ENDED));
    require(s->previous_count <= PREVIOUS_MAX);
    require((s->team == NULL) == (s->team_role == TEAM_ROLE_NONE));
    if (s->team) require(state_find_team(st, span_str(s->team->id)) == s->team);
    if (s->team_role == TEAM_ROLE_LEADER) require(s->team->parent == s);
    check_worker(st, s->primary);
    /* One card for a conversation. */
    list_for_each(pos, &st->sessions) {
        const struct session *other = list_entry(pos, struct session, in_state);
        const char *id = other->primary->conversation.session_id;
        require(other == s || !id || !c->session_id || strcmp(id, c->session_id) != 0);
    }
}

static void check_team(const struct team *team) {
    bool over = list_empty(&team->members) &&
                (!team->parent || team->parent->primary->conversation.status == SESSION_STATUS_ENDED);
    require(over == (team->deadline.at_ms != 0));
    if (team->parent) require(team->parent->team == team);
    list_for_each(pos, &team->members) {
        const struct session *s = list_entry(pos, struct session, in_team);
        require(s->team == team && s->team_joined && s->primary->conversation.status != SESSION_STATUS_ENDED);
    }
    list_for_each(pos, &team->former) {
        const struct session *s = list_entry(pos, struct session, in_team);
        require(s->team == team && !s->team_joined &&
                s->primary->conversation.status == SESSION_STATUS_ENDED);
    }
}

static void check_state(const struct state *st) {
    size_t sessions = 0, ticking = 0, aliases = 0;
    list_for_each(pos, &st->sessions) {
        const struct session *s = list_entry(pos, struct session, in_state);
        check_session(st, s);
        for (enum deadline_kind kind = 0; kind < DEADLINE_WORKER_N_; kind++)
            ticking += deadline_get(s->primary, kind) != 0;
        aliases += s->primary->alias_count;
        sessions++;
    }
    list_for_each(pos, &st->teams) {
        const struct team *team = list_entry(pos, struct team, in_state);
        check_team(team);
        ticking += team->deadline.at_ms != 0;
    }
    require(sessions == st->session_count && ticking == st->deadlines.count && aliases == st->aliases.count);
}

static void check_messages(const struct state *st) {
    AUTO(buf) struct buf out = BUF_INIT(MESSAGE_BYTES);
    for (enum board_dialect d = 0; d < BOARD_DIALECT_N_; d++) {
        buf_clear(&out);
        board_msg_snapshot(&out, d, st, 1);
        require(!out.failed && jvalid(buf_span(&out), EVENT_DEPTH_MAX) == 0);
    }
}

/* Steps */

static void step(struct state *st, struct source *in, int64_t *now_ms, uint64_t pos, struct arena *arena,
                 struct effects *fx) {
    static const int64_t passing_ms[] = {0, 1, 100, 3000, 8000, 10000, 15000, 120000, 600000, -500, -60000};
    *now_ms += passing_ms[draw(in, ARRAY_LEN(passing_ms))];
    unsigned what = draw(in, 8);
    AUTO(buf) struct buf record = BUF_INIT(RECORD_BYTES);
    if (what == 0) {
        apply_time(st, *now_ms, fx);
    } else {
        if (what < 3)
            write_daemon(&record, in, *now_ms);
        else
            write_event(&record, in, *now_ms);
        struct event ev;
        struct err err = {0};
        require(event_parse(buf_span(&record), pos, arena, &ev, &err) == 0);
        require(apply_event(st, &ev, arena, fx));
    }
    effects_clear(fx);
    state_reap(st);
    arena_reset(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct source in = {data, size};
    struct state st;
    state_init(&st);
    struct effects fx = EFFECTS_INIT;
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    int64_t now_ms = START_MS;
    for (uint64_t i = 1; in.n && i <= STEPS_MAX; i++) {
        step(&st, &in, &now_ms, i * POSITIONS, &arena, &fx);
        check_state(&st);
    }
    check_messages(&st);
    /* A year later nothing is left that could tick, but the questions about processes that are said to live. */
    apply_time(&st, now_ms + (int64_t)365 * 86400 * 1000, &fx);
    effects_clear(&fx);
    state_reap(&st);
    check_state(&st);
    effects_fini(&fx);
    state_fini(&st);
    return 0;
}
