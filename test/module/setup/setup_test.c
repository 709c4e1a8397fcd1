/* Settings on a disk: what is kept, renewed, respected. */
#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "setup/file.h"
#include "setup/policy.h"
#include "setup/setup.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>

struct fixture {
    struct temp_dir dir;
    char etc[PATH_BYTES];
    struct setup_place place;
};

static void put(const char *path, const char *text) {
    AUTO(file) FILE *f = fopen(path, "w");
    CHECK(f);
    CHECK(fputs(text, f) >= 0);
}

static void at(const struct fixture *f, const char *name, char out[PATH_BYTES]) {
    (void)snprintf(out, PATH_BYTES, "%s/%s", f->dir.path, name);
}

static void setup(struct fixture *f) {
    static const char *const files[CLI_N_] = {"claude/settings.json", "gemini/settings.json",
                                              "codex/config.toml", "copilot/hooks/ostler.json",
                                              "opencode/plugins/ostler.js"};
    *f = (struct fixture){.dir = temp_dir_make()};
    char build[PATH_BYTES], name[64];
    log_set_level(LOG_ERROR);
    for (int i = 0; i < CLI_N_; i++) {
        (void)snprintf(name, sizeof name, "state/hooks/%s.json", cli_to_str((enum cli)i));
        at(f, files[i], f->place.file[i]);
        at(f, name, f->place.record[i]);
    }
    CHECK_INT(setenv("HOME", f->dir.path, 1), 0);
    CHECK_INT(setenv("PATH", "/nowhere", 1), 0);
    at(f, "state/hooks/versions", f->place.notes.versions);
    at(f, "state/hooks/programs", f->place.notes.seen);
    at(f, "etc", f->etc);
    f->place.etc = f->etc;
    at(f, "state/backups", f->place.backups);
    at(f, "build/ostler-hook", f->place.original);
    at(f, "state/bin/ostler-hook", f->place.hook);
    at(f, "build", build);
    CHECK_INT(path_make_dirs(build), 0);
    put(f->place.original, "first");
}

static void teardown(struct fixture *f) {
    temp_dir_remove(f->dir.path);
}

static void make(const char *path, const char *text) {
    struct setup_file file;
    CHECK_INT(setup_file_read(path, 1 << 20, &file, NULL), 0);
    CHECK_INT(setup_file_replace(&file, span_str(text), NULL), 0);
    cleanup_setup_file(&file);
}

/* The way of Claude Code's own installer: a link to a file that is called like its version. */
static void claude_becomes(const struct fixture *f, const char *version) {
    char name[128], file[PATH_BYTES], link[PATH_BYTES];
    (void)snprintf(name, sizeof name, ".local/share/claude/versions/%s", version);
    at(f, name, file);
    at(f, ".local/bin/claude", link);
    make(file, "");
    CHECK_INT(chmod(file, 0755), 0);
    CHECK_INT(path_make_parent(link), 0);
    (void)unlink(link);
    CHECK_INT(symlink(file, link), 0);
}

static bool holds(const char *path, const char *text) {
    AUTO(setup_file) struct setup_file file = {0};
    return setup_file_read(path, 1 << 20, &file, NULL) == 0 && file.exists &&
           memmem(str_or_empty(file.text.p), file.text.n, text, strlen(text));
}

static bool install(struct fixture *f, enum cli cli, enum config_density density) {
    AUTO(setup_change) struct setup_change c;
    if (setup_install(&f->place, cli, density, false, &c) < 0) fail_msg("%s", c.err.msg);
    return c.changed;
}

TEST(nothing_is_installed_uninvited) {
    struct fixture f;
    setup(&f);
    make(f.place.file[CLI_CLAUDE], "{}");
    CHECK_INT(setup_sync(&f.place, ~0U, &(enum config_density){DENSITY_HIGH}), 0);
    CHECK(holds(f.place.file[CLI_CLAUDE], "{}"));
    CHECK(access(f.place.file[CLI_CODEX], F_OK) < 0);
    CHECK(access(f.place.hook, F_OK) < 0);
    teardown(&f);
}

TEST(what_changed_is_brought_up_to_date) {
    struct fixture f;
    setup(&f);
    claude_becomes(&f, "2.1.325");
    CHECK(install(&f, CLI_CLAUDE, DENSITY_LOW));
    CHECK(install(&f, CLI_GEMINI, DENSITY_LOW));
    CHECK_INT(setup_sync(&f.place, ~0U, &(enum config_density){DENSITY_LOW}), 0);
    at(&f, "state/bin2/ostler-hook", f.place.hook);
    CHECK_INT(setup_sync(&f.place, 1U << CLI_CLAUDE, &(enum config_density){DENSITY_LOW}), 1U << CLI_CLAUDE);
    CHECK(holds(f.place.file[CLI_CLAUDE], "bin2/ostler-hook"));
    CHECK(!holds(f.place.file[CLI_CLAUDE], "bin/ostler-hook"));
    CHECK(!holds(f.place.file[CLI_GEMINI], "bin2/ostler-hook")); /* not enabled */
    CHECK(access(f.place.hook, X_OK) == 0);
    CHECK_INT(setup_sync(&f.place, 1U << CLI_CLAUDE, &(enum config_density){DENSITY_HIGH}), 1U << CLI_CLAUDE);
    CHECK(holds(f.place.file[CLI_CLAUDE], "TeammateIdle"));
    teardown(&f);
}

