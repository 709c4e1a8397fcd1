#include "core/inbox.h"

#include "base/mem.h"
#include "base/str.h"
#include "core/conversation.h"
#include "core/idle.h"
#include "core/request.h"
#include "core/written_rule.h"

#include <stdio.h>
#include <stdlib.h>

/* Ended ones */

static void ended_free(struct ended_request *e) {
    list_remove(&e->in_state);
    request_fini(&e->request);
    free(e->session_id);
    free(e->title);
    free(e->project);
    free(e->by);
    free(e);
}

void inbox_trim(struct state *st, size_t keep) {
    for (struct list *at = st->ended_requests.prev, *before; st->ended_request_count > keep; at = before) {
        before = at->prev;
        ended_free(list_entry(at, struct ended_request, in_state));
        st->ended_request_count--;
    }
}

void inbox_restore(struct state *st, struct ended_request *e) {
    list_insert_before(st->ended_requests.next, &e->in_state);
    st->ended_request_count++;
}

static enum request_end end_of(const struct request *r, enum ending how) {
    bool allows = r->answer.decision != DECISION_DENY;
    bool agrees = allows || how != ENDING_RAN; /* what was denied here ran: somebody at the desk was faster */
    if (r->answer.decision && agrees && how != ENDING_GONE)
        return allows ? REQUEST_END_ALLOWED : REQUEST_END_DENIED;
    if (how == ENDING_GONE || !r->certain) return REQUEST_END_GONE;
    return how == ENDING_DROPPED ? REQUEST_END_EXPIRED : REQUEST_END_DESK;
}

/* What only an answer needs is not kept: it may be large. */
static void strip(struct request *r) {
    char **const parts[] = {&r->input, &r->suggestions, &r->note, &r->answer.reply, &r->answer.rules};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        (void)str_set(parts[i], SPAN_NONE);
}

static bool is_from_here(enum request_end end) {
    return end == REQUEST_END_ALLOWED || end == REQUEST_END_DENIED;
}

void inbox_ended(struct turn *t, struct request *r, enum ending how) {
    struct ended_request *e = xcalloc(1, sizeof *e);
    enum request_end end = end_of(r, how);
    *e = (struct ended_request){.request = *r, .cli = t->conv->cli, .end = end, .ended_ms = t->at_ms};
    memcpy(e->session, t->session->id, sizeof e->session);
    (void)str_set(&e->session_id, span_str(session_wire_id(t->session)));
    (void)str_set(&e->title, span_str(t->session->title));
    (void)str_set(&e->project, span_str(t->session->project_name));
    if (is_from_here(end)) (void)str_set(&e->by, span_str(r->answer.by));
    strip(&e->request);
    if (r->answer.call)
        effects_add(t->fx, (struct effect){.kind = EFFECT_ANSWER,
                                           .call = r->answer.call,
                                           .pos = t->pos,
                                           .outcome = is_from_here(end) ? OUTCOME_DONE : OUTCOME_TOO_LATE,
                                           .end = end});
    struct effect over = {.kind = EFFECT_ENDED, .session = t->session, .ended = e};
    memcpy(over.request, r->id, sizeof over.request);
    inbox_restore(t->state, e);
    effects_add(t->fx, over);
    *r = (struct request){0};
}

/* Open ones */

void inbox_asked(struct turn *t, const struct request *r) {
    struct effect e = {.kind = EFFECT_ASKED, .session = t->session};
    memcpy(e.request, r->id, sizeof e.request);
    effects_add(t->fx, e);
}

static struct request *find_in(const struct conversation *c, struct span id) {
    for (size_t i = 0; id.n && i < c->request_count; i++)
        if (span_eq_str(id, c->requests[i].id)) return &c->requests[i];
    return NULL;
}

struct request *inbox_find_in(const struct session *s, struct span id, struct worker **ret_worker) {
    list_for_each(pos, &s->workers) {
        struct worker *w = list_entry(pos, struct worker, in_session);
        struct request *r = find_in(&w->conversation, id);
        if (!r) continue;
        *ret_worker = w;
        return r;
    }
    return NULL;
}

struct request *inbox_find(const struct state *st, struct span id, struct worker **ret_worker) {
    struct request *r = NULL;
    list_for_each(at, &st->sessions) {
        r = inbox_find_in(list_entry(at, struct session, in_state), id, ret_worker);
        if (r) break;
    }
    return r;
}

