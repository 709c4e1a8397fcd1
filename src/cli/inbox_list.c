#include "cli/inbox_list.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/mem.h"

#include <stdlib.h>

enum { ENDED_MAX = 100 };

/* One request */

static void request_free(struct inbox_request *r) {
    arena_fini(&r->arena);
    free(r->json);
    free(r);
}

static unsigned read_can(struct inbox_request *r, struct span list) {
    struct span rest = list, item;
    unsigned can = 0;
    while (jscan_kind(list) == JKIND_ARRAY && jscan_array_next(&rest, &item) == 1)
        for (size_t i = 0; i < CAN_N_; i++)
            if (span_eq_str(jscan_text(item, &r->arena), can_to_str((enum can_index)i))) can |= 1U << i;
    return can;
}

static struct span only(struct span value, enum jkind kind) {
    return jscan_kind(value) == kind ? value : SPAN_NONE;
}

enum {
    ID,
    SESSION,
    SESSION_ID,
    TITLE,
    PROJECT,
    CLI,
    KIND,
    TOOL,
    AGENT,
    TEXT,
    DETAIL,
    FORM,
    DIGEST,
    SAME,
    STATE,
    WHY,
    NOTE,
    BY,
    TEXTS
};

static void read_texts(struct inbox_request *r, struct span json) {
    struct jmember m[TEXTS] = {
        [ID] = JMEMBER("id"),         [SESSION] = JMEMBER("session"), [SESSION_ID] = JMEMBER("sessionId"),
        [TITLE] = JMEMBER("title"),   [PROJECT] = JMEMBER("project"), [CLI] = JMEMBER("cli"),
        [KIND] = JMEMBER("kind"),     [TOOL] = JMEMBER("tool"),       [AGENT] = JMEMBER("agent"),
        [TEXT] = JMEMBER("text"),     [DETAIL] = JMEMBER("detail"),   [FORM] = JMEMBER("form"),
        [DIGEST] = JMEMBER("digest"), [SAME] = JMEMBER("same"),       [STATE] = JMEMBER("state"),
        [WHY] = JMEMBER("why"),       [NOTE] = JMEMBER("note"),       [BY] = JMEMBER("by")};
    struct span *const to[TEXTS] = {
        [ID] = &r->id,         [SESSION] = &r->session, [SESSION_ID] = &r->session_id,
        [TITLE] = &r->title,   [PROJECT] = &r->project, [CLI] = &r->cli,
        [KIND] = &r->kind,     [TOOL] = &r->tool,       [AGENT] = &r->agent,
        [TEXT] = &r->text,     [DETAIL] = &r->detail,   [FORM] = &r->form,
        [DIGEST] = &r->digest, [SAME] = &r->same,       [STATE] = &r->state,
        [WHY] = &r->why,       [NOTE] = &r->note,       [BY] = &r->by};
    (void)jscan_object(json, m, TEXTS);
    for (size_t i = 0; i < TEXTS; i++)
        *to[i] = jscan_text(m[i].value, &r->arena);
}

static void read_answer(struct inbox_request *r, struct span answer) {
    struct jmember m[] = {JMEMBER("decision"), JMEMBER("by")};
    if (jscan_kind(answer) != JKIND_OBJECT || jscan_object(answer, m, ARRAY_LEN(m)) < 1) return;
    r->answer = jscan_text(m[0].value, &r->arena);
    r->answer_by = jscan_text(m[1].value, &r->arena);
}

/* NULL when it has no id or no state. */
static struct inbox_request *request_new(struct span json) {
    struct jmember m[] = {JMEMBER("certain"), JMEMBER("input"),   JMEMBER("questions"),
                          JMEMBER("rules"),   JMEMBER("modes"),   JMEMBER("can"),
                          JMEMBER("answer"),  JMEMBER("askedAt"), JMEMBER("endedAt")};
    if (jscan_kind(span_trim(json)) != JKIND_OBJECT) return NULL;
    struct inbox_request *r = xcalloc(1, sizeof *r);
    r->arena = ARENA_INIT(INBOX_REQUEST_BYTES_MAX);
    r->json = xstrndup(json.p, json.n);
    struct span own = span_of(r->json, json.n);
    read_texts(r, own);
    if (jscan_object(own, m, ARRAY_LEN(m)) < 0 || !r->id.n || !r->state.n) {
        request_free(r);
        return NULL;
    }
    (void)jscan_bool(m[0].value, &r->certain);
    r->input = only(m[1].value, JKIND_OBJECT);
    r->questions = only(m[2].value, JKIND_ARRAY);
    r->rules = only(m[3].value, JKIND_ARRAY);
    r->modes = only(m[4].value, JKIND_ARRAY);
    r->can = read_can(r, m[5].value);
    read_answer(r, m[6].value);
    (void)jscan_i64(m[7].value, &r->asked_ms);
    (void)jscan_i64(m[8].value, &r->ended_ms);
    return r;
}

bool inbox_request_is_open(const struct inbox_request *r) {
    return span_eq(r->state, SPAN("open"));
}

/* Its parts */

/* The spans that they give back are in the request's arena, which is no part of what the request says. */
static struct arena *arena_of(const struct inbox_request *r) {
    return &((struct inbox_request *)r)->arena;
}