TEST(hooks_that_a_person_took_out_stay_out) {
    struct fixture f;
    setup(&f);
    CHECK(install(&f, CLI_CLAUDE, DENSITY_LOW));
    make(f.place.file[CLI_CLAUDE], "{\"mine\": 1}");
    CHECK_INT(setup_sync(&f.place, ~0U, &(enum config_density){DENSITY_LOW}), 0);
    CHECK(!holds(f.place.file[CLI_CLAUDE], "ostler-hook"));
    teardown(&f);
}

TEST(a_new_hook_replaces_the_copy) {
    struct fixture f;
    struct stat first, second;
    setup(&f);
    CHECK(install(&f, CLI_CLAUDE, DENSITY_LOW));
    CHECK_INT(stat(f.place.hook, &first), 0);
    CHECK_INT(first.st_mode & 0777, 0755);
    CHECK(!install(&f, CLI_CLAUDE, DENSITY_LOW));
    CHECK_INT(stat(f.place.hook, &second), 0);
    CHECK_INT(first.st_ino, second.st_ino);
    put(f.place.original, "second");
    CHECK(!install(&f, CLI_CLAUDE, DENSITY_LOW)); /* the settings are the same */
    CHECK(holds(f.place.hook, "second"));
    (void)unlink(f.place.original);
    f.place.original[0] = '\0';
    AUTO(setup_change) struct setup_change c;
    CHECK_INT(setup_install(&f.place, CLI_CLAUDE, DENSITY_LOW, false, &c), -ENOENT);
    teardown(&f);
}

static int count_backups(const struct fixture *f) {
    AUTO(dir) DIR *d = opendir(f->place.backups);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.';
    return n;
}

TEST(copies_are_made_before_the_first_change_and_stay_few) {
    struct fixture f;
    setup(&f);
    for (int i = 0; i < SETUP_BACKUPS + 3; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "{\"n\": %d}", i);
        make(f.place.file[CLI_CLAUDE], text);
        CHECK(install(&f, CLI_CLAUDE, DENSITY_LOW));
        CHECK(install(&f, CLI_CLAUDE, DENSITY_HIGH)); /* is no reason for another one */
        CHECK_INT(count_backups(&f), i < SETUP_BACKUPS ? i + 1 : SETUP_BACKUPS);
    }
    teardown(&f);
}

TEST(a_record_that_was_lost_costs_little) {
    struct fixture f;
    setup(&f);
    claude_becomes(&f, "2.1.325");
    make(f.place.file[CLI_CLAUDE], "{\n  \"a\": 1\n}\n");
    CHECK(install(&f, CLI_CLAUDE, DENSITY_HIGH));
    CHECK_INT(unlink(f.place.record[CLI_CLAUDE]), 0);
    struct setup_status s;
    setup_status(&f.place, CLI_CLAUDE, &s);
    CHECK(s.installed && s.current && s.density == DENSITY_HIGH);
    setup_status_fini(&s);
    AUTO(setup_change) struct setup_change c;
    CHECK_INT(setup_uninstall(&f.place, CLI_CLAUDE, false, &c), 0);
    CHECK_STR(c.now.p, "{\n  \"a\": 1\n}\n");
    teardown(&f);
}

TEST(a_file_that_changed_in_between_is_noticed) {
    struct fixture f;
    struct err err = {0};
    setup(&f);
    const char *path = f.place.file[CLI_CLAUDE];
    make(path, "one");
    AUTO(setup_file) struct setup_file was = {0};
    CHECK_INT(setup_file_read(path, 1 << 20, &was, &err), 0);
    put(path, "two");
    CHECK_INT(setup_file_replace(&was, SPAN("ours"), &err), -EAGAIN);
    CHECK(strstr(err.msg, "being changed by somebody else"));
    CHECK(holds(path, "two"));
    CHECK_INT(setup_file_delete(&was, &err), -EAGAIN);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(setup_file_replace(&was, SPAN("ours"), &err), -EAGAIN);
    AUTO(setup_file) struct setup_file none = {0};
    CHECK_INT(setup_file_read(path, 1 << 20, &none, &err), 0);
    CHECK(!none.exists);
    put(path, "three");
    CHECK_INT(setup_file_replace(&none, SPAN("ours"), &err), -EAGAIN);
    CHECK(holds(path, "three"));
    teardown(&f);
}

