#include "core/reply.h"

#include "base/cleanup.h"
#include "core/hold_line.h"
#include "test.h"

#include <errno.h>

#define ALLOWED(more)                                                                                            \
    "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"allow\"" more \
    "}}}"
#define DENIED(more)                                                                                            \
    "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"deny\"" more \
    "}}}"

static char bash
    [] = "Bash",
    command
        [] = "{\"command\":\"npm test\"}",
 ask[] = "AskUserQuestion", plan_tool[] = "ExitPlanMode", plan_input[] = "{\"plan\":\"# P\"}",
 questions[] =
     "{\"questions\":[{\"question\":\"Which?\"},{\"question\":\"What \\\"else\\\"?\"}],\"answers\":{\"old\":\"x\"}}";

static const struct request approval = {
    .kind = ATTENTION_APPROVAL, .certain = true, .tool = bash, .input = command};
static const struct request question = {
    .kind = ATTENTION_QUESTION, .certain = true, .tool = ask, .input = questions};
static const struct request plan = {
    .kind = ATTENTION_PLAN, .certain = true, .tool = plan_tool, .input = plan_input};

/* What is printed for the wish; without `expected` it must be refused. */
static void check(enum cli cli, const struct request *r, struct reply_wish wish, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(REPLY_BYTES_MAX);
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    struct err err = {0};
    int failed = reply_write(&out, cli, r, &wish, &arena, &err);
    CHECK_INT(failed, expected ? 0 : -EINVAL);
    if (expected) CHECK_SPAN(buf_span(&out), expected);
}

TEST(approvals_of_claude) {
    check(CLI_CLAUDE, &approval, (struct reply_wish){.decision = DECISION_ALLOW}, ALLOWED(""));
    check(CLI_CLAUDE, &approval, (struct reply_wish){.decision = DECISION_DENY},
          DENIED(",\"message\":\"The user said no.\""));
    check(CLI_CLAUDE, &approval,
          (struct reply_wish){.decision = DECISION_DENY, .message = SPAN("n\"o"), .stop = true},
          DENIED(",\"message\":\"n\\\"o\",\"interrupt\":true"));
    check(CLI_CLAUDE, &approval,
          (struct reply_wish){.decision = DECISION_ALLOW, .input = SPAN("{\"command\":\"ls\"}")},
          ALLOWED(",\"updatedInput\":{\"command\":\"ls\"}"));
    check(
        CLI_CLAUDE, &approval,
        (struct reply_wish){
            .decision = DECISION_ALWAYS, .rule_count = 1, .rules = {{SPAN("Bash(npm:*)"), SPAN("session")}}},
        ALLOWED(
            ",\"updatedPermissions\":[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"npm:*\"}],"
            "\"behavior\":\"allow\",\"destination\":\"session\"}]"));
}

