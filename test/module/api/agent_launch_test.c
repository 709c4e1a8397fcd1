/* How a request becomes a program, with real directories and settings files. */
#include "api/agent_launch.h"

#include "api/agent_hooks.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jscan.h"
#include "crypto/digest.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

DEFINE_CLEANUP(json, json_t *, json_decref);

struct fixture {
    struct temp_dir home;
    char hooks_dir[PATH_BYTES];
    struct setup_notes notes;
    struct agent_place place;
    struct arena arena;
    struct agent_launch launch;
    struct err err;
};

static void setup(struct fixture *f) {
    *f = (struct fixture){.home = temp_dir_make(), .arena = ARENA_INIT(1 << 20)};
    (void)path_join(f->hooks_dir, f->home.path, "hosted");
    (void)setup_notes_resolve(&f->notes, f->home.path);
    CHECK_INT(setenv("HOME", f->home.path, 1), 0);
    CHECK_INT(setenv("PATH", "/usr/bin:/bin", 1), 0);
    f->place = (struct agent_place){
        .hook = "/opt/it's/ostler-hook", .hooks_dir = f->hooks_dir, .notes = &f->notes, .home = f->home.path};
}

static int prepare(struct fixture *f, const char *body) {
    struct terminal_request req;
    CHECK_INT(terminal_request_parse(span_str(body), &f->arena, &req, &f->err), 0);
    return agent_launch_prepare(&f->launch, &f->place, &req, &f->arena, &f->err);
}

static void teardown(struct fixture *f) {
    agent_launch_fini(&f->launch);
    arena_fini(&f->arena);
    cleanup_temp_dir(&f->home);
}

/* The argv in one line, words between bars. */
static const char *line(struct fixture *f) {
    static char text[65536];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; f->launch.argv && f->launch.argv[i]; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s|", f->launch.argv[i]);
    return text;
}

/* As Claude Code's own installer leaves it. */
static void install_claude(struct fixture *f, const char *version, char ret[PATH_BYTES]) {
    char link[PATH_BYTES];
    (void)snprintf(ret, PATH_BYTES, "%s/.local/share/claude/versions/%s", f->home.path, version);
    (void)path_join(link, f->home.path, ".local/bin/claude");
    CHECK_INT(path_make_parent(ret), 0);
    CHECK_INT(path_make_parent(link), 0);
    CHECK_INT(file_replace(ret, SPAN("#!/bin/sh\n"), 0755, false), 0);
    (void)unlink(link);
    CHECK_INT(symlink(ret, link), 0);
}

TEST(claude_is_executed_with_hooks_of_its_own) {
    struct fixture f;
    char program[PATH_BYTES];
    setup(&f);
    install_claude(&f, "2.1.325", program);
    CHECK_INT(prepare(&f, "{\"command\":\"claude 'fix it'\",\"apiKey\":\"sk-x\",\"env\":{\"A\":\"b\"}}"), 0);
    char expected[4096];
    (void)snprintf(expected, sizeof expected, "claude|--settings|%s/claude-2.1.325.json|fix it|",
                   f.hooks_dir);
    CHECK_STR(line(&f), expected);
    CHECK(f.launch.spec.marked);
    CHECK_STR(f.launch.spec.words[1], "fix it"); /* what was asked for, without what is ours */
    CHECK_INT(f.launch.spec.kind, TERMINAL_AGENT);
    CHECK_STR(f.launch.spec.directory, f.home.path);
    CHECK_STR(f.launch.secrets[0], "ANTHROPIC_API_KEY=sk-x");
    CHECK_STR(f.launch.env[0], "A=b");
    CHECK_INT(f.launch.spec.typed.n, 0);

    char path[PATH_BYTES];
    (void)path_join(path, f.hooks_dir, "claude-2.1.325.json");
    struct stat st;
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    AUTO(json) json_t *settings = json_load_file(path, 0, NULL);
    json_t *hooks = json_object_get(settings, "hooks");
    static const char *const events[] = {"SessionStart", "PreToolUse", "PermissionRequest", "Stop",
                                         "SessionEnd"};
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        json_t *handler =
            json_array_get(json_object_get(json_array_get(json_object_get(hooks, events[i]), 0), "hooks"), 0);
        CHECK_STR(json_string_value(json_object_get(handler, "type")), "command");
        CHECK_STR(json_string_value(json_object_get(handler, "command")),
                  strcmp(events[i], "PermissionRequest") == 0
                      ? "'/opt/it'\\''s/ostler-hook' --cli claude --hosted --reply"
                      : "'/opt/it'\\''s/ostler-hook' --cli claude --hosted");
    }
    CHECK(!json_object_get(hooks, "BeforeTool") && !json_object_get(hooks, "WorktreeCreate"));

    /* The same again does not touch the file. */
    agent_launch_fini(&f.launch);
    CHECK_INT(prepare(&f, "{}"), 0);
    struct stat again;
    CHECK_INT(stat(path, &again), 0);
    CHECK_INT(again.st_ino, st.st_ino);
    teardown(&f);
}

