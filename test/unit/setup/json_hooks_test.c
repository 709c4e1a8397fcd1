/* Settings files as people have them, of Claude Code and of Gemini CLI. */
#include "base/jedit.h"
#include "fixture.h"
#include "setup/json_hooks.h"

#include <errno.h>
#include <jansson.h>

static const char *const claude_files[] = {
    /* what the CLI itself writes */
    "{\n  \"model\": \"opus\",\n  \"feedbackSurveyState\": {\n    \"lastShownTime\": 1754082345000\n  }\n}\n",
    /* without a final newline */
    "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(git *)\",\n      \"Read(~/x/**)\"\n    ],\n    \"deny\": []\n  }\n}",
    /* four blanks, another tool's hooks on the same events, with matchers */
    "{\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\n                \"matcher\": \"Bash\",\n                \"hooks\": [\n                    {\n                        \"type\": \"command\",\n                        \"command\": \"~/bin/guard.sh\"\n                    }\n                ]\n            }\n        ],\n        \"Stop\": [\n            {\n                \"hooks\": [\n                    { \"type\": \"command\", \"command\": \"afplay /System/Library/Sounds/Glass.aiff\", \"timeout\": 3 }\n                ]\n            }\n        ]\n    },\n    \"statusLine\": { \"type\": \"command\", \"command\": \"~/.claude/statusline.sh\" }\n}\n",
    /* tabs */
    "{\n\t\"env\": {\n\t\t\"ANTHROPIC_BASE_URL\": \"http://localhost:4000\"\n\t},\n\t\"hooks\": {\n\t\t\"Notification\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"notify-send claude\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n",
    /* minified by some program */
    "{\"model\":\"sonnet\",\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]},\"cleanupPeriodDays\":90}",
    /* Windows' line ends */
    "{\r\n  \"theme\": \"dark\",\r\n  \"hooks\": {\r\n    \"SessionStart\": [\r\n      {\r\n        \"matcher\": \"startup\",\r\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"echo hi\" }]\r\n      }\r\n    ]\r\n  }\r\n}\r\n",
    /* comments of a person who edits it by hand */
    "// my settings\n{\n  \"model\": \"opus\", // the good one\n  /* hooks of other tools\n     are below */\n  \"hooks\": {\n    \"Stop\": [\n      // rings\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"tput bel\" } ] } // last\n    ]\n  } // end of hooks\n}\n",
    /* an empty object of hooks, and empty lists */
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"TeammateIdle\": []\n  }\n}\n",
    /* nothing but an object */
    "{}",
    "{}\n",
    "{\n}\n",
    /* blank files */
    "",
    "\n",
    /* the dashboard before us */
    "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"_source\": \"ai-agent-session-center\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"~/.claude/hooks/dashboard-hook.sh\",\n            \"async\": true\n          }\n        ]\n      }\n    ],\n    \"SessionEnd\": [\n      {\n        \"_source\": \"ai-agent-session-center\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"~/.claude/hooks/dashboard-hook.sh\",\n            \"async\": true\n          }\n        ]\n      }\n    ]\n  }\n}\n",
    /* names and texts outside of ASCII, a byte order mark, hooks in the middle */
    "\xef\xbb\xbf{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say fertig\"}]}]},\n  \"outputStyle\": \"erkl\xc3\xa4rend \\u263a\",\n  \"language\": \"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\"\n}\n",
    /* handlers of other kinds, and groups that are none */
    "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Edit|Write\", \"hooks\": [{\"type\": \"http\", \"url\": \"http://localhost:9/x\"}]},\n      \"not a group\",\n      {\"hooks\": \"not a list\"},\n      {}\n    ],\n    \"Weird\": 3\n  }\n}\n",
};

static const char *const gemini_files[] = {
    "{\n  \"security\": {\n    \"auth\": {\n      \"selectedType\": \"oauth-personal\"\n    }\n  }\n}",
    "{\n  \"hooksConfig\": {\n    \"enabled\": true,\n    \"disabled\": []\n  },\n  \"hooks\": {\n    \"BeforeTool\": [\n      {\n        \"matcher\": \"run_shell_command|write_file\",\n        \"sequential\": true,\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"name\": \"guard\",\n            \"command\": \"$GEMINI_PROJECT_DIR/.gemini/guard.sh\",\n            \"timeout\": 5000\n          }\n        ]\n      }\n    ]\n  }\n}\n",
    /* the older place of the switches */
    "{\n  \"hooks\": {\n    \"enabled\": true,\n    \"disabled\": [\"noisy\"],\n    \"notifications\": false\n  },\n  \"ui\": {\"theme\": \"Atom One\"}\n}\n",
    "{\n  // comments are allowed here\n  \"mcpServers\": {\n    \"fs\": { \"command\": \"npx\", \"args\": [\"-y\", \"server\"] } // files\n  }\n}\n",
    "{\r\n\t\"general\": {\r\n\t\t\"vimMode\": true\r\n\t}\r\n}",
    "{\"tools\":{\"autoAccept\":true}}\n",
    "{ \"hooks\": { \"AfterAgent\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"paplay done.ogg\" } ] } ] } }\n",
    "{\n  \"hooks\": {\n    \"SessionStart\": [ ],\n    \"AfterAgent\": [\n    ]\n  }\n}\n",
    "   \n\t\n",
};