bool inbox_question_next(const struct inbox_request *r, struct span *rest, struct inbox_question *ret) {
    struct span item;
    struct jmember m[] = {JMEMBER("question"), JMEMBER("header"), JMEMBER("options"), JMEMBER("multiSelect"),
                          JMEMBER("multiple")};
    if (!rest->n || jscan_array_next(rest, &item) != 1) return false;
    *ret = (struct inbox_question){0};
    if (jscan_kind(item) != JKIND_OBJECT || jscan_object(item, m, ARRAY_LEN(m)) < 0) return true;
    ret->question = jscan_text(m[0].value, arena_of(r));
    ret->header = jscan_text(m[1].value, arena_of(r));
    ret->options = only(m[2].value, JKIND_ARRAY);
    if (!jscan_bool(m[3].value, &ret->many)) (void)jscan_bool(m[4].value, &ret->many);
    return true;
}

size_t inbox_question_count(const struct inbox_request *r) {
    struct span rest = r->questions, item;
    size_t n = 0;
    while (rest.n && jscan_array_next(&rest, &item) == 1)
        n++;
    return n;
}

bool inbox_question_at(const struct inbox_request *r, size_t i, struct inbox_question *ret) {
    struct span rest = r->questions;
    bool there = inbox_question_next(r, &rest, ret);
    while (there && i--)
        there = inbox_question_next(r, &rest, ret);
    return there;
}

bool inbox_option_next(const struct inbox_request *r, struct span *rest, struct inbox_option *ret) {
    struct span item;
    struct jmember m[] = {JMEMBER("label"), JMEMBER("description")};
    if (!rest->n || jscan_array_next(rest, &item) != 1) return false;
    *ret = (struct inbox_option){.label = jscan_text(item, arena_of(r))};
    if (jscan_kind(item) != JKIND_OBJECT || jscan_object(item, m, ARRAY_LEN(m)) < 0) return true;
    ret->label = jscan_text(m[0].value, arena_of(r));
    ret->description = jscan_text(m[1].value, arena_of(r));
    return true;
}

bool inbox_rule_next(const struct inbox_request *r, struct span *rest, struct inbox_rule *ret) {
    struct span item;
    struct jmember m[] = {JMEMBER("rule"), JMEMBER("where")};
    if (!rest->n || jscan_array_next(rest, &item) != 1) return false;
    (void)jscan_object(item, m, ARRAY_LEN(m));
    *ret = (struct inbox_rule){jscan_text(m[0].value, arena_of(r)), jscan_text(m[1].value, arena_of(r))};
    return true;
}

bool inbox_mode_next(const struct inbox_request *r, struct span *rest, struct span *ret) {
    struct span item;
    if (!rest->n || jscan_array_next(rest, &item) != 1) return false;
    *ret = jscan_text(item, arena_of(r));
    return true;
}

/* The list */

void inbox_list_set_away(struct inbox_list *l, struct span away) {
    free(l->away_json);
    l->away_json = away.n ? xstrndup(away.p, away.n) : NULL;
    l->away = span_of(l->away_json, away.n);
}

static void clear(struct inbox_list *l) {
    for (size_t i = 0; i < l->n; i++)
        request_free(l->v[i]);
    free(l->v);
    l->v = NULL;
    l->n = l->open = 0;
}

void inbox_list_fini(struct inbox_list *l) {
    clear(l);
    inbox_list_set_away(l, SPAN_NONE);
}

static void put_at(struct inbox_list *l, size_t at, struct inbox_request *r) {
    if ((l->n & (l->n - 1)) == 0)
        l->v = xreallocarray(l->v, l->n ? 2 * l->n : 1, sizeof(struct inbox_request *));
    memmove(l->v + at + 1, l->v + at, (l->n - at) * sizeof(struct inbox_request *));
    l->v[at] = r;
    l->n++;
    l->open += inbox_request_is_open(r);
}

static void drop(struct inbox_list *l, size_t at) {
    l->open -= inbox_request_is_open(l->v[at]);
    request_free(l->v[at]);
    l->n--;
    memmove(l->v + at, l->v + at + 1, (l->n - at) * sizeof(struct inbox_request *));
}

bool inbox_list_read(struct inbox_list *l, struct span json) {
    struct jmember m[] = {JMEMBER("approvals"), JMEMBER("away")};
    struct span rest, item;
    if (jscan_object(span_trim(json), m, ARRAY_LEN(m)) < 1 || jscan_kind(m[0].value) != JKIND_ARRAY)
        return false;
    clear(l);
    inbox_list_set_away(l, only(m[1].value, JKIND_OBJECT));
    rest = m[0].value;
    while (jscan_array_next(&rest, &item) == 1) {
        struct inbox_request *r = request_new(item);
        if (r) put_at(l, inbox_request_is_open(r) ? l->open : l->n, r);
    }
    return true;
}

bool inbox_list_take(struct inbox_list *l, struct span request) {
    struct inbox_request *r = request_new(request);
    if (!r) return false;
    bool is_open = inbox_request_is_open(r);
    for (size_t i = 0; i < l->n; i++) {
        if (!span_eq(l->v[i]->id, r->id)) continue;
        if (is_open && inbox_request_is_open(l->v[i])) { /* it keeps its place */
            request_free(l->v[i]);
            l->v[i] = r;
            return true;
        }
        drop(l, i);
        break;
    }
    put_at(l, l->open, r); /* the youngest of the open ones, or the newest of those that ended */
    while (l->n - l->open > ENDED_MAX)
        drop(l, l->n - 1);
    return true;
}

const struct inbox_request *inbox_list_find(const struct inbox_list *l, struct span id) {
    for (size_t i = 0; i < l->n; i++)
        if (span_eq(l->v[i]->id, id)) return l->v[i];
    return NULL;
}