static bool is_told(const struct fixture *f, const char *name, const char *event) {
    char path[PATH_BYTES];
    (void)path_join(path, f->hooks_dir, name);
    AUTO(json) json_t *settings = json_load_file(path, 0, NULL);
    CHECK(settings);
    return json_object_get(json_object_get(settings, "hooks"), event) != NULL;
}

/* One name that it does not know, and an old Claude Code would run without any of them. */
TEST(an_old_claude_is_told_of_what_it_knows) {
    struct fixture f;
    char program[PATH_BYTES], body[2 * PATH_BYTES];
    setup(&f);
    CHECK_INT(prepare(&f, "{}"), 0);
    CHECK(is_told(&f, "claude.json", "Stop") && !is_told(&f, "claude.json", "SessionStart"));
    agent_launch_fini(&f.launch);
    install_claude(&f, "2.1.85", program);
    CHECK_INT(prepare(&f, "{}"), 0);
    CHECK(strstr(line(&f), "/claude-2.1.85.json|"));
    CHECK(is_told(&f, "claude-2.1.85.json", "TaskCreated"));
    CHECK(!is_told(&f, "claude-2.1.85.json", "PermissionDenied"));
    agent_launch_fini(&f.launch);

    /* Of several, the one that is named. */
    (void)snprintf(body, sizeof body, "%s/claude", f.home.path);
    CHECK_INT(symlink(program, body), 0);
    install_claude(&f, "2.1.325", program);
    (void)snprintf(body, sizeof body, "{\"argv\":[\"%s/claude\"]}", f.home.path);
    CHECK_INT(prepare(&f, body), 0);
    CHECK(strstr(line(&f), "/claude-2.1.85.json|"));
    agent_launch_fini(&f.launch);
    /* Or the one that its own PATH leads to. */
    (void)snprintf(body, sizeof body,
                   "{\"command\":\"claude\",\"environment\":{\"PATH\":\"bin:/nowhere:%s\"}}", f.home.path);
    CHECK_INT(prepare(&f, body), 0);
    CHECK(strstr(line(&f), "/claude-2.1.85.json|"));
    teardown(&f);
}

TEST(settings_of_the_user_and_errands_are_left_alone) {
    struct fixture f;
    setup(&f);
    static const char *const commands[] = {"claude --settings mine.json",
                                           "claude --settings=mine.json",
                                           "claude mcp list",
                                           "claude --bare",
                                           "gemini",
                                           "aider --yes"};
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        char body[128];
        (void)snprintf(body, sizeof body, "{\"command\":\"%s\"}", commands[i]);
        CHECK_INT(prepare(&f, body), 0);
        CHECK(!f.launch.spec.marked);
        CHECK_INT(strv_count((const char *const *)f.launch.argv), strv_count(f.launch.spec.words));
        agent_launch_fini(&f.launch);
    }
    f.place.hook = NULL;
    CHECK_INT(prepare(&f, "{}"), 0);
    CHECK_STR(line(&f), "claude|");
    teardown(&f);
}