TEST(claude_gets_its_bytes_back) {
    for (size_t i = 0; i < ARRAY_LEN(claude_files); i++)
        fixture_round_trip(claude_files[i], CLI_CLAUDE);
}

TEST(gemini_gets_its_bytes_back) {
    for (size_t i = 0; i < ARRAY_LEN(gemini_files); i++)
        fixture_round_trip(gemini_files[i], CLI_GEMINI);
}

TEST(an_entry_is_as_the_cli_wants_it) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    fixture_install(SPAN("{\n  \"model\": \"opus\"\n}\n"), true, CLI_CLAUDE, DENSITY_LOW, &past, &out);
    json_t *root = json_loadb(out.p, out.n, 0, NULL), *hooks = json_object_get(root, "hooks");
    CHECK_INT(json_object_size(hooks), 5);
    static const char *const events[] = {"SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop",
                                         "SessionEnd"};
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        json_t *group = json_array_get(json_object_get(hooks, events[i]), 0);
        json_t *handler = json_array_get(json_object_get(group, "hooks"), 0);
        CHECK(json_is_object(handler));
        CHECK_STR(json_string_value(json_object_get(handler, "type")), "command");
        /* The one that may be answered waits for a day. */
        bool asks = strcmp(events[i], "PermissionRequest") == 0;
        CHECK_STR(json_string_value(json_object_get(handler, "command")),
                  asks ? HOOK_COMMAND " --reply" : HOOK_COMMAND);
        CHECK_INT(json_integer_value(json_object_get(handler, "timeout")), asks ? 86400 : 5);
    }
    CHECK_STR(json_string_value(json_object_get(root, "model")), "opus");
    json_decref(root);
    fixture_install(SPAN("{}"), true, CLI_GEMINI, DENSITY_LOW, &past, &out);
    CHECK(strstr(out.p, "\"timeout\": 5000")); /* milliseconds */
    settings_past_fini(&past);
}

static size_t count(enum cli cli, enum config_density density) {
    return setup_event_count(&(struct event_wish){cli, density, CLI_VERSION_NEWEST});
}

TEST(densities_have_their_numbers) {
    CHECK_INT(count(CLI_CLAUDE, DENSITY_LOW), 5);
    CHECK_INT(count(CLI_GEMINI, DENSITY_LOW), 3);
    CHECK_INT(count(CLI_GEMINI, DENSITY_MEDIUM), 5);
    /* 14 and 12 of the first dashboard; 4 and 8 that came later */
    CHECK_INT(count(CLI_CLAUDE, DENSITY_MEDIUM), 12 + 4);
    CHECK_INT(count(CLI_CLAUDE, DENSITY_HIGH), 14 + 8);
    CHECK_INT(count(CLI_GEMINI, DENSITY_HIGH), 7);
    CHECK(!setup_event_wanted(SPAN("TeammateIdle"),
                              &(struct event_wish){CLI_CLAUDE, DENSITY_MEDIUM, CLI_VERSION_NEWEST}));
    CHECK(!setup_event_wanted(SPAN("PreCompact"),
                              &(struct event_wish){CLI_CLAUDE, DENSITY_MEDIUM, CLI_VERSION_NEWEST}));
    CHECK(setup_event_wanted(SPAN("TeammateIdle"),
                             &(struct event_wish){CLI_CLAUDE, DENSITY_HIGH, CLI_VERSION_NEWEST}));
    CHECK_INT(count(CLI_CODEX, DENSITY_LOW), 5);
}