static void check_block(struct fixture *f, enum cli cli, const char *file, const char *text,
                        const char *word) {
    char path[PATH_BYTES];
    at(f, file, path);
    make(path, text);
    AUTO(strv) char **blocks = NULL;
    setup_policy_blocks(&f->place, cli, &blocks);
    if (!word) {
        CHECK(!blocks);
    } else {
        CHECK(blocks && !blocks[1] && strstr(blocks[0], word) && strstr(blocks[0], path));
    }
    CHECK_INT(unlink(path), 0);
}

TEST(switches_of_others_are_seen) {
    struct fixture f;
    setup(&f);
    check_block(&f, CLI_CLAUDE, "claude/settings.json", "{\"disableAllHooks\": true}", "disableAllHooks");
    check_block(&f, CLI_CLAUDE, "claude/settings.json", "{\"disableAllHooks\": false}", NULL);
    check_block(&f, CLI_CLAUDE, "claude/settings.json", "{broken", NULL);
    check_block(&f, CLI_CLAUDE, "etc/claude-code/managed-settings.json", "{\"allowManagedHooksOnly\": true}",
                "allowManagedHooksOnly");
    check_block(&f, CLI_GEMINI, "gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}", "enabled");
    check_block(&f, CLI_GEMINI, "etc/gemini-cli/settings.json",
                "{\"hooksConfig\": {\"disabled\": [\"x\", \"/a/ostler-hook --cli gemini\"]}}", "disabled");
    check_block(&f, CLI_GEMINI, "gemini/settings.json", "{\"hooks\": {\"disabled\": [\"other\"]}}", NULL);
    check_block(&f, CLI_CODEX, "codex/config.toml", "[features]\nhooks = false\n", "features.hooks");
    check_block(&f, CLI_CODEX, "codex/config.toml", "features.hooks = false\n", "features.hooks");
    check_block(&f, CLI_CODEX, "codex/config.toml", "[other]\nfeatures.hooks = false\n", NULL);
    check_block(&f, CLI_CODEX, "etc/codex/requirements.toml", "allow_managed_hooks_only = true\n",
                "allow_managed_hooks_only");
    check_block(&f, CLI_COPILOT, "copilot/settings.json", "{\"disableAllHooks\": true}", "disableAllHooks");
    teardown(&f);
}

/* Updated, it is told of more; put back, it is rid of what it would drop its settings for; and the first bytes come back. */
TEST(events_follow_the_version) {
    static const char mine[] = "{\n  \"permissions\": {\n    \"deny\": [\"Bash(rm:*)\"]\n  }\n}\n";
    struct fixture f;
    setup(&f);
    const char *file = f.place.file[CLI_CLAUDE];
    make(file, mine);
    CHECK(install(&f, CLI_CLAUDE, DENSITY_HIGH)); /* it is not here yet */
    CHECK(holds(file, "PreToolUse") && !holds(file, "SessionStart"));
    CHECK_INT(setup_outdated(&f.place, ~0U), 0);

    claude_becomes(&f, "2.1.85");
    CHECK_INT(setup_outdated(&f.place, ~0U), 1U << CLI_CLAUDE);
    CHECK_INT(setup_outdated(&f.place, 1U << CLI_CODEX), 0);
    CHECK_INT(setup_sync(&f.place, ~0U, NULL), 1U << CLI_CLAUDE);
    CHECK(holds(file, "TaskCreated") && !holds(file, "PermissionDenied"));
    CHECK_INT(setup_outdated(&f.place, ~0U), 0);

    claude_becomes(&f, "2.1.325");
    CHECK_INT(setup_sync(&f.place, ~0U, NULL), 1U << CLI_CLAUDE);
    CHECK(holds(file, "PermissionDenied") && holds(file, "PostModelSwitch"));

    claude_becomes(&f, "2.1.84");
    struct setup_status s;
    setup_status(&f.place, CLI_CLAUDE, &s);
    CHECK(s.installed && !s.current && s.now.version.patch == 84 && s.then.patch == 325);
    setup_status_fini(&s);
    CHECK_INT(setup_sync(&f.place, ~0U, NULL), 1U << CLI_CLAUDE);
    CHECK(holds(file, "TaskCreated") && !holds(file, "PermissionDenied"));
    setup_status(&f.place, CLI_CLAUDE, &s);
    CHECK(s.current);
    setup_status_fini(&s);

    AUTO(setup_change) struct setup_change c;
    CHECK_INT(setup_uninstall(&f.place, CLI_CLAUDE, false, &c), 0);
    CHECK_STR(c.now.p, mine);
    teardown(&f);
}

TESTS(RUN(nothing_is_installed_uninvited), RUN(what_changed_is_brought_up_to_date),
      RUN(hooks_that_a_person_took_out_stay_out), RUN(a_new_hook_replaces_the_copy),
      RUN(copies_are_made_before_the_first_change_and_stay_few), RUN(a_record_that_was_lost_costs_little),
      RUN(a_file_that_changed_in_between_is_noticed), RUN(switches_of_others_are_seen),
      RUN(events_follow_the_version))
