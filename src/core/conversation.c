#include "core/conversation.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/attention.h"
#include "core/deadline.h"
#include "core/idle.h"
#include "core/request.h"
#include "core/subagent.h"
#include "core/text.h"

#include <stdlib.h>

enum { SHORT_ID_UNITS = 8, LAST_PROMPT_UNITS = 300 };

void conversation_log(struct turn *t, enum history_kind kind, struct span what, struct span detail) {
    uint64_t pos = t->pos;
    if (kind == HISTORY_EVENT) pos += t->events_logged++;
    struct entry *e = history_push(&t->conv->history[kind], pos, t->at_ms, what, detail);
    effects_add(t->fx,
                (struct effect){.kind = EFFECT_APPEND, .session = t->session, .history = kind, .entry = e});
}

void conversation_clear_tool(struct turn *t) {
    struct conversation *c = t->conv;
    deadline_set(t->state, t->worker, DEADLINE_APPROVAL, 0);
    (void)str_set(&c->tool_now_input, SPAN_NONE);
    if (str_set(&c->tool_now, SPAN_NONE)) session_touch(t->state, t->session, FACET_TOOLS);
    c->tool_now_ms = 0;
}

void conversation_clear_error(struct turn *t) {
    struct conversation *c = t->conv;
    (void)str_set(&c->error_detail, SPAN_NONE);
    if (str_set(&c->error_kind, SPAN_NONE)) session_touch(t->state, t->session, FACET_STATUS);
    c->error_ms = 0;
}

void conversation_mark_failed(struct turn *t, struct span tool, struct span error) {
    const struct history *calls = &t->conv->history[HISTORY_TOOL];
    struct entry *e = t->call_pos ? history_find(calls, t->call_pos) : history_newest(calls);
    bool another = !t->call_pos && tool.n && e && !span_eq(entry_what(e), tool);
    if (!e || e->failed || another) return;
    entry_set_error(e, text_cut(error.n ? error : SPAN("Failed"), APPLY_RESPONSE_UNITS, t->arena));
    effects_add(t->fx, (struct effect){
                           .kind = EFFECT_AMEND, .session = t->session, .history = HISTORY_TOOL, .entry = e});
}

void conversation_forget_work(struct turn *t) {
    request_end_all(t, ENDING_GONE);
    call_forget_all(t->conv);
    conversation_clear_tool(t);
    conversation_clear_error(t);
    subagent_forget_all(t->conv);
    t->conv->background = 0;
    t->conv->turn_over = false;
    session_touch(t->state, t->session, FACET_AGENTS);
}

void conversation_end(struct turn *t, struct reason why, struct span detail) {
    status_move(t->state, t->worker, SESSION_STATUS_ENDED, ANIMATION_DEATH, why);
    conversation_forget_work(t);
    conversation_log(t, HISTORY_EVENT, SPAN("SessionEnd"), detail);
    idle_watch(t);
}

/* What it was about goes to the card's previous ones; past the maximum the oldest is forgotten (the database keeps its
 * history). */
static void archive(struct session *s, struct conversation *c, struct arena *arena) {
    if (s->previous_count == PREVIOUS_MAX) {
        free(s->previous[0].session_id);
        free(s->previous[0].last_prompt);
        memmove(s->previous, s->previous + 1, (PREVIOUS_MAX - 1) * sizeof *s->previous);
        s->previous_count--;
    }
    struct span prompt = text_cut(span_str(str_or_empty(c->current_prompt)), LAST_PROMPT_UNITS, arena);
    s->previous[s->previous_count++] = (struct previous){
        .session_id = c->session_id,
        .started_ms = c->started_ms,
        .ended_ms = c->ended_ms ? c->ended_ms : c->last_activity_ms,
        .prompts = c->prompt_count,
        .tool_calls = c->tool_calls,
        .last_prompt = prompt.n ? str_dup(prompt) : NULL,
    };
    c->session_id = NULL;
}

static void reset(struct turn *t) {
    struct conversation *c = t->conv;
    conversation_forget_work(t);
    attention_clear(t);
    (void)str_set(&c->last_words, SPAN_NONE);
    c->animation = ANIMATION_IDLE;
    c->emote = EMOTE_NONE;
    c->started_ms = t->at_ms;
    c->turn_tool_calls = c->tool_calls = c->prompt_count = 0;
    (void)str_set(&c->current_prompt, SPAN_NONE);
    (void)str_set(&c->last_subagent_name, SPAN_NONE);
    (void)str_set(&c->transcript_path, SPAN_NONE);
    (void)str_set(&c->transcript.message, SPAN_NONE);
    c->transcript = (struct transcript_finding){0};
    for (size_t i = 0; i < c->tool_usage_count; i++)
        free(c->tool_usage[i].tool);
    free(c->tool_usage);
    c->tool_usage = NULL;
    c->tool_usage_count = 0;
    for (enum history_kind kind = 0; kind < HISTORY_N_; kind++) {
        history_fini(&c->history[kind]);
        history_init(&c->history[kind], kind);
    }
    c->history_from = t->pos;
}

void conversation_become(struct turn *t, struct span session_id) {
    struct conversation *c = t->conv;
    struct session *s = t->session;
    free(s->replaces_id);
    s->replaces_id = xstrdup(session_wire_id(s));
    if (c->session_id) {
        struct span from = arena_dup(t->arena, utf8_cut_units(span_str(c->session_id), SHORT_ID_UNITS));
        archive(s, c, t->arena);
        reset(t);
        conversation_log(t, HISTORY_EVENT, SPAN("SessionResumed"),
                         arena_printf(t->arena, "Resumed from %.*s", SPAN_ARG(from)));
    }
    if (t->worker->type == WORKER_TYPE_TERMINAL) { /* an agent was started in a shell */
        t->worker->type = WORKER_TYPE_AGENT;
        (void)str_set(&c->model, SPAN_NONE);
        if (!s->titled) (void)str_set(&s->title, SPAN_NONE);
    }
    (void)str_set(&c->session_id, session_id);
    state_add_alias(t->state, session_id, t->worker);
    session_touch(t->state, s, FACET_ALL);
}
