#include "core/request.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/attention.h"
#include "core/deadline.h"
#include "core/text.h"
#include "core/tool.h"
#include "core/tool_words.h"

#include <stdlib.h>

void request_fini(struct request *r) {
    char *const strings[] = {r->text,  r->detail,    r->tool,         r->summary,     r->label,
                             r->agent, r->call,      r->input,        r->suggestions, r->hold,
                             r->note,  r->answer.by, r->answer.reply, r->answer.rules};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
}

static bool is_of(const char *owner, struct span agent) {
    return span_eq(span_str(owner), agent);
}

/* Requests */

static struct request *find_by_call(const struct conversation *c, struct span agent, struct span call) {
    for (size_t i = 0; call.n && i < c->request_count; i++)
        if (is_of(c->requests[i].agent, agent) && span_eq_str(call, str_or_empty(c->requests[i].call)))
            return &c->requests[i];
    return NULL;
}

/* One that was only guessed, or of which no more is known than that something is asked. */
static struct request *find_vague(const struct conversation *c, struct span agent, struct span tool) {
    for (size_t i = 0; i < c->request_count; i++) {
        struct request *r = &c->requests[i];
        bool same_tool = !r->tool || span_eq_str(tool, r->tool);
        if (is_of(r->agent, agent) && same_tool && (!r->certain || !r->tool)) return r;
    }
    return NULL;
}

/* One that says the same, when no call is left that could be another one's. Two hooks that wait are two requests, however alike. */
static struct request *find_same(const struct conversation *c, const struct asking *a,
                                 const struct tool_words *words) {
    for (size_t i = 0; i < c->request_count; i++) {
        struct request *r = &c->requests[i];
        bool two = a->hold.n && r->hold && !span_eq_str(a->hold, r->hold);
        if (!two && is_of(r->agent, a->agent) && span_eq(words->text, span_str(r->text)) &&
            span_eq(words->detail, span_str(r->detail)))
            return r;
    }
    return NULL;
}

/* A screen or a file may tell of a request before the hook that waits for its answer does. */
static struct request *find_foretold(const struct conversation *c, const struct asking *a,
                                     const struct tool_words *words) {
    struct request *r = a->hold.n ? find_same(c, a, words) : NULL;
    return r && !r->hold ? r : NULL;
}

static void end_at(struct turn *t, size_t i, enum ending how) {
    struct conversation *c = t->conv;
    inbox_ended(t, &c->requests[i], how);
    c->request_count--;
    memmove(c->requests + i, c->requests + i + 1, (c->request_count - i) * sizeof *c->requests);
    if (c->request_count) return;
    free(c->requests);
    c->requests = NULL;
}

/* Which ones end: those of `agent` unless it is NULL, about `call` unless that is NULL, and older than `before_ms`. */
static void end_some(struct turn *t, const struct span *agent, const struct span *call, int64_t before_ms,
                     enum ending how) {
    struct conversation *c = t->conv;
    size_t ended = 0;
    for (size_t i = c->request_count; i-- > 0;) {
        const struct request *r = &c->requests[i];
        bool fits = (!agent || is_of(r->agent, *agent)) && (!call || span_eq(*call, span_str(r->call)));
        if (!fits || r->since_ms >= before_ms) continue;
        end_at(t, i, how);
        ended++;
    }
    if (ended) session_touch(t->state, t->session, FACET_PENDING);
    t->answered += ended;
}

static void end_of_call(struct turn *t, struct span agent, struct span call, enum ending how) {
    end_some(t, &agent, &call, INT64_MAX, how);
}

static void end_of_agent(struct turn *t, struct span agent, enum ending how) {
    end_some(t, &agent, NULL, INT64_MAX, how);
}

bool request_end_one(struct turn *t, struct span call) {
    size_t before = t->answered;
    end_some(t, NULL, &call, INT64_MAX, ENDING_OVER);
    return t->answered > before;
}

