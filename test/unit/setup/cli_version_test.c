/* Versions, and what each of them may be told. */
#include "core/event.h"
#include "fixture.h"
#include "setup/cli_version.h"

static struct cli_version version(const char *text) {
    struct cli_version v = {0};
    if (!cli_version_parse(span_str(text), &v)) fail_msg("%s is no version", text);
    return v;
}

TEST(versions_are_read) {
    struct cli_version v;
    static const char *const wrong[] = {"",       "2",       "2.1",   "2.1.",           "v2.1.3",
                                        "2.1.3 ", "2.1.3.4", "0.0.0", "1.2.1234567890", "2.-1.3",
                                        "latest", ".1.2"};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (cli_version_parse(span_str(wrong[i]), &v)) fail_msg("%s", wrong[i]);
    v = version("2.1.325");
    CHECK(v.major == 2 && v.minor == 1 && v.patch == 325 && !v.early);
    CHECK(version("0.62.0-nightly.20261101").early);

    CHECK(cli_version_find(SPAN("2.1.85 (Claude Code)\n"), &v) && v.patch == 85);
    CHECK(cli_version_find(SPAN("codex-cli 0.166.0\n"), &v) && v.minor == 166);
    CHECK(cli_version_find(SPAN("warning: 3 of 10.2\nGitHub Copilot CLI 1.0.102."), &v) && v.patch == 102);
    CHECK(!cli_version_find(SPAN("command not found"), &v));
    CHECK(!cli_version_find(SPAN("at 10.2"), &v));
}

TEST(versions_have_an_order) {
    static const char *const order[] = {"0.166.0", "1.0.38", "1.0.128", "2.0.9",        "2.0.10",
                                        "2.1.0",   "2.1.85", "2.1.101", "2.1.101-rc.1", "2.1.325"};
    CHECK(cli_version_compare(version("2.1.101-rc.1"), version("2.1.101")) < 0);
    CHECK(cli_version_compare(version("2.1.101-rc.1"), version("2.1.100")) > 0);
    CHECK_INT(cli_version_compare(version("2.1.85"), version("2.1.85")), 0);
    for (size_t i = 0; i + 3 < ARRAY_LEN(order); i++) {
        CHECK(cli_version_compare(version(order[i]), version(order[i + 1])) < 0);
        CHECK(cli_version_compare(version(order[i + 1]), version(order[i])) > 0);
    }
    CHECK(cli_version_compare((struct cli_version){0}, version("0.0.1")) < 0);
    CHECK(cli_version_compare(CLI_VERSION_NEWEST, version("999999.0.0")) > 0);
}

static bool knows(const char *v, const char *event) {
    return cli_version_knows(version(v), CLI_CLAUDE, event);
}

TEST(old_ones_are_told_what_they_know) {
    CHECK(knows("2.1.85", "TaskCreated") && !knows("2.1.85", "PermissionDenied"));
    CHECK(!knows("2.1.85", "PostModelSwitch"));
    CHECK(knows("2.1.88", "PermissionDenied") && !knows("2.1.87", "PermissionDenied"));
    CHECK(!knows("2.1.88-beta.1", "PermissionDenied"));
    CHECK(knows("2.1.251", "PostModelSwitch") && !knows("2.1.250", "PostModelSwitch"));
    CHECK(knows("1.0.62", "SessionStart") && !knows("1.0.61", "SessionStart"));
    CHECK(knows("1.0.38", "Stop") && !knows("1.0.37", "Stop"));
    CHECK(!knows("2.1.325", "Bogus"));
    /* The others pass over what they do not know. */
    CHECK(cli_version_knows(version("0.116.0"), CLI_CODEX, "Interrupt"));
    CHECK(cli_version_knows((struct cli_version){0}, CLI_GEMINI, "BeforeTool"));
}

TEST(an_unknown_one_is_told_what_all_know) {
    const struct event_wish wish = {.cli = CLI_CLAUDE, .density = DENSITY_HIGH};
    static const char *const all[] = {"PreToolUse", "PostToolUse", "Stop", "Notification"};
    const struct event_kind *k = NULL;
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        k = setup_event_next(k, &wish);
        CHECK_STR(k->name, all[i]);
    }
    CHECK(!setup_event_next(k, &wish));
}

TEST(no_event_of_ours_is_untried) {
    for (const struct event_kind *k = NULL; (k = event_kind_next(k, CLI_CLAUDE));)
        if (!cli_version_knows(CLI_VERSION_NEWEST, CLI_CLAUDE, k->name)) fail_msg("%s", k->name);
}

TEST(strictness_ended_once) {
    CHECK(cli_version_is_strict(version("2.1.100"), CLI_CLAUDE));
    CHECK(!cli_version_is_strict(version("2.1.101"), CLI_CLAUDE));
    CHECK(cli_version_is_strict((struct cli_version){0}, CLI_CLAUDE));
    CHECK(!cli_version_is_strict((struct cli_version){0}, CLI_CODEX));
}

/* What was registered for a newer one goes; what is others' stays. */
TEST(a_downgrade_takes_events_out) {
    static const char others[] =
        "{\n  \"hooks\": {\n    \"PermissionDenied\": [\n      {\n        \"hooks\": "
        "[]\n      }\n    ]\n  }\n}\n";
    AUTO(buf) struct buf now = BUF_INIT(1 << 20);
    AUTO(buf) struct buf then = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    struct settings_wish wish = fixture_wish(CLI_CLAUDE, DENSITY_HIGH);
    bool deletes;
    fixture_install(span_str(others), true, CLI_CLAUDE, DENSITY_HIGH, &past, &then);
    wish.events.version = version("2.1.85");
    CHECK_INT(settings_install(buf_span(&then), true, &wish, &past, &now, NULL), 0);
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    CHECK_INT(settings_find(buf_span(&now), CLI_CLAUDE, "", &found, NULL), 0);
    CHECK_INT(found.n, setup_event_count(&wish.events));
    CHECK(!setup_found_has(&found, SPAN("PermissionDenied")));
    CHECK(!setup_found_has(&found, SPAN("PostModelSwitch")));
    CHECK(strstr(now.p, "PermissionDenied") && !strstr(now.p, "PostModelSwitch"));
    buf_clear(&then);
    CHECK_INT(settings_remove(buf_span(&now), CLI_CLAUDE, &past, &then, &deletes, NULL), 0);
    CHECK_STR(then.p, others);
    settings_past_fini(&past);
}

TESTS(RUN(versions_are_read), RUN(versions_have_an_order), RUN(old_ones_are_told_what_they_know),
      RUN(an_unknown_one_is_told_what_all_know), RUN(no_event_of_ours_is_untried), RUN(strictness_ended_once),
      RUN(a_downgrade_takes_events_out))
