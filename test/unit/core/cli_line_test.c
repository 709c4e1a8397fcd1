/* What lines of the CLIs' own records say; the lines are those of the real programs, shortened. */
#include "core/cli_line.h"

#include "test.h"

static struct arena arena = ARENA_INIT(1 << 16);

static struct cli_line read_line(enum cli cli, const char *line) {
    struct cli_line l = {.activity = ACTIVITY_N_};
    arena_reset(&arena);
    if (!cli_line_read(cli, span_str(line), &arena, &l)) l.activity = ACTIVITY_N_;
    return l;
}

#define CHECK_TEXT(span, text) CHECK(span_eq_str(span, text))

TEST(codex_tells_errors_ends_and_failed_commands) {
    struct cli_line l = read_line(
        CLI_CODEX, "{\"timestamp\":\"2026-11-17T02:24:41.686Z\",\"ordinal\":20,\"type\":\"event_msg\","
                   "\"payload\":{\"type\":\"task_complete\",\"last_agent_message\":null,"
                   "\"error\":{\"message\":\"exceeded retry limit, last status: 429\"}}}");
    CHECK_INT(l.activity, ACTIVITY_ERROR);
    CHECK_TEXT(l.text, "exceeded retry limit, last status: 429");
    CHECK_INT(l.at_ms, 1794882281686);
    l = read_line(
        CLI_CODEX,
        "{\"type\":\"event_msg\",\"payload\":{\"type\":\"task_complete\",\"last_agent_message\":\"ok\"}}");
    CHECK_INT(l.activity, ACTIVITY_N_);
    l = read_line(
        CLI_CODEX,
        "{\"type\":\"event_msg\",\"payload\":{\"type\":\"turn_aborted\",\"reason\":\"interrupted\"}}");
    CHECK_INT(l.activity, ACTIVITY_IDLE);
    l = read_line(CLI_CODEX,
                  "{\"type\":\"event_msg\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":"
                  "\"CommandExecution\",\"id\":\"call_1\",\"status\":\"failed\",\"exit_code\":3}}}");
    CHECK_INT(l.activity, ACTIVITY_FAILED);
    CHECK_TEXT(l.call, "call_1");
    CHECK_TEXT(l.text, "Exit code 3");
    l = read_line(CLI_CODEX,
                  "{\"type\":\"event_msg\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":"
                  "\"CommandExecution\",\"id\":\"call_1\",\"exit_code\":0}}}");
    CHECK_INT(l.activity, ACTIVITY_N_);
    l = read_line(CLI_CODEX, "{\"type\":\"response_item\",\"payload\":{\"type\":\"turn_aborted\"}}");
    CHECK_INT(l.activity, ACTIVITY_N_);
}

TEST(claude_tells_who_decided) {
    struct cli_line l = read_line(
        CLI_CLAUDE,
        "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"toolu_4\",\"type\":"
        "\"tool_result\",\"content\":\"ok\"}]},\"timestamp\":\"2026-11-18T10:59:56.828Z\",\"permissionDecision\":"
        "{\"decision\":\"accept\",\"source\":\"hook\"}}");
    CHECK_INT(l.activity, ACTIVITY_DECIDED);
    CHECK_TEXT(l.call, "toolu_4");
    CHECK_TEXT(l.text, "hook");
    l = read_line(
        CLI_CLAUDE,
        "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_5\"}]},"
        "\"toolDenialKind\":\"user-rejected\"}");
    CHECK_TEXT(l.call, "toolu_5");
    CHECK_TEXT(l.text, "desk");
    l = read_line(CLI_CLAUDE, "{\"type\":\"user\",\"message\":{\"content\":\"toolDenialKind\"}}");
    CHECK_INT(l.activity, ACTIVITY_N_);
}

TEST(gemini_tells_what_was_called_off_and_its_model) {
    struct cli_line l =
        read_line(CLI_GEMINI, "{\"id\":\"x\",\"type\":\"info\",\"content\":\"Request cancelled.\"}");
    CHECK_INT(l.activity, ACTIVITY_IDLE);
    l = read_line(CLI_GEMINI, "{\"id\":\"x\",\"type\":\"info\",\"content\":\"\"}");
    CHECK_INT(l.activity, ACTIVITY_N_);
    l = read_line(CLI_GEMINI, "{\"type\":\"error\",\"content\":\"[API Error: 400]\"}");
    CHECK_INT(l.activity, ACTIVITY_ERROR);
    CHECK_TEXT(l.text, "[API Error: 400]");
    l = read_line(CLI_GEMINI, "{\"type\":\"gemini\",\"content\":\"x\",\"model\":\"gemini-3-pro\"}");
    CHECK_INT(l.activity, ACTIVITY_MODEL);
    CHECK_TEXT(l.text, "gemini-3-pro");
    l = read_line(CLI_GEMINI, "{\"$set\":{\"lastUpdated\":\"2026-11-17T02:39:02.934Z\"}}");
    CHECK_INT(l.activity, ACTIVITY_N_);
}

