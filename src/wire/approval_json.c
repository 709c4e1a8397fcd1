#include "wire/approval_json.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/str.h"
#include "crypto/digest.h"

enum { ARENA_BYTES = 1 << 20 };

static void digest_text(struct digest *d, const char *text) {
    digest_add(d, span_str(text));
    digest_add(d, span_of("", 1)); /* the end of a text is a part of it */
}

void approval_digest(const struct request *r, char ret[APPROVAL_DIGEST_BYTES]) {
    char hex[DIGEST_SHA256_HEX];
    struct digest *d = digest_begin();
    digest_text(d, attention_kind_to_str(r->kind));
    digest_text(d, text_form_to_str(r->form));
    digest_text(d, r->tool);
    digest_text(d, r->text);
    digest_text(d, r->detail);
    digest_text(d, r->input);
    digest_end(d, hex);
    memcpy(ret, hex, APPROVAL_DIGEST_BYTES - 1);
    ret[APPROVAL_DIGEST_BYTES - 1] = '\0';
}

static void put_questions(struct jwrite *w, const struct request *r, bool open) {
    struct jmember m = JMEMBER("questions");
    bool there = open && r->kind == ATTENTION_QUESTION && r->input &&
                 jscan_object(span_str(r->input), &m, 1) == 1 && jscan_kind(m.value) == JKIND_ARRAY;
    jwrite_key(w, "questions");
    if (there)
        jwrite_raw(w, m.value);
    else
        jwrite_null(w);
}

static void put_can(struct jwrite *w, unsigned can) {
    jwrite_key(w, "can");
    jwrite_array(w);
    for (size_t i = 0; i < CAN_N_; i++)
        if (can & 1U << i) jwrite_cstr(w, can_to_str((enum can_index)i));
    jwrite_array_end(w);
}

static void put_rules(struct jwrite *w, enum cli cli, const struct request *r, unsigned can) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct reply_rule rules[REPLY_RULES_MAX];
    size_t n = can & CAN_RULE ? reply_rules(cli, r, &arena, rules) : 0;
    jwrite_key(w, "rules");
    jwrite_array(w);
    for (size_t i = 0; i < n; i++) {
        jwrite_object(w);
        jwrite_kstr(w, "rule", rules[i].rule);
        jwrite_kstr(w, "where", rules[i].where);
        jwrite_object_end(w);
    }
    jwrite_array_end(w);
}

static void put_modes(struct jwrite *w, enum cli cli, const struct request *r, unsigned can) {
    const char *modes[REPLY_MODES_MAX];
    size_t n = can & CAN_MODE ? reply_modes(cli, r, modes) : 0;
    jwrite_key(w, "modes");
    jwrite_array(w);
    for (size_t i = 0; i < n; i++)
        jwrite_cstr(w, modes[i]);
    jwrite_array_end(w);
}

static void put_answer(struct jwrite *w, const struct answer *a) {
    jwrite_key(w, "answer");
    if (!a->decision) {
        jwrite_null(w);
        return;
    }
    jwrite_object(w);
    jwrite_kcstr(w, "decision", decision_to_str(a->decision));
    jwrite_ki64(w, "at", a->at_ms);
    jwrite_kcstr(w, "by", a->by);
    jwrite_object_end(w);
}

struct whose {
    const char *session, *session_id, *title, *project;
    enum cli cli;
};

/* What open and ended ones have in common. */
static void put_words(struct jwrite *w, const struct whose *whose, const struct request *r) {
    char digest[APPROVAL_DIGEST_BYTES];
    approval_digest(r, digest);
    jwrite_kcstr(w, "id", r->id);
    jwrite_kcstr(w, "sessionId", whose->session_id);
    jwrite_kcstr(w, "session", whose->session);
    jwrite_kcstr(w, "title", whose->title);
    jwrite_kcstr(w, "project", whose->project);
    jwrite_kcstr(w, "cli", cli_to_str(whose->cli));
    jwrite_kcstr(w, "kind", attention_kind_to_str(r->kind));
    jwrite_kcstr(w, "tool", r->tool);
    jwrite_kcstr(w, "agent", r->agent);
    jwrite_kcstr(w, "text", str_or_empty(r->text));
    jwrite_kcstr(w, "detail", r->detail);
    jwrite_kcstr(w, "form", text_form_to_str(r->form));
    jwrite_kbool(w, "certain", r->certain);
    jwrite_kcstr(w, "digest", digest);
    jwrite_kcstr(w, "same", digest);
    jwrite_ki64(w, "askedAt", r->since_ms);
}

void approval_json_open(struct jwrite *w, const struct worker *of, const struct request *r,
                        const struct approval_way *way) {
    const struct session *s = of->session;
    enum cli cli = of->conversation.cli;
    const struct whose whose = {s->id, session_wire_id(s), s->title, s->project_name, cli};
    jwrite_object(w);
    put_words(w, &whose, r);
    jwrite_key(w, "input");
    if (r->input)
        jwrite_raw(w, span_str(r->input));
    else
        jwrite_null(w);
    put_questions(w, r, true);
    put_can(w, way->can);
    jwrite_kcstr(w, "why", way->why);
    jwrite_kcstr(w, "via", way->via);
    put_rules(w, cli, r, way->can);
    put_modes(w, cli, r, way->can);
    jwrite_kcstr(w, "state", request_end_to_str(REQUEST_END_OPEN));
    put_answer(w, &r->answer);
    jwrite_kcstr(w, "note", r->note);
    jwrite_knull(w, "endedAt");
    jwrite_knull(w, "by");
    jwrite_object_end(w);
}

void approval_json_ended(struct jwrite *w, const struct ended_request *e) {
    const struct whose whose = {e->session, e->session_id, e->title, e->project, e->cli};
    static const struct answer none = {0};
    jwrite_object(w);
    put_words(w, &whose, &e->request);
    jwrite_knull(w, "input");
    put_questions(w, &e->request, false);
    put_can(w, 0);
    jwrite_knull(w, "why");
    jwrite_knull(w, "via");
    put_rules(w, e->cli, &e->request, 0);
    put_modes(w, e->cli, &e->request, 0);
    jwrite_kcstr(w, "state", request_end_to_str(e->end));
    put_answer(w, &none);
    jwrite_knull(w, "note");
    jwrite_ki64(w, "endedAt", e->ended_ms);
    jwrite_kcstr(w, "by", e->by);
    jwrite_object_end(w);
}
