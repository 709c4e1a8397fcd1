#include "base/cleanup.h"
#include "setup/permission_rules.h"
#include "test.h"

#include <errno.h>

static void check_round(const char *text, const char *rule, const char *with) {
    AUTO(buf) struct buf added = BUF_INIT(1 << 20);
    AUTO(buf) struct buf taken = BUF_INIT(1 << 20);
    struct err err = {0};
    CHECK(!permission_rules_has(span_str(text), span_str(rule)));
    CHECK_INT(permission_rules_change(span_str(text), span_str(rule), true, &added, &err), 0);
    CHECK_STR(added.p, with);
    CHECK(permission_rules_has(buf_span(&added), span_str(rule)));
    CHECK_INT(permission_rules_change(buf_span(&added), span_str(rule), false, &taken, &err), 0);
    CHECK(!permission_rules_has(buf_span(&taken), span_str(rule)));
}

TEST(a_rule_goes_behind_the_others) {
    check_round(
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Read\"\n    ]\n  }\n}\n", "Bash(npm test:*)",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Read\",\n      \"Bash(npm test:*)\"\n    ]\n  }\n}\n");
    check_round("{\"permissions\":{\"deny\":[\"WebFetch\"],\"allow\":[]}}", "Read",
                "{\"permissions\":{\"deny\":[\"WebFetch\"],\"allow\":[\"Read\"]}}");
}

TEST(what_is_missing_is_made) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    struct err err = {0};
    CHECK_INT(permission_rules_change(SPAN(""), SPAN("Edit(/**)"), true, &out, &err), 0);
    CHECK(permission_rules_has(buf_span(&out), SPAN("Edit(/**)")));
}

TEST(a_rule_is_found_however_it_is_written) {
    CHECK(permission_rules_has(SPAN("{\"permissions\":{\"allow\":[\"\\u0052ead\"]}}"), SPAN("Read")));
    CHECK(!permission_rules_has(SPAN("{\"permissions\":{\"deny\":[\"Read\"]}}"), SPAN("Read")));
    CHECK(!permission_rules_has(SPAN("not json"), SPAN("Read")));
    CHECK(!permission_rules_has(SPAN("{\"permissions\":{\"allow\":\"Read\"}}"), SPAN("Read")));
}

TEST(what_is_there_already_changes_nothing) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    struct err err = {0};
    struct span text = SPAN("{ \"permissions\": {\"allow\": [ \"Read\" ]} } // mine\n");
    CHECK_INT(permission_rules_change(text, SPAN("Read"), true, &out, &err), 0);
    CHECK(span_eq(buf_span(&out), text));
    buf_clear(&out);
    CHECK_INT(permission_rules_change(text, SPAN("Grep"), false, &out, &err), 0);
    CHECK(span_eq(buf_span(&out), text));
}

TEST(a_file_that_is_no_json_is_left_alone) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    struct err err = {0};
    CHECK_INT(permission_rules_change(SPAN("{\"permissions\":"), SPAN("Read"), true, &out, &err), -EINVAL);
    CHECK_INT(out.n, 0);
    CHECK(err.msg[0]);
}

TEST(rules_of_a_project_are_in_its_directory) {
    struct setup_place place = {0};
    char file[PATH_BYTES];
    CHECK_INT(permission_rules_file(&place, SPAN("localSettings"), "/p/app", file), 0);
    CHECK_STR(file, "/p/app/.claude/settings.local.json");
    CHECK_INT(permission_rules_file(&place, SPAN("projectSettings"), "/p/app", file), 0);
    CHECK_STR(file, "/p/app/.claude/settings.json");
    CHECK_INT(permission_rules_file(&place, SPAN("session"), "/p/app", file), -EINVAL);
    CHECK_INT(permission_rules_file(&place, SPAN("localSettings"), "app", file), -EINVAL);
    CHECK_INT(permission_rules_file(&place, SPAN("localSettings"), NULL, file), -EINVAL);
    CHECK_INT(permission_rules_file(&place, SPAN("userSettings"), NULL, file), -EINVAL);
}

TESTS(RUN(a_rule_goes_behind_the_others), RUN(what_is_missing_is_made),
      RUN(a_rule_is_found_however_it_is_written), RUN(what_is_there_already_changes_nothing),
      RUN(a_file_that_is_no_json_is_left_alone), RUN(rules_of_a_project_are_in_its_directory))