TEST(copilot_tells_what_is_asked_and_how_it_was_answered) {
    struct cli_line l = read_line(
        CLI_COPILOT,
        "{\"type\":\"permission.requested\",\"data\":{\"requestId\":\"r1\",\"permissionRequest\":{"
        "\"kind\":\"shell\",\"fullCommandText\":\"sleep 20 && \\\"x\\\"\",\"intention\":\"run it\"}}}");
    CHECK_INT(l.activity, ACTIVITY_WAITING);
    CHECK_TEXT(l.call, "r1");
    CHECK_TEXT(l.tool, "bash");
    CHECK_TEXT(l.input, "{\"command\":\"sleep 20 && \\\"x\\\"\"}");
    l = read_line(CLI_COPILOT, "{\"type\":\"permission.requested\",\"data\":{\"requestId\":\"r2\","
                               "\"permissionRequest\":{\"kind\":\"odd\"}}}");
    CHECK_TEXT(l.text, "Permission needed: odd");
    CHECK_INT(l.tool.n, 0);
    l = read_line(
        CLI_COPILOT,
        "{\"type\":\"permission.requested\",\"data\":{\"requestId\":\"r3\",\"permissionRequest\":{"
        "\"kind\":\"mcp\",\"serverName\":\"github\",\"toolName\":\"create_issue\",\"args\":{\"title\":\"x\"}}}}");
    CHECK_TEXT(l.tool, "mcp__github__create_issue");
    CHECK_TEXT(l.input, "{\"title\":\"x\"}");
    l = read_line(CLI_COPILOT,
                  "{\"type\":\"permission.requested\",\"data\":{\"requestId\":\"r4\",\"permissionRequest\":{"
                  "\"kind\":\"hook\",\"toolName\":\"bash\",\"toolArgs\":{\"command\":\"ls\"}}}}");
    CHECK_TEXT(l.tool, "bash");
    CHECK_TEXT(l.input, "{\"command\":\"ls\"}");
    l = read_line(CLI_COPILOT,
                  "{\"type\":\"permission.requested\",\"data\":{\"requestId\":\"r5\",\"permissionRequest\":{"
                  "\"kind\":\"memory\",\"fact\":\"tabs\"}}}");
    CHECK_TEXT(l.tool, "store_memory");
    CHECK_TEXT(l.input, "{\"kind\":\"memory\",\"fact\":\"tabs\"}");
    l = read_line(CLI_COPILOT,
                  "{\"type\":\"permission.requested\",\"data\":{\"requestId\":\"r6\",\"permissionRequest\":{"
                  "\"kind\":\"read\",\"paths\":[\"/etc/hosts\"],\"requestSandboxBypass\":true}}}");
    CHECK_TEXT(l.tool, "view");
    CHECK_TEXT(l.input, "{\"paths\":[\"/etc/hosts\"],\"requestSandboxBypass\":true}");
    l = read_line(
        CLI_COPILOT,
        "{\"type\":\"permission.completed\",\"data\":{\"requestId\":\"r1\",\"result\":{\"kind\":\"approved\"}}}");
    CHECK_INT(l.activity, ACTIVITY_BUSY);
    CHECK_TEXT(l.call, "r1");
    l = read_line(
        CLI_COPILOT,
        "{\"type\":\"permission.completed\",\"data\":{\"requestId\":\"r1\",\"result\":{\"kind\":\"cancelled\"}}}");
    CHECK_INT(l.activity, ACTIVITY_IDLE);
    l = read_line(CLI_COPILOT, "{\"type\":\"abort\",\"data\":{\"reason\":\"user_initiated\"}}");
    CHECK_INT(l.activity, ACTIVITY_IDLE);
    l = read_line(CLI_COPILOT,
                  "{\"type\":\"session.error\",\"data\":{\"statusCode\":500,\"message\":\"Failed\"}}");
    CHECK_INT(l.activity, ACTIVITY_ERROR);
    CHECK_TEXT(l.text, "Failed");
    l = read_line(CLI_COPILOT, "{\"type\":\"session.model_change\",\"data\":{\"newModel\":\"m2\"}}");
    CHECK_INT(l.activity, ACTIVITY_MODEL);
    CHECK_TEXT(l.text, "m2");
    l = read_line(CLI_COPILOT,
                  "{\"type\":\"assistant.message\",\"data\":{\"content\":\"There.\",\"model\":\"m\"}}");
    CHECK_INT(l.activity, ACTIVITY_SAID);
    CHECK_TEXT(l.text, "There.");
    /* A subagent's model is not the session's. */
    l = read_line(CLI_COPILOT,
                  "{\"type\":\"session.model_change\",\"data\":{\"newModel\":\"m3\"},\"agentId\":\"s\"}");
    CHECK_INT(l.activity, ACTIVITY_N_);
}

TEST(copilot_tells_a_question) {
    struct cli_line l = read_line(
        CLI_COPILOT,
        "{\"type\":\"tool.execution_start\",\"data\":{\"toolCallId\":\"c1\",\"toolName\":\"ask_user\","
        "\"arguments\":{\"message\":\"Which?\"}}}");
    CHECK_INT(l.activity, ACTIVITY_WAITING);
    CHECK_TEXT(l.call, "c1");
    CHECK_TEXT(l.tool, "ask_user");
    CHECK_TEXT(l.input, "{\"message\":\"Which?\"}");
    l = read_line(CLI_COPILOT, "{\"type\":\"tool.execution_start\",\"data\":{\"toolCallId\":\"c2\","
                               "\"toolName\":\"bash\",\"arguments\":{}}}");
    CHECK_INT(l.activity, ACTIVITY_N_);
}

TEST(others_and_nonsense_say_nothing) {
    CHECK(!cli_line_has_any(CLI_OPENCODE) && cli_line_has_any(CLI_CODEX));
    static const char *const lines[] = {
        "", "{", "[]", "null", "{\"type\":1}", "{\"type\":\"event_msg\"}", "\"event_msg\""};
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        for (size_t i = 0; i < ARRAY_LEN(lines); i++)
            CHECK_INT(read_line(cli, lines[i]).activity, ACTIVITY_N_);
    arena_fini(&arena);
}

TESTS(RUN(codex_tells_errors_ends_and_failed_commands), RUN(claude_tells_who_decided),
      RUN(gemini_tells_what_was_called_off_and_its_model),
      RUN(copilot_tells_what_is_asked_and_how_it_was_answered), RUN(copilot_tells_a_question),
      RUN(others_and_nonsense_say_nothing))