TEST(codex_gets_hooks_and_their_hashes) {
    struct fixture f;
    setup(&f);
    f.place.hook = "/x/hook";
    CHECK_INT(prepare(&f, "{\"command\":\"codex --full-auto\"}"), 0);
    const char *all = line(&f);
    CHECK(strstr(
        all,
        "codex|-c|hooks.SessionStart=[{hooks=[{type=\"command\",command=\"/x/hook --cli codex --hosted\","
        "timeout=5}]}]|"));
    CHECK(strstr(all, "hooks.SessionEnd=") && strstr(all, ",timeout=3}]}]|"));
    CHECK(strstr(all,
                 "|hooks.state={\"/<session-flags>/config.toml:session_start:0:0\"={trusted_hash=\"sha256:"));
    CHECK(strstr(all, "|--full-auto|"));
    CHECK(!strstr(all, "hooks.Notification"));
    /* The hash is of this text, which Codex makes of the same hook. */
    char hash[DIGEST_SHA256_HEX], part[160];
    digest_sha256(
        SPAN("{\"event_name\":\"stop\",\"hooks\":[{\"async\":false,\"command\":\"/x/hook --cli codex "
             "--hosted\",\"timeout\":5,\"type\":\"command\"}]}"),
        hash);
    (void)snprintf(part, sizeof part, "config.toml:stop:0:0\"={trusted_hash=\"sha256:%s\"}", hash);
    CHECK(strstr(all, part));
    /* The vector that was computed from Codex' own source. */
    digest_sha256(
        SPAN(
            "{\"event_name\":\"stop\",\"hooks\":[{\"async\":false,\"command\":\"/tmp/codex-hook-probe/hook.sh\","
            "\"timeout\":600,\"type\":\"command\"}]}"),
        hash);
    CHECK_STR(hash, "1f82e2f79ad43ede047010d5f31328ed0787935478340593c5589f7dfc8f5844");
    teardown(&f);
}

TEST(other_commands_are_typed_and_words_executed) {
    struct fixture f;
    setup(&f);
    CHECK_INT(prepare(&f, "{\"command\":\"npm run dev\"}"), 0);
    CHECK(f.launch.argv == NULL);
    CHECK_SPAN(f.launch.spec.typed, "npm run dev\r");
    CHECK_INT(f.launch.spec.kind, TERMINAL_SHELL);
    agent_launch_fini(&f.launch);
    CHECK_INT(prepare(&f, "{\"command\":\"\"}"), 0);
    CHECK(f.launch.argv == NULL && f.launch.spec.typed.n == 0);
    CHECK_INT(f.launch.spec.kind, TERMINAL_SHELL);
    agent_launch_fini(&f.launch);
    CHECK_INT(prepare(&f, "{\"argv\":[\"printf\",\"%s\",\"; rm -rf $HOME\"]}"), 0);
    CHECK_STR(line(&f), "printf|%s|; rm -rf $HOME|");
    CHECK_INT(f.launch.spec.kind, TERMINAL_COMMAND);
    agent_launch_fini(&f.launch);
    CHECK_INT(prepare(&f, "{\"argv\":[\"/opt/bin/claude\",\"-p\",\"x\"]}"), 0);
    CHECK_INT(f.launch.spec.kind, TERMINAL_AGENT);
    CHECK(strstr(line(&f), "/opt/bin/claude|--settings|"));
    teardown(&f);
}

TEST(a_model_and_an_effort_are_for_agents) {
    struct fixture f;
    setup(&f);
    f.place.hook = NULL;
    CHECK_INT(prepare(&f, "{\"model\":\"opus\",\"effortLevel\":\"high\"}"), 0);
    CHECK_STR(line(&f), "claude|--model|opus|--effort|high|");
    CHECK_STR(f.launch.spec.words[2], "opus"); /* said again by a resume */
    agent_launch_fini(&f.launch);
    static const struct {
        const char *body, *says;
    } cases[] = {
        {"{\"command\":\"gemini\",\"effortLevel\":\"high\"}", "effortLevel: gemini cannot be told one"},
        {"{\"command\":\"npm start\",\"model\":\"opus\"}", "model is for agents"},
        {"{\"command\":\"\",\"effortLevel\":\"low\"}", "effortLevel is for agents"},
        {"{\"argv\":[\"make\"],\"model\":\"opus\"}", "model is for agents"}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK_INT(prepare(&f, cases[i].body), -EINVAL);
        CHECK(strstr(f.err.msg, cases[i].says));
    }
    f.launch = (struct agent_launch){0};
    teardown(&f);
}

