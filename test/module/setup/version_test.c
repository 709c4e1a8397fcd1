/* Versions of programs as installers leave them on a disk. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"
#include "platform/capture.h"
#include "setup/here.h"
#include "setup/seen.h"
#include "setup/version.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>

struct fixture {
    struct temp_dir dir;
    struct setup_notes notes;
};

static const char *at(const struct fixture *f, const char *name) {
    static char path[4][PATH_BYTES];
    static size_t next;
    char *out = path[next++ % ARRAY_LEN(path)];
    (void)snprintf(out, PATH_BYTES, "%s/%s", f->dir.path, name);
    return out;
}

/* HOME and PATH are the fixture's: nothing of this machine is seen. */
static void setup(struct fixture *f) {
    *f = (struct fixture){.dir = temp_dir_make()};
    (void)setup_notes_resolve(&f->notes, at(f, "state"));
    CHECK_INT(setenv("HOME", at(f, "home"), 1), 0);
    CHECK_INT(setenv("PATH", at(f, "bin"), 1), 0);
}

static void teardown(struct fixture *f) {
    temp_dir_remove(f->dir.path);
}

static void put(const struct fixture *f, const char *name, const char *text, mode_t mode) {
    const char *path = at(f, name);
    CHECK_INT(path_make_parent(path), 0);
    CHECK_INT(file_replace(path, span_str(text), mode, false), 0);
}

static void link_to(const struct fixture *f, const char *name, const char *target) {
    const char *path = at(f, name);
    CHECK_INT(path_make_parent(path), 0);
    (void)unlink(path);
    CHECK_INT(symlink(at(f, target), path), 0);
}

static void check_version(const struct fixture *f, enum cli cli, const char *program, const char *expected) {
    char text[CLI_VERSION_BYTES];
    struct cli_version v = {0};
    (void)installed_version(cli, at(f, program), &v);
    cli_version_print(v, text);
    CHECK_STR(text, expected);
}

TEST(packages_tell_their_version) {
    struct fixture f;
    setup(&f);
    put(&f, "lib/node_modules/@anthropic-ai/claude-code/package.json",
        "{\"name\": \"@anthropic-ai/claude-code\", \"version\": \"2.1.85\"}", 0644);
    put(&f, "lib/node_modules/@anthropic-ai/claude-code/cli.js", "", 0755);
    link_to(&f, "bin/claude", "lib/node_modules/@anthropic-ai/claude-code/cli.js");
    check_version(&f, CLI_CLAUDE, "bin/claude", "2.1.85");

    put(&f, "new/@anthropic-ai/claude-code/package.json",
        "{\"version\": \"2.1.325\", \"name\": \"@anthropic-ai/claude-code\"}", 0644);
    put(&f, "new/@anthropic-ai/claude-code/bin/claude.exe", "", 0755);
    check_version(&f, CLI_CLAUDE, "new/@anthropic-ai/claude-code/bin/claude.exe", "2.1.325");
    put(&f, "new/@anthropic-ai/claude-code-linux-x64/package.json",
        "{\"name\": \"@anthropic-ai/claude-code-linux-x64\", \"version\": \"2.1.324\"}", 0644);
    put(&f, "new/@anthropic-ai/claude-code-linux-x64/claude", "", 0755);
    check_version(&f, CLI_CLAUDE, "new/@anthropic-ai/claude-code-linux-x64/claude", "2.1.324");

    put(&f, "new/@openai/codex-linux-x64/package.json",
        "{\"name\": \"@openai/codex\", \"version\": \"0.166.0-linux-x64\"}", 0644);
    put(&f, "new/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", "", 0755);
    check_version(&f, CLI_CODEX, "new/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
                  "0.166.0-early");
    put(&f, "new/opencode-linux-x64/package.json",
        "{\"name\": \"opencode-linux-x64\", \"version\": \"1.18.33\"}", 0644);
    put(&f, "new/opencode-linux-x64/bin/opencode", "", 0755);
    check_version(&f, CLI_OPENCODE, "new/opencode-linux-x64/bin/opencode", "1.18.33");
    teardown(&f);
}