void request_end_before(struct turn *t, int64_t at_ms) {
    end_some(t, NULL, NULL, at_ms, ENDING_OVER);
}

void request_end_all(struct turn *t, enum ending how) {
    end_some(t, NULL, NULL, INT64_MAX, how);
}

void request_end_this(struct turn *t, const struct request *r, enum ending how) {
    end_at(t, (size_t)(r - t->conv->requests), how);
    session_touch(t->state, t->session, FACET_PENDING);
    t->answered++;
}

/* A timer's guess has no record: its id is made of the time, and of whose it is. */
static uint64_t guess_number(const struct turn *t) {
    return (uint64_t)t->at_ms << 20 | (map_hash(span_str(t->session->id)) & 0xfffff);
}

static struct request *make(struct turn *t) {
    struct conversation *c = t->conv;
    if (c->request_count == REQUESTS_MAX) end_at(t, 0, ENDING_DROPPED);
    c->requests = xreallocarray(c->requests, c->request_count + 1, sizeof *c->requests);
    struct request *r = &c->requests[c->request_count++];
    *r = (struct request){.since_ms = t->at_ms, .revision = UINT64_MAX}; /* 0 once it has words */
    if (t->pos)
        id_from_position(r->id, 'r', t->pos);
    else
        id_from_position(r->id, 'g', guess_number(t));
    return r;
}

/* What the seed's clients show: "Approve Bash: make". */
static struct span seed_label(const struct turn *t, const struct asking *a, enum attention_kind kind,
                              struct span summary) {
    if (a->label) return span_str(a->label);
    if (kind == ATTENTION_QUESTION && a->tool.n) return SPAN("Waiting for your answer");
    if (kind == ATTENTION_PLAN) return SPAN("Review plan");
    if (!a->tool.n) return a->text;
    return arena_printf(t->arena, "Approve %.*s%s%.*s", SPAN_ARG(a->tool), summary.n ? ": " : "",
                        SPAN_ARG(summary));
}

/* What is asked: a line, and the whole where that is more. */
static void put_in_words(const struct turn *t, const struct asking *a, struct tool_words *ret) {
    *ret = (struct tool_words){.kind = ATTENTION_QUESTION, .form = TEXT_FORM_TEXT, .text = a->text};
    if (a->tool.n) tool_words(a->tool, a->input, t->arena, ret);
    if (a->kind) ret->kind = a->kind;
    struct span line = attention_line(ret->text, t->arena);
    if (!ret->detail.n && !span_eq(line, span_trim(ret->text)))
        ret->detail = text_whole(ret->text, REQUEST_DETAIL_BYTES, t->arena);
    ret->text = line;
}

/* What an answer needs comes with the hook that waits for it. Whoever else tells of the request may have cut its input. True when
 * it is another one than before. */
static bool fill_for_answer(struct request *r, const struct asking *a) {
    if (!a->hold.n) return false;
    bool fits = jscan_kind(a->input) == JKIND_OBJECT && a->input.n <= REQUEST_INPUT_BYTES;
    bool suggests = a->suggestions.n <= REQUEST_SUGGESTIONS_BYTES;
    (void)str_set(&r->hold, a->hold);
    (void)str_set(&r->suggestions, suggests ? a->suggestions : SPAN_NONE);
    return str_set(&r->input, fits ? a->input : SPAN_NONE);
}

static void fill(struct turn *t, struct request *r, const struct asking *a, const struct tool_words *words) {
    bool changed = str_set(&r->text, words->text);
    changed |= str_set(&r->detail, words->detail);
    changed |= str_set(&r->tool, a->tool);
    changed |= r->kind != words->kind || r->form != words->form;
    changed |= fill_for_answer(r, a);
    r->revision += changed;
    r->kind = words->kind;
    r->form = words->form;
    r->certain = a->certain;
    struct span summary = a->tool.n ? tool_summary(a->tool, a->input, t->arena) : SPAN_NONE;
    (void)str_set(&r->summary, summary);
    (void)str_set(&r->label, text_cut(seed_label(t, a, words->kind, summary), APPLY_WAITING_UNITS, t->arena));
    (void)str_set(&r->agent, a->agent);
    if (a->call.n) (void)str_set(&r->call, a->call);
}