TEST(directories) {
    struct fixture f;
    setup(&f);
    CHECK_INT(prepare(&f, "{\"workingDir\":\"/no/such/place\"}"), -EINVAL);
    CHECK(strstr(f.err.msg, "/no/such/place"));
    CHECK_INT(prepare(&f, "{\"workingDir\":\"relative\"}"), -EINVAL);
    CHECK_INT(prepare(&f, "{\"workingDir\":\"/etc/passwd\"}"), -EINVAL);
    CHECK(strstr(f.err.msg, "is no directory"));
    CHECK_INT(prepare(&f, "{\"workingDir\":\"~root\"}"), -EINVAL);
    CHECK_INT(prepare(&f, "{\"workingDir\":\"~/nope\"}"), -EINVAL);
    CHECK(strstr(f.err.msg, f.home.path));
    CHECK_INT(prepare(&f, "{\"command\":\"say 'it\"}"), -EINVAL);
    CHECK(strstr(f.err.msg, "quote"));
    f.launch = (struct agent_launch){0};
    teardown(&f);
}

static void resumed(const struct conversation *c, bool fresh, const char *before, const char *expected,
                    bool starts_fresh) {
    const char *message;
    AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
    const char **asked = NULL;
    struct err err = {0};
    CHECK_INT(terminal_request_split(span_str(before), &arena, &asked, &err), 0);
    const struct agent_before was = {.words = asked, .command = span_str(before)};
    bool is_fresh = fresh;
    AUTO(strv) char **words = agent_launch_resume_words(c, &was, &is_fresh, &message);
    char text[256] = "";
    size_t n = 0;
    for (size_t i = 0; words[i]; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "", words[i]);
    CHECK_STR(text, expected);
    CHECK(is_fresh == starts_fresh);
    CHECK((message != NULL) == (starts_fresh && !fresh));
}

TEST(how_each_cli_goes_on) {
    char id[] = "0c5a-4f", odd[] = "x; rm -rf ~", option[] = "--dangerous";
    struct conversation c = {.session_id = id, .cli = CLI_CLAUDE};
    resumed(&c, false, "claude --model opus 'fix it'", "claude --model opus --resume 0c5a-4f", false);
    resumed(&c, false, "/opt/claude", "/opt/claude --resume 0c5a-4f", false);
    resumed(&c, false, "", "claude --resume 0c5a-4f", false);
    resumed(&c, false, "bash -x", "claude --resume 0c5a-4f", false);
    resumed(&c, true, "claude --model opus 'fix it'", "claude --model opus", true);
    c.cli = CLI_CODEX;
    resumed(&c, false, "codex -m gpt-5", "codex resume 0c5a-4f -m gpt-5", false);
    resumed(&c, false, "claude --model opus", "codex resume 0c5a-4f", false);
    c.cli = CLI_GEMINI;
    resumed(&c, false, "gemini", "gemini --resume 0c5a-4f", false);
    c.cli = CLI_COPILOT;
    resumed(&c, false, "copilot", "copilot --resume=0c5a-4f", false);
    c.cli = CLI_OPENCODE;
    resumed(&c, false, "opencode", "opencode --session 0c5a-4f", false);
    /* Ids come through hooks, which anybody can call. */
    c = (struct conversation){.session_id = odd, .cli = CLI_CLAUDE};
    resumed(&c, false, "claude", "claude", true);
    c.session_id = option;
    resumed(&c, false, "claude", "claude", true);
    c.session_id = NULL;
    resumed(&c, false, "aider --yes", "aider", true);
}

TESTS(RUN(claude_is_executed_with_hooks_of_its_own), RUN(an_old_claude_is_told_of_what_it_knows),
      RUN(settings_of_the_user_and_errands_are_left_alone), RUN(codex_gets_hooks_and_their_hashes),
      RUN(other_commands_are_typed_and_words_executed), RUN(a_model_and_an_effort_are_for_agents),
      RUN(directories), RUN(how_each_cli_goes_on))
