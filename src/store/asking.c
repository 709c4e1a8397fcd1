#include "store/asking.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/subagent.h"

enum { ASKING_BYTES_MAX = 16 << 20 };

static void put_answer(struct jwrite *w, const struct answer *a) {
    jwrite_key(w, "answer");
    jwrite_object(w);
    jwrite_kcstr(w, "decision", decision_to_str(a->decision));
    jwrite_kcstr(w, "by", a->by);
    jwrite_kcstr(w, "reply", a->reply);
    jwrite_kcstr(w, "rules", a->rules);
    jwrite_ki64(w, "at", a->at_ms);
    jwrite_kbool(w, "stops", a->stops);
    jwrite_kbool(w, "keys", a->by_keys);
    jwrite_object_end(w);
}

static void put_request(struct jwrite *w, const struct request *r) {
    jwrite_object(w);
    jwrite_kcstr(w, "id", r->id);
    jwrite_kcstr(w, "kind", attention_kind_to_str(r->kind));
    jwrite_kcstr(w, "form", text_form_to_str(r->form));
    jwrite_kcstr(w, "text", r->text);
    jwrite_kcstr(w, "detail", r->detail);
    jwrite_kcstr(w, "tool", r->tool);
    jwrite_kcstr(w, "summary", r->summary);
    jwrite_kcstr(w, "label", r->label);
    jwrite_kcstr(w, "agent", r->agent);
    jwrite_kcstr(w, "call", r->call);
    jwrite_ki64(w, "since", r->since_ms);
    jwrite_kbool(w, "certain", r->certain);
    jwrite_kcstr(w, "input", r->input);
    jwrite_kcstr(w, "suggestions", r->suggestions);
    jwrite_kcstr(w, "hold", r->hold);
    jwrite_kcstr(w, "note", r->note);
    if (r->revision) jwrite_ku64(w, "revision", r->revision);
    if (r->answer.decision) put_answer(w, &r->answer);
    jwrite_object_end(w);
}

static void put_call(struct jwrite *w, const struct tool_call *k) {
    jwrite_object(w);
    jwrite_kcstr(w, "id", k->id);
    jwrite_kcstr(w, "agent", k->agent);
    jwrite_kcstr(w, "tool", k->tool);
    jwrite_kcstr(w, "input", k->input);
    jwrite_ku64(w, "pos", k->pos);
    jwrite_object_end(w);
}