TEST(installers_tell_it_by_names) {
    struct fixture f;
    setup(&f);
    put(&f, "home/.local/share/claude/versions/2.1.201", "", 0755);
    link_to(&f, "home/.local/bin/claude", "home/.local/share/claude/versions/2.1.201");
    check_version(&f, CLI_CLAUDE, "home/.local/bin/claude", "2.1.201");
    put(&f, "Caskroom/claude-code/2.1.99/claude", "", 0755);
    check_version(&f, CLI_CLAUDE, "Caskroom/claude-code/2.1.99/claude", "2.1.99");
    put(&f, "home/.claude/local/claude", "#!/bin/sh\nexec node_modules/.bin/claude\n", 0755);
    put(&f, "home/.claude/local/node_modules/@anthropic-ai/claude-code/package.json",
        "{\"name\": \"@anthropic-ai/claude-code\", \"version\": \"1.0.86\"}", 0644);
    check_version(&f, CLI_CLAUDE, "home/.claude/local/claude", "1.0.86");
    teardown(&f);
}

TEST(what_is_not_told_is_not_guessed) {
    struct fixture f;
    setup(&f);
    put(&f, "project/package.json", "{\"name\": \"mine\", \"version\": \"9.9.9\"}", 0644);
    put(&f, "project/bin/claude", "#!/bin/sh\n", 0755);
    check_version(&f, CLI_CLAUDE, "project/bin/claude", "");
    check_version(&f, CLI_CLAUDE, "project/bin/nobody", "");
    put(&f, "sdk/package.json", "{\"name\": \"@anthropic-ai/claude-codex\", \"version\": \"9.9.9\"}", 0644);
    put(&f, "sdk/claude", "", 0755);
    check_version(&f, CLI_CLAUDE, "sdk/claude", "");
    put(&f, "torn/package.json", "{\"name\": \"@anthropic-ai/claude-code\", \"version\"", 0644);
    put(&f, "torn/claude", "", 0755);
    check_version(&f, CLI_CLAUDE, "torn/claude", "");
    teardown(&f);
}

TEST(the_oldest_counts) {
    struct fixture f;
    struct setup_version found;
    setup(&f);
    setup_version_look(CLI_CLAUDE, &f.notes, &found);
    CHECK(!cli_version_is_known(found.version));
    CHECK_STR(found.program, "");

    put(&f, "v/2.1.325", "", 0755);
    link_to(&f, "bin/claude", "v/2.1.325");
    put(&f, "old/2.1.85", "", 0755);
    link_to(&f, "home/.nvm/versions/node/v18.1.0/bin/claude", "old/2.1.85");
    put(&f, "other/2.1.200", "", 0755);
    link_to(&f, "home/.local/bin/claude", "other/2.1.200");
    setup_version_look(CLI_CLAUDE, &f.notes, &found);
    CHECK_INT(found.version.patch, 85);
    CHECK_STR(found.program, at(&f, "home/.nvm/versions/node/v18.1.0/bin/claude"));

    char program[PATH_BYTES];
    CHECK(setup_find_program(f.notes.seen, CLI_CLAUDE, program));
    CHECK_STR(program, at(&f, "bin/claude")); /* but this one is run */
    CHECK(!setup_find_program(f.notes.seen, CLI_GEMINI, program));
    teardown(&f);
}

/* A daemon that was started with another PATH than a person's shell has. */
TEST(what_somebody_else_found_counts_while_it_is_there) {
    struct fixture f;
    struct setup_version found;
    char program[PATH_BYTES];
    setup(&f);
    put(&f, "v/2.1.325", "", 0755);
    link_to(&f, "home/.local/bin/claude", "v/2.1.325");
    put(&f, "old/2.1.85", "", 0755);
    link_to(&f, "bin/claude", "old/2.1.85");
    setup_version_ask(CLI_CLAUDE, &f.notes, &found);
    CHECK_INT(found.version.patch, 85);
    CHECK_INT(setenv("PATH", at(&f, "nowhere"), 1), 0);
    setup_version_look(CLI_CLAUDE, &f.notes, &found);
    CHECK_INT(found.version.patch, 85);
    CHECK_STR(found.program, at(&f, "bin/claude"));
    setup_version_ask(CLI_CLAUDE, &f.notes, &found); /* does not forget it either */
    CHECK_INT(found.version.patch, 85);

    /* From a PATH that is told, and of every CLI. What is no absolute path holds only where it was found. */
    AUTO(free) char *path = str_format("shims:%s:%s", at(&f, "shell/bin"), at(&f, "bin"));
    put(&f, "shell/bin/gemini", "", 0755);
    CHECK(!setup_find_program(f.notes.seen, CLI_GEMINI, program));
    seen_note(f.notes.seen, path);
    CHECK(setup_find_program(f.notes.seen, CLI_GEMINI, program));
    CHECK_STR(program, at(&f, "shell/bin/gemini"));
    seen_note(f.notes.seen, NULL);
    CHECK(setup_find_program(f.notes.seen, CLI_GEMINI, program));

    CHECK_INT(unlink(at(&f, "bin/claude")), 0);
    setup_version_look(CLI_CLAUDE, &f.notes, &found);
    CHECK_INT(found.version.patch, 325);
    seen_note(f.notes.seen, "");
    AUTO(buf) struct buf kept = BUF_INIT(PATH_BYTES);
    CHECK_INT(file_read(f.notes.seen, &kept), 0);
    CHECK_INT(kept.n, strlen(at(&f, "shell/bin/gemini")) + 1);
    teardown(&f);
}