/* The call that is asked about: the oldest of those that look like it and that nobody asks about yet. The event itself
 * names none, and two calls may well be the same. */
static struct span call_asked_about(const struct conversation *c, const struct asking *a) {
    const struct tool_call *alike = NULL;
    for (size_t i = 0; i < c->call_count; i++) {
        const struct tool_call *k = &c->calls[i];
        if (!k->id || !is_of(k->agent, a->agent) || !span_eq_str(a->tool, k->tool)) continue;
        if (find_by_call(c, a->agent, span_str(k->id))) continue;
        if (span_eq(span_str(k->input), a->input)) return span_str(k->id);
        alike = k;
    }
    return alike ? span_str(alike->id) : SPAN_NONE;
}

const struct request *request_add(struct turn *t, const struct asking *a) {
    struct asking asking = *a;
    struct tool_words words;
    put_in_words(t, a, &words);
    struct request *r = find_foretold(t->conv, a, &words);
    if (!asking.call.n && a->tool.n && !(r && r->call)) asking.call = call_asked_about(t->conv, a);
    if (!r) r = find_by_call(t->conv, a->agent, asking.call);
    if (!r) r = find_vague(t->conv, a->agent, a->tool);
    if (!r && !asking.call.n) r = find_same(t->conv, a, &words);
    if (!r) r = make(t);
    fill(t, r, &asking, &words);
    inbox_asked(t, r);
    deadline_set(t->state, t->worker, DEADLINE_APPROVAL, 0);
    session_touch(t->state, t->session, FACET_PENDING);
    return r;
}

bool request_is_plan_unread(const struct request *r) {
    return r->kind == ATTENTION_PLAN && r->form != TEXT_FORM_MARKDOWN;
}

bool request_explain_plan(struct turn *t, const struct asking *a) {
    const struct conversation *c = t->conv;
    for (size_t i = 0; i < c->request_count; i++) {
        struct request *r = &c->requests[i];
        if (!request_is_plan_unread(r)) continue;
        struct asking asking = *a;
        asking.agent = arena_dup(t->arena, span_str(r->agent));
        struct tool_words words;
        put_in_words(t, &asking, &words);
        fill(t, r, &asking, &words);
        inbox_asked(t, r);
        session_touch(t->state, t->session, FACET_PENDING);
        return true;
    }
    return false;
}

/* Calls */

void call_fini(struct tool_call *k) {
    free(k->id);
    free(k->agent);
    free(k->tool);
    free(k->input);
}

static void drop_call(struct conversation *c, size_t i) {
    call_fini(&c->calls[i]);
    c->call_count--;
    memmove(c->calls + i, c->calls + i + 1, (c->call_count - i) * sizeof *c->calls);
    if (c->call_count) return;
    free(c->calls);
    c->calls = NULL;
}

/* What is kept of a call's input, in case that somebody is asked about it: of long texts the part that would be shown. */
static struct span kept_input(struct span input, struct arena *arena) {
    if (input.n <= CALL_INPUT_BYTES || jscan_kind(input) != JKIND_OBJECT) return input;
    AUTO(buf) struct buf out = BUF_INIT(CALL_INPUT_BYTES * 2);
    struct jwrite w = JWRITE_INIT(&out);
    struct span rest = input, key, value;
    jwrite_object(&w);
    while (jscan_member_next(&rest, &key, &value) == 1) {
        struct span name = jscan_text(key, arena), text = jscan_text(value, arena);
        jwrite_key_span(&w, name);
        if (value.n <= CALL_MEMBER_BYTES)
            jwrite_raw(&w, value);
        else
            jwrite_str(&w, text.n ? text_whole(text, REQUEST_DETAIL_BYTES, arena) : SPAN("…"));
    }
    jwrite_object_end(&w);
    return out.failed ? SPAN_NONE : arena_dup(arena, buf_span(&out));
}

