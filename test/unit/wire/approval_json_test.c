#include "wire/approval_json.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "test.h"

static char tool[] = "Bash", text[] = "Run make", detail[] = "make", other[] = "make x",
            input[] = "{\"command\":\"make\"}", padded[] = "{\"command\": \"make\"}";

static struct request some(void) {
    return (struct request){.id = "r1",
                            .kind = ATTENTION_APPROVAL,
                            .form = TEXT_FORM_COMMAND,
                            .tool = tool,
                            .text = text,
                            .detail = detail,
                            .input = input,
                            .certain = true};
}

static bool is_same(const struct request *a, const struct request *b) {
    char x[APPROVAL_DIGEST_BYTES], y[APPROVAL_DIGEST_BYTES];
    approval_digest(a, x);
    approval_digest(b, y);
    CHECK_INT(strlen(x), APPROVAL_DIGEST_BYTES - 1);
    return strcmp(x, y) == 0;
}

TEST(another_text_has_another_digest) {
    const struct request r = some();
    struct request same = some();
    memcpy(same.id, "r2", 3);
    same.since_ms = 7;
    CHECK(is_same(&r, &same)); /* the same question of somebody else */
    struct request changed[6] = {some(), some(), some(), some(), some(), some()};
    changed[0].detail = other;
    changed[1].tool = NULL;
    changed[2].input = padded;
    changed[3].kind = ATTENTION_PLAN;
    changed[4].form = TEXT_FORM_TEXT;
    changed[5].text = detail; /* the same letters, parted elsewhere, are not the same */
    changed[5].detail = text;
    for (size_t i = 0; i < ARRAY_LEN(changed); i++)
        CHECK(!is_same(&r, &changed[i]));
}

static void check_members(struct span json, bool open) {
    static const char *const names[] = {"id",    "sessionId", "session", "title",  "project", "cli",
                                        "kind",  "tool",      "agent",   "text",   "detail",  "form",
                                        "input", "questions", "can",     "why",    "via",     "rules",
                                        "modes", "digest",    "same",    "state",  "answer",  "note",
                                        "by",    "certain",   "askedAt", "endedAt"};
    CHECK_INT(jvalid(json, 16), 0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct jmember m = {.name = span_str(names[i])};
        if (jscan_object(json, &m, 1) != 1)
            fail_msg("%s has no %s", open ? "an open one" : "an ended one", names[i]);
    }
}

TEST(an_ended_one_has_the_members_of_an_open_one) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 16);
    struct jwrite w = JWRITE_INIT(&out);
    struct ended_request e = {.request = some(), .end = REQUEST_END_DESK, .ended_ms = 9};
    approval_json_ended(&w, &e);
    check_members(buf_span(&out), false);
    buf_clear(&out);
    struct session s = {.id = "s1"};
    struct worker of = {.session = &s, .conversation = {.cli = CLI_CLAUDE}};
    struct request r = some();
    struct approval_way way = {.can = CAN_ALLOW | CAN_RULE, .via = "hook"};
    w = JWRITE_INIT(&out);
    list_init(&s.workers);
    list_append(&s.workers, &of.in_session);
    s.primary = &of;
    approval_json_open(&w, &of, &r, &way);
    check_members(buf_span(&out), true);
    CHECK(span_icontains(buf_span(&out), SPAN("\"can\":[\"allow\",\"rule\"]")));
    CHECK(span_icontains(buf_span(&out),
                         SPAN("\"rules\":[{\"rule\":\"Bash(make:*)\",\"where\":\"localSettings\"}]")));
}

TESTS(RUN(another_text_has_another_digest), RUN(an_ended_one_has_the_members_of_an_open_one))