struct span asking_json(const struct conversation *c, struct arena *arena, bool *full) {
    if (!c->request_count && !c->call_count && !c->subagent_count && !c->turn_over) return SPAN_NONE;
    AUTO(buf) struct buf out = BUF_INIT(ASKING_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    w.omit_null = true;
    jwrite_object(&w);
    jwrite_key(&w, "requests");
    jwrite_array(&w);
    for (size_t i = 0; i < c->request_count; i++)
        put_request(&w, &c->requests[i]);
    jwrite_array_end(&w);
    jwrite_key(&w, "calls");
    jwrite_array(&w);
    for (size_t i = 0; i < c->call_count; i++)
        put_call(&w, &c->calls[i]);
    jwrite_array_end(&w);
    jwrite_key(&w, "subagents");
    jwrite_array(&w);
    for (size_t i = 0; i < c->subagent_count; i++)
        jwrite_cstr(&w, c->subagents[i]);
    jwrite_array_end(&w);
    if (c->turn_over) jwrite_kbool(&w, "over", true);
    jwrite_object_end(&w);
    struct span json = arena_dup(arena, buf_span(&out));
    if (!json.p || out.failed) *full = true;
    return json;
}

static void take(char **slot, struct span value, struct arena *arena) {
    (void)str_set(slot, jscan_text(value, arena));
}

static void restore_answer(struct answer *a, struct span json, struct arena *arena) {
    struct jmember m[] = {JMEMBER("decision"), JMEMBER("by"),   JMEMBER("reply"), JMEMBER("at"),
                          JMEMBER("stops"),    JMEMBER("keys"), JMEMBER("rules")};
    if (jscan_kind(json) != JKIND_OBJECT || jscan_object(json, m, ARRAY_LEN(m)) < 1 ||
        !decision_from_str(jscan_text(m[0].value, arena), &a->decision))
        return;
    take(&a->by, m[1].value, arena);
    take(&a->reply, m[2].value, arena);
    (void)jscan_i64(m[3].value, &a->at_ms);
    (void)jscan_bool(m[4].value, &a->stops);
    (void)jscan_bool(m[5].value, &a->by_keys);
    take(&a->rules, m[6].value, arena);
}

static void restore_request(struct conversation *c, struct span item, struct arena *arena) {
    struct jmember m[] = {JMEMBER("id"),       JMEMBER("kind"),        JMEMBER("form"),    JMEMBER("text"),
                          JMEMBER("detail"),   JMEMBER("tool"),        JMEMBER("summary"), JMEMBER("label"),
                          JMEMBER("agent"),    JMEMBER("call"),        JMEMBER("since"),   JMEMBER("certain"),
                          JMEMBER("input"),    JMEMBER("suggestions"), JMEMBER("hold"),    JMEMBER("note"),
                          JMEMBER("revision"), JMEMBER("answer")};
    if (jscan_object(item, m, ARRAY_LEN(m)) < 0) return;
    struct request r = {.kind = ATTENTION_APPROVAL};
    struct span id = jscan_text(m[0].value, arena);
    memcpy(r.id, id.p ? id.p : "", MIN(id.n, sizeof r.id - 1));
    (void)attention_kind_from_str(jscan_text(m[1].value, arena), &r.kind);
    (void)text_form_from_str(jscan_text(m[2].value, arena), &r.form);
    take(&r.text, m[3].value, arena);
    take(&r.detail, m[4].value, arena);
    take(&r.tool, m[5].value, arena);
    take(&r.summary, m[6].value, arena);
    take(&r.label, m[7].value, arena);
    take(&r.agent, m[8].value, arena);
    take(&r.call, m[9].value, arena);
    (void)jscan_i64(m[10].value, &r.since_ms);
    (void)jscan_bool(m[11].value, &r.certain);
    take(&r.input, m[12].value, arena);
    take(&r.suggestions, m[13].value, arena);
    take(&r.hold, m[14].value, arena);
    take(&r.note, m[15].value, arena);
    int64_t revision = 0;
    if (jscan_i64(m[16].value, &revision) && revision > 0) r.revision = (uint64_t)revision;
    restore_answer(&r.answer, m[17].value, arena);
    c->requests = xreallocarray(c->requests, c->request_count + 1, sizeof *c->requests);
    c->requests[c->request_count++] = r;
}

static void restore_call(struct conversation *c, struct span item, struct arena *arena) {
    struct jmember m[] = {JMEMBER("id"), JMEMBER("agent"), JMEMBER("tool"), JMEMBER("input"), JMEMBER("pos")};
    if (jscan_object(item, m, ARRAY_LEN(m)) < 0) return;
    struct tool_call k = {0};
    int64_t pos = 0;
    take(&k.id, m[0].value, arena);
    take(&k.agent, m[1].value, arena);
    take(&k.tool, m[2].value, arena);
    take(&k.input, m[3].value, arena);
    (void)jscan_i64(m[4].value, &pos);
    k.pos = (uint64_t)pos;
    c->calls = xreallocarray(c->calls, c->call_count + 1, sizeof *c->calls);
    c->calls[c->call_count++] = k;
}

void asking_restore(struct conversation *c, struct span json) {
    AUTO(arena) struct arena arena = ARENA_INIT(ASKING_BYTES_MAX);
    struct jmember m[] = {JMEMBER("requests"), JMEMBER("calls"), JMEMBER("subagents"), JMEMBER("over")};
    if (!json.n || jscan_object(json, m, ARRAY_LEN(m)) < 0) return;
    struct span rest = m[0].value, item;
    while (rest.n && c->request_count < REQUESTS_MAX && jscan_array_next(&rest, &item) == 1)
        restore_request(c, item, &arena);
    rest = m[1].value;
    while (rest.n && c->call_count < CALLS_MAX && jscan_array_next(&rest, &item) == 1)
        restore_call(c, item, &arena);
    rest = m[2].value;
    while (rest.n && jscan_array_next(&rest, &item) == 1)
        subagent_began(c, jscan_text(item, &arena));
    (void)jscan_bool(m[3].value, &c->turn_over);
}