void call_begin(struct turn *t, const struct event *ev, uint64_t history_pos) {
    struct conversation *c = t->conv;
    if (c->call_count == CALLS_MAX) drop_call(c, 0);
    c->calls = xreallocarray(c->calls, c->call_count + 1, sizeof *c->calls);
    struct tool_call *k = &c->calls[c->call_count++];
    *k = (struct tool_call){.pos = history_pos};
    (void)str_set(&k->input, kept_input(ev->tool_input, t->arena));
    (void)str_set(&k->id, ev->call_id);
    (void)str_set(&k->agent, ev->subagent_id);
    (void)str_set(&k->tool, ev->tool_name);
}

/* How well a call fits an event that ends one; 0: not at all. */
static unsigned fit(const struct tool_call *k, const struct event *ev) {
    if (!is_of(k->agent, ev->subagent_id)) return 0;
    if (ev->call_id.n && k->id) return span_eq_str(ev->call_id, k->id) ? 3 : 0;
    if (!span_eq(ev->tool_name, span_str(k->tool))) return 0;
    return span_eq(span_str(k->input), ev->tool_input) ? 2 : 1;
}

static void forget_agent(struct conversation *c, struct span agent) {
    for (size_t i = c->call_count; i-- > 0;)
        if (is_of(c->calls[i].agent, agent)) drop_call(c, i);
}

/* Will something else tell how it was answered: the end of its call, or a word about the request itself? */
static bool is_told_of(const struct conversation *c, const struct request *r, enum cli cli) {
    if (cli == CLI_OPENCODE || cli == CLI_COPILOT) return r->call != NULL;
    return call_find(c, span_str(r->call)) != NULL;
}

/* Is what returns the question or the plan itself? Copilot's hooks name no call, and the tool otherwise than its record. */
static bool is_its_end(const struct request *r, const struct event *ev) {
    const struct tool_row *tool = tool_find(ev->tool_name);
    if (!(ev->kind->flags & EVENT_RETURNS) || !tool) return false;
    return (r->kind == ATTENTION_QUESTION && tool->style == TOOL_QUESTION) ||
           (r->kind == ATTENTION_PLAN && tool->style == TOOL_PLAN);
}

/* The agent begins another call. Gemini does one thing at a time; others may do so while they ask about one. */
static void goes_on(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    bool many = ev->cli != CLI_GEMINI;
    for (size_t i = c->request_count; i-- > 0;) {
        struct request *r = &c->requests[i];
        bool stays = many && is_told_of(c, r, ev->cli) && !is_its_end(r, ev);
        if (!is_of(r->agent, ev->subagent_id) || stays) continue;
        end_at(t, i, ENDING_OVER);
        t->answered++;
    }
    if (t->answered) session_touch(t->state, t->session, FACET_PENDING);
    if (!many) forget_agent(c, ev->subagent_id);
}

static void remember_ended(struct conversation *c, struct span id, uint64_t pos) {
    if (!c->ended_calls) c->ended_calls = xcalloc(ENDED_CALLS_MAX, sizeof *c->ended_calls);
    memmove(c->ended_calls, c->ended_calls + 1, (ENDED_CALLS_MAX - 1) * sizeof *c->ended_calls);
    c->ended_calls[ENDED_CALLS_MAX - 1] = (struct ended_call){map_hash(id), pos};
}

/* A call that went wrong may have been refused; one that went well has run. */
static enum ending ending_of(const struct event *ev) {
    return span_eq_str(SPAN("PostToolUse"), ev->kind->name) && !ev->failed ? ENDING_RAN : ENDING_OVER;
}