TEST(questions_take_an_answer_each) {
    check(
        CLI_CLAUDE, &question,
        (struct reply_wish){.decision = DECISION_ALLOW,
                            .answers = SPAN("{\"Which?\":[\"a\",\"b, c\"],\"What \\\"else\\\"?\":\"own\"}")},
        ALLOWED(
            ",\"updatedInput\":{\"questions\":[{\"question\":\"Which?\"},{\"question\":\"What \\\"else\\\"?\"}],"
            "\"answers\":{\"Which?\":\"a, b, c\",\"What \\\"else\\\"?\":\"own\"}}"));
    static const char *const bad[] = {"{}",
                                      "{\"Which?\":\"a\"}",
                                      "{\"Which?\":\"a\",\"Which?\":\"b\"}",
                                      "{\"Which?\":\"a\",\"What \\\"else\\\"?\":\"\"}",
                                      "{\"Which?\":\"a\",\"What \\\"else\\\"?\":[]}",
                                      "{\"Which?\":\"a\",\"What \\\"else\\\"?\":{}}",
                                      "{\"Which?\":\"a\",\"What \\\"else\\\"?\":\"b\",\"More?\":\"c\"}"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        check(CLI_CLAUDE, &question,
              (struct reply_wish){.decision = DECISION_ALLOW, .answers = span_str(bad[i])}, NULL);
    check(CLI_CLAUDE, &question, (struct reply_wish){.decision = DECISION_ALLOW}, NULL);
    check(CLI_OPENCODE, &question,
          (struct reply_wish){.decision = DECISION_ALLOW,
                              .answers = SPAN("{\"What \\\"else\\\"?\":\"b\",\"Which?\":[\"a\",\"c\"]}")},
          "{\"answers\":[[\"a\",\"c\"],[\"b\"]]}");
    check(CLI_OPENCODE, &question, (struct reply_wish){.decision = DECISION_DENY}, "{\"reject\":true}");
}

TEST(plans_go_on_in_a_mode) {
    check(CLI_CLAUDE, &plan, (struct reply_wish){.decision = DECISION_ALLOW},
          ALLOWED(",\"updatedInput\":{\"plan\":\"# P\"}"));
    check(
        CLI_CLAUDE, &plan, (struct reply_wish){.decision = DECISION_ALLOW, .mode = SPAN("auto")},
        ALLOWED(
            ",\"updatedInput\":{\"plan\":\"# P\"},\"updatedPermissions\":[{\"type\":\"setMode\",\"mode\":\"auto\","
            "\"destination\":\"session\"}]"));
    check(CLI_CLAUDE, &plan,
          (struct reply_wish){.decision = DECISION_ALLOW, .mode = SPAN("bypassPermissions")}, NULL);
    check(CLI_CLAUDE, &plan, (struct reply_wish){.decision = DECISION_DENY, .mode = SPAN("auto")}, NULL);
}

TEST(what_does_not_go_together_is_refused) {
    check(CLI_CLAUDE, &approval, (struct reply_wish){.decision = DECISION_ALLOW, .message = SPAN("x")}, NULL);
    check(CLI_CLAUDE, &approval, (struct reply_wish){.decision = DECISION_ALLOW, .stop = true}, NULL);
    check(CLI_CLAUDE, &approval, (struct reply_wish){.decision = DECISION_DENY, .input = SPAN("{}")}, NULL);
    check(CLI_CLAUDE, &approval,
          (struct reply_wish){.decision = DECISION_ALLOW, .answers = SPAN("{\"a\":\"b\"}")}, NULL);
    check(CLI_CLAUDE, &approval, (struct reply_wish){.decision = DECISION_ALWAYS}, NULL);
    static const char *const bad[] = {"Bash(",      "Bash()",    "(x)",  "Ba sh(x)",
                                      "Bash(a\nb)", "Bash(x) y", "B\x7f"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        check(CLI_CLAUDE, &approval,
              (struct reply_wish){.decision = DECISION_ALWAYS,
                                  .rule_count = 1,
                                  .rules = {{span_str(bad[i]), SPAN("session")}}},
              NULL);
}

TEST(what_each_can_take) {
    struct request guess = approval, bare = question;
    guess.certain = false;
    bare.input = NULL;
    CHECK_INT(reply_can(CLI_CLAUDE, &guess), 0);
    CHECK_INT(reply_can(CLI_CLAUDE, &bare), CAN_DENY | CAN_MESSAGE | CAN_STOP);
    CHECK_INT(reply_can(CLI_CODEX, &approval), CAN_ALLOW | CAN_DENY | CAN_MESSAGE);
    CHECK_INT(reply_can(CLI_CODEX, &question), 0);
    CHECK_INT(reply_can(CLI_GEMINI, &approval), 0);
}

static void check_rules(const char *input, const char *expected) {
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 20);
    AUTO(free) char *text = strdup(input);
    struct request r = approval;
    struct reply_rule rules[REPLY_RULES_MAX];
    AUTO(buf) struct buf out = BUF_INIT(4096);
    r.input = text;
    size_t n = reply_rules(CLI_CLAUDE, &r, &arena, rules);
    for (size_t i = 0; i < n; i++)
        (void)buf_printf(&out, "%s%.*s", i ? " | " : "", SPAN_ARG(rules[i].rule));
    CHECK_SPAN(buf_span(&out), expected);
}

TEST(each_part_of_a_command_has_its_rule) {
    check_rules("{\"command\":\"npm test\"}", "Bash(npm test:*)");
    check_rules("{\"command\":\"make -j4\"}", "Bash(make:*)");
    check_rules("{\"command\":\"cd web && npm test | tee log; cd ..\"}",
                "Bash(cd:*) | Bash(npm test:*) | Bash(tee:*)");
    check_rules("{\"command\":\"$(curl x) y\"}", "");
}

TEST(the_line_of_a_hook_that_waits) {
    char key[HOLD_KEY_BYTES];
    enum cli cli;
    CHECK(hold_line_parse(SPAN("hold 1 12-ab codex"), key, &cli) && cli == CLI_CODEX);
    CHECK_STR(key, "12-ab");
    static const char *const bad[] = {"",         "hold",           "hold 1",          "hold 2 k claude",
                                      "hold 1 k", "hold 1  claude", "hold 1 k nobody", "take"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!hold_line_parse(span_str(bad[i]), key, &cli));
    CHECK(!hold_line_parse(span_of("hold 1 a\0b claude", 17), key, &cli));
}

TESTS(RUN(approvals_of_claude), RUN(questions_take_an_answer_each), RUN(plans_go_on_in_a_mode),
      RUN(what_does_not_go_together_is_refused), RUN(what_each_can_take),
      RUN(each_part_of_a_command_has_its_rule), RUN(the_line_of_a_hook_that_waits))