const struct ended_request *inbox_find_ended(const struct state *st, struct span id) {
    list_for_each(pos, &st->ended_requests) {
        const struct ended_request *e = list_entry(pos, struct ended_request, in_state);
        if (span_eq_str(id, e->request.id)) return e;
    }
    return NULL;
}

/* Answers */

static void tell_caller(struct turn *t, uint64_t call, enum call_outcome outcome, enum request_end end,
                        struct span why) {
    if (call)
        effects_add(t->fx, (struct effect){.kind = EFFECT_ANSWER,
                                           .call = call,
                                           .pos = t->pos,
                                           .outcome = outcome,
                                           .end = end,
                                           .why = why});
}

static void forget_answer(struct request *r) {
    free(r->answer.by);
    free(r->answer.reply);
    free(r->answer.rules);
    r->answer = (struct answer){0};
}

void inbox_answered(struct turn *t, const struct command *cmd) {
    struct request *r = find_in(t->conv, cmd->request);
    enum decision decision;
    if (!decision_from_str(cmd->value, &decision) || decision == DECISION_NONE) return;
    if (!r) {
        const struct ended_request *e = inbox_find_ended(t->state, cmd->request);
        tell_caller(t, cmd->call, e ? OUTCOME_TOO_LATE : OUTCOME_NOT_FOUND, e ? e->end : REQUEST_END_GONE,
                    SPAN_NONE);
        return;
    }
    bool changed = (uint64_t)cmd->number != r->revision;
    if (changed || r->answer.decision) {
        tell_caller(t, cmd->call, changed ? OUTCOME_CHANGED : OUTCOME_TOO_LATE, REQUEST_END_OPEN, SPAN_NONE);
        return;
    }
    r->answer = (struct answer){.decision = decision,
                                .stops = cmd->stops != 0,
                                .by_keys = span_eq(cmd->way, SPAN("keys")),
                                .by = str_dup(cmd->by),
                                .reply = str_dup(cmd->reply),
                                .rules = cmd->rules.n ? str_dup(cmd->rules) : NULL,
                                .at_ms = t->at_ms,
                                .call = cmd->call};
    (void)str_set(&r->note, SPAN_NONE);
    session_touch(t->state, t->session, FACET_PENDING);
    inbox_asked(t, r);
    struct effect e = {.kind = EFFECT_REPLY, .session = t->session};
    memcpy(e.request, r->id, sizeof e.request);
    effects_add(t->fx, e);
}

static bool is_underway(const struct conversation *c) {
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].answer.decision) return true;
    return false;
}

/* Answered from here lately? What has ended later than now did so before the clock was set back. */
static bool was_answered(const struct state *st, const struct session *s, int64_t now_ms, int64_t within_ms) {
    list_for_each(pos, &st->ended_requests) {
        const struct ended_request *e = list_entry(pos, struct ended_request, in_state);
        if (e->ended_ms > now_ms + within_ms) continue;
        if (e->ended_ms < now_ms - within_ms) return false; /* the newest come first */
        if (is_from_here(e->end) && strcmp(e->session, s->id) == 0) return true;
    }
    return false;
}

bool inbox_settles(const struct state *st, const struct worker *w, int64_t now_ms) {
    return is_underway(&w->conversation) || was_answered(st, w->session, now_ms, INBOX_SETTLE_MS);
}

bool inbox_wants_word(const struct state *st, const struct worker *w, int64_t now_ms) {
    return is_underway(&w->conversation) || was_answered(st, w->session, now_ms, INBOX_DOUBT_MS);
}

/* Who decided */

static struct ended_request *find_decided(const struct state *st, const struct session *s, struct span call) {
    list_for_each(pos, &st->ended_requests) {
        struct ended_request *e = list_entry(pos, struct ended_request, in_state);
        if (e->request.call && span_eq_str(call, e->request.call) && strcmp(e->session, s->id) == 0) return e;
    }
    return NULL;
}

static struct request *find_by_call(const struct conversation *c, struct span call) {
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].call && span_eq_str(call, c->requests[i].call)) return &c->requests[i];
    return NULL;
}

/* Is it another end than the one that was told? */
static bool is_another_end(const struct ended_request *e, bool by_hook) {
    return by_hook ? e->end == REQUEST_END_DESK && e->request.answer.decision : is_from_here(e->end);
}

bool inbox_doubts(const struct state *st, const struct worker *w, struct span call, bool by_hook) {
    const struct request *r = find_by_call(&w->conversation, call);
    const struct ended_request *e = find_decided(st, w->session, call);
    if (r) return r->answer.decision && !by_hook;
    return e && is_another_end(e, by_hook);
}

