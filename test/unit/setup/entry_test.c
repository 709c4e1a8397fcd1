#include "base/cleanup.h"
#include "setup/entry.h"
#include "setup/own_file.h"
#include "setup/place.h"
#include "test.h"

#include <errno.h>

static void check_command(const struct entry_command *c, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(4096);
    entry_command(&out, c);
    CHECK_STR(out.p, expected);
    AUTO(buf) struct buf path = BUF_INIT(4096);
    if (!span_ends(span_str(c->hook), SPAN("/ostler-hook"))) return;
    CHECK(entry_is_ours(buf_span(&out), &path));
    CHECK_STR(path.p, c->hook);
}

TEST(a_command_is_for_a_shell) {
    check_command(&(struct entry_command){.hook = "/usr/bin/ostler-hook", .cli = CLI_CLAUDE},
                  "/usr/bin/ostler-hook --cli claude");
    check_command(&(struct entry_command){.hook = "/a b/it's/ostler-hook", .cli = CLI_CODEX, .hosted = true},
                  "'/a b/it'\\''s/ostler-hook' --cli codex --hosted");
    check_command(&(struct entry_command){.hook = "/x/ostler-hook", .cli = CLI_GEMINI},
                  "/x/ostler-hook --cli gemini 2>/dev/null || true");
    check_command(&(struct entry_command){.hook = "/x/ostler-hook", .cli = CLI_OPENCODE, .home = "/o h"},
                  "OSTLER_HOME='/o h' /x/ostler-hook --cli opencode");
}

TEST(ours_are_known_by_their_program) {
    static const char *const ours[] = {"/a/ostler-hook",           "  '/a/ostler-hook' --cli x",
                                       "\"/a b/ostler-hook\"",     "A=1 B='x y' /ostler-hook",
                                       "/a\\ b/ostler-hook --cli", "ostler-hook --cli claude"};
    static const char *const others[] = {"",
                                         "ostler-hook2",
                                         "/a/ostler-hook.sh",
                                         "/a/my-ostler-hook2",
                                         "echo /a/ostler-hook",
                                         "/a/ostler-hooks",
                                         "'/a/ostler-hook x'",
                                         "A=/b/ostler-hook"};
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        if (!entry_is_ours(span_str(ours[i]), NULL)) fail_msg("%s", ours[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (entry_is_ours(span_str(others[i]), NULL)) fail_msg("%s", others[i]);
}

TEST(codex_hashes_are_its_own) {
    char hash[DIGEST_SHA256_HEX];
    entry_codex_hash("Stop", SPAN("/tmp/codex-hook-probe/hook.sh"), 600, hash);
    CHECK_STR(hash, "1f82e2f79ad43ede047010d5f31328ed0787935478340593c5589f7dfc8f5844");
    AUTO(buf) struct buf name = BUF_INIT(64);
    entry_codex_event(&name, "PreToolUse");
    CHECK_STR(name.p, "pre_tool_use");
}

TEST(a_path_holds_or_does_not) {
    static const char *const stable[] = {"/usr/bin/ostler-hook", "/usr/local/bin/ostler-hook",
                                         "/home/u/.local/bin/ostler-hook", "/opt/ostler/libexec/ostler-hook"};
    static const char *const passing[] = {"/home/u/src/ostler/build/ostler-hook",
                                          "/opt/ostler-0.1.0/bin/ostler-hook",
                                          "/home/linuxbrew/Cellar/ostler/1.2/bin/ostler-hook",
                                          "/tmp/x/bin/ostler-hook",
                                          "/nix/store/abc-ostler/bin/ostler-hook",
                                          ""};
    for (size_t i = 0; i < ARRAY_LEN(stable); i++)
        if (!setup_place_is_stable(stable[i])) fail_msg("%s", stable[i]);
    for (size_t i = 0; i < ARRAY_LEN(passing); i++)
        if (setup_place_is_stable(passing[i])) fail_msg("%s", passing[i]);
}

static void check_own(enum cli cli, enum config_density density) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    enum config_density seen;
    own_file_write(&(struct event_wish){.cli = cli, .density = density},
                   SPAN("/usr/bin/ostler-hook --cli \"x\""), &out);
    CHECK(!out.failed);
    CHECK_INT(own_file_find(cli, buf_span(&out), &found, NULL), 0);
    CHECK(setup_found_density(&found, cli, (struct cli_version){0}, &seen) && seen == density);
    CHECK_SPAN(buf_span(&found.command), "/usr/bin/ostler-hook --cli \"x\"");
}

TEST(files_of_our_own_are_read_back) {
    static const enum config_density all[] = {DENSITY_HIGH, DENSITY_MEDIUM, DENSITY_LOW};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        check_own(CLI_COPILOT, all[i]);
        check_own(CLI_OPENCODE, all[i]);
    }
    struct err err = {0};
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    CHECK_INT(own_file_find(CLI_OPENCODE, SPAN("export const Mine = 1\n"), &found, &err), -EINVAL);
    CHECK_INT(own_file_find(CLI_COPILOT, SPAN("{"), &found, &err), -EINVAL);
}

TEST(copilot_is_never_in_its_own_way) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    own_file_write(&(struct event_wish){.cli = CLI_COPILOT, .density = DENSITY_HIGH},
                   SPAN("/usr/bin/ostler-hook"), &out);
    CHECK(!strstr(out.p, "PreToolUse") && !strstr(out.p, "PermissionRequest"));
    CHECK(strstr(out.p, "\"notification\"") && strstr(out.p, "\"version\": 1"));
}

TESTS(RUN(a_command_is_for_a_shell), RUN(ours_are_known_by_their_program), RUN(codex_hashes_are_its_own),
      RUN(a_path_holds_or_does_not), RUN(files_of_our_own_are_read_back),
      RUN(copilot_is_never_in_its_own_way))