/* A path that moved is changed where it stands; what a person added to our entry stays. */
TEST(an_old_path_is_renewed_in_place) {
    static const char text[] =
        "{\"hooks\": {\"Stop\": [{\"matcher\": \"\", \"hooks\": [{\"type\": \"command\", \"command\": "
        "\"'/old place/ostler-hook' --cli claude\", \"timeout\": 5, \"statusMessage\": \"mine\"}]}, "
        "{\"hooks\": [{\"command\": \"other\"}]}]}}";
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    fixture_install(span_str(text), true, CLI_CLAUDE, DENSITY_LOW, &past, &out);
    CHECK(strstr(out.p, "\"command\": \"" HOOK_COMMAND
                        "\", \"timeout\": 5, \"statusMessage\": \"mine\"}]}, {\"hooks\": "
                        "[{\"command\": \"other\"}]}]"));
    CHECK(!strstr(out.p, "/old place/"));
    settings_past_fini(&past);
}

TEST(a_second_one_of_ours_goes) {
    static const char text[] =
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"/a/ostler-hook\"}, {\"command\": \"mine\"}, "
        "{\"command\": \"/b/ostler-hook\"}]}], \"FileChanged\": [{\"hooks\": [{\"command\": "
        "\"/c/ostler-hook\"}]}]}}";
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    fixture_install(span_str(text), true, CLI_CLAUDE, DENSITY_MEDIUM, &past, &out);
    fixture_check_found(buf_span(&out), CLI_CLAUDE, DENSITY_MEDIUM);
    CHECK(strstr(out.p, "{\"command\": \"mine\"}]}]"));
    CHECK(!strstr(out.p, "FileChanged"));
    settings_past_fini(&past);
}

TEST(others_that_came_behind_ours_stay) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf more = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    fixture_install(SPAN("{\n  \"a\": 1\n}\n"), true, CLI_CLAUDE, DENSITY_LOW, &past, &out);
    const struct jedit_step stop[] = {JEDIT_NAME("hooks"), JEDIT_NAME("Stop"), JEDIT_INDEX(1)},
                            b[] = {JEDIT_NAME("b")};
    CHECK_INT(jedit_put(buf_span(&out), stop, 3, SPAN("{\"hooks\":[{\"command\":\"mine\"}]}"), &more, NULL),
              0);
    buf_clear(&out);
    CHECK_INT(jedit_put(buf_span(&more), b, 1, SPAN("2"), &out, NULL), 0);
    fixture_install(buf_span(&out), true, CLI_CLAUDE, DENSITY_LOW, &past, &more);
    CHECK_STR(more.p, out.p); /* nothing moves */
    bool deletes;
    buf_clear(&out);
    CHECK_INT(settings_remove(buf_span(&more), CLI_CLAUDE, &past, &out, &deletes, NULL), 0);
    CHECK_STR(
        out.p,
        "{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"command\": \"mine\"\n          }\n        ]\n      }\n    ]\n  },\n  \"b\": 2\n}\n");
    settings_past_fini(&past);
}

TEST(what_is_no_settings_file_is_refused) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"{\n  \"a\": 1,\n}", "line 3, column 1: there is a comma before this bracket"},
        {"model = \"x\"", "line 1, column 1: this is no value of JSON"},
        {"[]", "line 1, column 1: there is something else where an object is needed"},
        {"{\"hooks\": []}", "line 1, column 11: there is something else where an object is needed"},
        {"{\"hooks\": {\"Stop\": {}}}", "line 1, column 20: there is something else where a list is needed"},
        {"null", "line 1, column 1: there is something else where an object is needed"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        AUTO(buf) struct buf out = BUF_INIT(1 << 20);
        struct settings_past past = {0};
        struct err err = {0};
        struct settings_wish wish = fixture_wish(CLI_CLAUDE, DENSITY_LOW);
        CHECK_INT(settings_install(span_str(cases[i].text), true, &wish, &past, &out, &err), -EINVAL);
        CHECK_STR(err.msg, cases[i].sentence);
        settings_past_fini(&past);
    }
}

TEST(a_file_of_ours_alone_goes_altogether) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf back = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    bool deletes;
    fixture_install(SPAN_NONE, false, CLI_CLAUDE, DENSITY_MEDIUM, &past, &out);
    CHECK_INT(settings_remove(buf_span(&out), CLI_CLAUDE, &past, &back, &deletes, NULL), 0);
    CHECK(deletes);
    settings_past_fini(&past);
}

TESTS(RUN(claude_gets_its_bytes_back), RUN(gemini_gets_its_bytes_back), RUN(an_entry_is_as_the_cli_wants_it),
      RUN(densities_have_their_numbers), RUN(an_old_path_is_renewed_in_place), RUN(a_second_one_of_ours_goes),
      RUN(others_that_came_behind_ours_stay), RUN(what_is_no_settings_file_is_refused),
      RUN(a_file_of_ours_alone_goes_altogether))
