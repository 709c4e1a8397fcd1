#include "cli/installed.h"

#include "base/path.h"
#include "temp_dir.h"
#include "test.h"

#include <fcntl.h>

static void make_program(const char *dir, const char *name, mode_t mode) {
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, dir, name), 0);
    AUTO(fd) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    CHECK(fd >= 0);
}

static void make_dir(const char *dir, const char *name) {
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, dir, name), 0);
    CHECK_INT(mkdir(path, 0700), 0);
}

static void set(const char *variable, const char *value) {
    CHECK_INT(value ? setenv(variable, value, 1) : unsetenv(variable), 0);
}

/* Nothing of this machine. */
static struct temp_dir begin(void) {
    struct temp_dir t = temp_dir_make();
    set("HOME", t.path);
    set("PATH", "/nowhere:");
    static const char *const others[] = {"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME",
                                         "XDG_CONFIG_HOME"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        set(others[i], NULL);
    return t;
}

TEST(nothing_is_installed_on_an_empty_machine) {
    AUTO(temp_dir) struct temp_dir t = begin();
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        CHECK(!installed_cli(cli));
    set("HOME", NULL);
    set("PATH", NULL);
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        CHECK(!installed_cli(cli));
}

TEST(a_program_on_the_path_is_one) {
    AUTO(temp_dir) struct temp_dir t = begin();
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "/nowhere::%s", t.path);
    set("PATH", path);
    make_program(t.path, "gemini", 0600); /* it cannot be run */
    make_dir(t.path, "claude");           /* no program */
    CHECK(!installed_cli(CLI_GEMINI) && !installed_cli(CLI_CLAUDE));
    make_program(t.path, "codex", 0700);
    CHECK(installed_cli(CLI_CODEX));
}

TEST(a_directory_in_the_home_is_one) {
    AUTO(temp_dir) struct temp_dir t = begin();
    make_dir(t.path, ".claude");
    make_program(t.path, ".gemini", 0700); /* a file is none */
    CHECK(installed_cli(CLI_CLAUDE) && !installed_cli(CLI_GEMINI) && !installed_cli(CLI_CODEX));
}

TEST(a_variable_may_name_it) {
    AUTO(temp_dir) struct temp_dir t = begin();
    char path[PATH_BYTES];
    make_dir(t.path, ".codex");
    make_dir(t.path, "elsewhere");
    (void)snprintf(path, sizeof path, "%s/elsewhere", t.path);
    set("CLAUDE_CONFIG_DIR", path);
    set("CODEX_HOME", "/nowhere");
    CHECK(installed_cli(CLI_CLAUDE) && !installed_cli(CLI_CODEX));
    set("CODEX_HOME", "relative"); /* counts for nothing */
    CHECK(installed_cli(CLI_CODEX));
}

TESTS(RUN(nothing_is_installed_on_an_empty_machine), RUN(a_program_on_the_path_is_one),
      RUN(a_directory_in_the_home_is_one), RUN(a_variable_may_name_it))