static void amend(struct turn *t, struct ended_request *e, bool by_hook) {
    const struct answer *a = &e->request.answer;
    e->end = !by_hook                       ? REQUEST_END_DESK
             : a->decision == DECISION_DENY ? REQUEST_END_DENIED
                                            : REQUEST_END_ALLOWED;
    (void)str_set(&e->by, by_hook ? span_str(a->by) : SPAN_NONE);
    conversation_log(t, HISTORY_EVENT, SPAN("Answered"),
                     arena_printf(t->arena, "%s: %s",
                                  by_hook ? "From here after all" : "At the desk, a moment before",
                                  str_or_empty(e->request.text)));
    struct effect over = {.kind = EFFECT_ENDED, .session = t->session, .ended = e};
    memcpy(over.request, e->request.id, sizeof over.request);
    effects_add(t->fx, over);
}

static void go_on(struct turn *t, bool stops);

void inbox_decided(struct turn *t, struct span call, bool by_hook) {
    struct request *r = find_by_call(t->conv, call);
    struct ended_request *e = find_decided(t->state, t->session, call);
    if (r && r->answer.decision && !by_hook) {
        r->answer.decision = DECISION_NONE; /* it came too late, whatever its hook will say */
        request_end_this(t, r, ENDING_OVER);
        go_on(t, false);
    } else if (!r && e && is_another_end(e, by_hook)) {
        amend(t, e, by_hook);
    }
}

/* Nothing else is asked: the agent goes on, or has stopped where it was told to. */
static void go_on(struct turn *t, bool stops) {
    const struct conversation *c = t->conv;
    if (c->request_count || !status_is_asking(t->was)) return;
    if (stops) {
        call_forget_all(t->conv);
        conversation_clear_tool(t);
        t->conv->turn_over = true;
    }
    status_move(t->state, t->worker, stops ? SESSION_STATUS_WAITING : SESSION_STATUS_WORKING,
                stops ? ANIMATION_WAITING : ANIMATION_RUNNING,
                (struct reason){EVIDENCE_ANSWER, "answer", t->at_ms});
    idle_watch(t);
}

/* The agent has the answer. Whoever told it says which one: it may have been taken for lost meanwhile. */
void inbox_replied(struct turn *t, const struct command *cmd) {
    struct request *r = find_in(t->conv, cmd->request);
    enum decision decision;
    if (!r || !decision_from_str(cmd->value, &decision) || decision == DECISION_NONE) return;
    r->answer.decision = decision;
    bool stops = r->answer.stops && decision == DECISION_DENY;
    struct span word = decision == DECISION_DENY ? SPAN("Denied") : SPAN("Allowed");
    conversation_log(t, HISTORY_EVENT, SPAN("Answered"),
                     arena_printf(t->arena, "%.*s%s%s: %s", SPAN_ARG(word), r->answer.by ? " from " : "",
                                  str_or_empty(r->answer.by), str_or_empty(r->text)));
    if (decision == DECISION_ALWAYS && r->answer.rules)
        written_rule_add_all(t, span_str(r->answer.rules), span_str(r->answer.by));
    if (decision == DECISION_DENY) call_forget(t->conv, span_str(r->call)); /* no hook tells of its end */
    request_end_this(t, r, ENDING_OVER);
    go_on(t, stops);
}

void inbox_undelivered(struct turn *t, const struct command *cmd) {
    struct request *r = find_in(t->conv, cmd->request);
    if (!r || !r->answer.decision) return;
    tell_caller(t, r->answer.call, OUTCOME_UNDELIVERED, REQUEST_END_OPEN, arena_dup(t->arena, cmd->value));
    forget_answer(r);
    (void)str_set(&r->note, cmd->value);
    conversation_log(t, HISTORY_EVENT, SPAN("AnswerExpired"), cmd->value);
    session_touch(t->state, t->session, FACET_PENDING);
    inbox_asked(t, r);
}

void inbox_away(struct state *st, const struct command *cmd, int64_t at_ms, struct effects *fx) {
    bool away = cmd->number != 0;
    if (st->away == away && st->away_since_ms) return;
    st->away = away;
    st->away_since_ms = at_ms;
    (void)str_set(&st->away_by, cmd->by);
    effects_add(fx, (struct effect){.kind = EFFECT_AWAY});
}