static unsigned looked(const struct fixture *f) {
    struct setup_version found;
    setup_version_look(CLI_CLAUDE, &f->notes, &found);
    return found.version.patch;
}

static unsigned asked(const struct fixture *f) {
    struct setup_version found;
    setup_version_ask(CLI_CLAUDE, &f->notes, &found);
    return found.version.patch;
}

/* A shim of a version manager's, which only the program behind it can speak for. */
TEST(a_shim_is_asked_and_remembered) {
    struct fixture f;
    setup(&f);
    put(&f, "bin/claude", "#!/bin/sh\necho \"2.1.$(/bin/cat \"$0.patch\") (Claude Code)\"\n", 0755);
    put(&f, "bin/claude.patch", "85", 0644);
    CHECK_INT(looked(&f), 0); /* nothing is run */
    CHECK_INT(asked(&f), 85);
    CHECK_INT(looked(&f), 85);
    put(&f, "bin/claude.patch", "325", 0644); /* another one behind the same shim */
    CHECK_INT(looked(&f), 85);
    CHECK_INT(asked(&f), 325);
    CHECK_INT(looked(&f), 325);
    AUTO(buf) struct buf notes = BUF_INIT(4096);
    CHECK_INT(file_read(f.notes.versions, &notes), 0);
    struct span lines = buf_span(&notes);
    CHECK(span_starts(span_split(&lines, '\n'), SPAN("2.1.325 ")) && lines.n == 0);

    put(&f, "bin/claude", "#!/bin/sh\necho broken\n", 0755);
    CHECK_INT(looked(&f), 0);
    CHECK_INT(asked(&f), 0);
    /* Of the others it is not asked: nothing depends on it. */
    put(&f, "bin/codex", "#!/bin/sh\necho codex-cli 0.166.0; echo > \"$0.ran\"\n", 0755);
    struct setup_version found;
    setup_version_ask(CLI_CODEX, &f.notes, &found);
    CHECK_STR(found.program, at(&f, "bin/codex"));
    CHECK(!cli_version_is_known(found.version) && access(at(&f, "bin/codex.ran"), F_OK) < 0);
    teardown(&f);
}

TEST(a_program_that_does_not_end_is_ended) {
    static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    static const char *const hangs[] = {"/bin/sh", "-c", "echo begun; sleep 600 & exec sleep 600", NULL};
    static const char *const talks[] = {"/bin/sh", "-c", "cat; echo here >&2; printf %s 12345678", NULL};
    static const char *const none[] = {"/nowhere/at/all", NULL};
    AUTO(buf) struct buf out = BUF_INIT(6);
    CHECK_INT(capture_output(talks, env, 60 * 1000, &out), 0);
    CHECK_SPAN(buf_span(&out), "123456"); /* as much as fits */
    buf_clear(&out);
    CHECK_INT(capture_output(hangs, env, 300, &out), -ETIMEDOUT);
    CHECK_INT(capture_output(none, env, 1000, &out), -ENOENT);
}

TESTS(RUN(packages_tell_their_version), RUN(installers_tell_it_by_names),
      RUN(what_is_not_told_is_not_guessed), RUN(the_oldest_counts),
      RUN(what_somebody_else_found_counts_while_it_is_there), RUN(a_shim_is_asked_and_remembered),
      RUN(a_program_that_does_not_end_is_ended))