/* A call ended: by its id, or else the one of the agent that looks most like it. What was asked about it is answered. */
static void call_end(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    size_t best = c->call_count;
    unsigned best_fit = 0;
    for (size_t i = 0; i < c->call_count; i++) {
        unsigned f = fit(&c->calls[i], ev);
        if (f <= best_fit) continue;
        best_fit = f;
        best = i;
    }
    if (best == c->call_count) { /* one that nobody announced: what was asked by its agent is answered */
        goes_on(t, ev);
        return;
    }
    t->call_pos = c->calls[best].pos;
    struct span id = arena_dup(t->arena, span_str(c->calls[best].id));
    if (ev->cli == CLI_CODEX && id.n) remember_ended(c, id, t->call_pos);
    drop_call(c, best);
    /* Where calls have no ids, whatever the agent does shows that it was answered. */
    if (id.n)
        end_of_call(t, ev->subagent_id, id, ending_of(ev));
    else
        end_of_agent(t, ev->subagent_id, ending_of(ev));
}

const struct tool_call *call_of(const struct conversation *c, struct span agent) {
    for (size_t i = c->call_count; i-- > 0;)
        if (is_of(c->calls[i].agent, agent)) return &c->calls[i];
    return NULL;
}

const struct tool_call *call_find(const struct conversation *c, struct span id) {
    for (size_t i = 0; id.n && i < c->call_count; i++)
        if (c->calls[i].id && span_eq_str(id, c->calls[i].id)) return &c->calls[i];
    return NULL;
}

uint64_t call_pos(const struct conversation *c, struct span id) {
    const struct tool_call *call = call_find(c, id);
    if (call) return call->pos;
    uint64_t hash = map_hash(id);
    for (size_t i = 0; c->ended_calls && i < ENDED_CALLS_MAX; i++)
        if (c->ended_calls[i].pos && c->ended_calls[i].id_hash == hash) return c->ended_calls[i].pos;
    return 0;
}

uint64_t call_oldest_pos(const struct conversation *c) {
    uint64_t oldest = UINT64_MAX;
    for (size_t i = 0; i < c->call_count; i++)
        if (c->calls[i].pos < oldest) oldest = c->calls[i].pos;
    for (size_t i = 0; c->ended_calls && i < ENDED_CALLS_MAX; i++)
        if (c->ended_calls[i].pos && c->ended_calls[i].pos < oldest) oldest = c->ended_calls[i].pos;
    return oldest;
}

void call_forget(struct conversation *c, struct span id) {
    for (size_t i = c->call_count; id.n && i-- > 0;)
        if (c->calls[i].id && span_eq_str(id, c->calls[i].id)) drop_call(c, i);
}

void call_forget_all(struct conversation *c) {
    while (c->call_count)
        drop_call(c, c->call_count - 1);
}

void request_heard(struct turn *t, const struct event *ev) {
    unsigned flags = ev->kind->flags;
    bool starts_over = (flags & EVENT_STARTS) && !event_is_compaction(ev);
    if (starts_over || ev->kind->status == SESSION_STATUS_ENDED) {
        request_end_all(t, ENDING_GONE);
        call_forget_all(t->conv);
    }
    if (ev->request_id.n && (flags & EVENT_RETURNS))
        end_of_call(t, ev->subagent_id, ev->request_id, ENDING_OVER);
    else if (flags & EVENT_RETURNS)
        call_end(t, ev);
    if (flags & EVENT_CALLS) goes_on(t, ev);
    if (flags & EVENT_TURNS) {
        end_of_agent(t, SPAN_NONE, ENDING_OVER);
        forget_agent(t->conv, SPAN_NONE);
    }
    if (flags & EVENT_PARTS) {
        end_of_agent(t, ev->subagent_id, ENDING_OVER);
        forget_agent(t->conv, ev->subagent_id);
    }
}
