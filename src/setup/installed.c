#include "setup/installed.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jscan.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    PACKAGE_BYTES_MAX = 256 << 10,
    LEVELS_MAX = 6, /* from a program up to its package: …/codex-linux-x64/vendor/TARGET/bin/codex */
};

/* The npm package that has the CLI; its parts for one kind of machine have names that begin so, too. */
static const char *const packages[CLI_N_] = {[CLI_CLAUDE] = "@anthropic-ai/claude-code",
                                             [CLI_GEMINI] = "@google/gemini-cli",
                                             [CLI_CODEX] = "@openai/codex",
                                             [CLI_COPILOT] = "@github/copilot",
                                             [CLI_OPENCODE] = "opencode-ai"};

static bool is_package(struct span name, enum cli cli) {
    struct span package = span_str(packages[cli]);
    if (cli == CLI_OPENCODE && span_starts(name, SPAN("opencode-linux-"))) return true;
    return span_starts(name, package) && (name.n == package.n || name.p[package.n] == '-');
}

static bool read_package(enum cli cli, const char *dir, struct cli_version *ret) {
    char path[PATH_BYTES];
    AUTO(buf) struct buf text = BUF_INIT(PACKAGE_BYTES_MAX);
    AUTO(arena) struct arena arena = ARENA_INIT(PACKAGE_BYTES_MAX);
    struct jmember m[] = {JMEMBER("name"), JMEMBER("version")};
    struct span name, version;
    struct stat st;
    AUTO(fd) int fd = path_join(path, dir, "package.json") < 0 ? -1 : file_open_plain(path, &st);
    if (fd < 0 || file_read_fd(fd, &text) < 0) return false;
    if (jvalid(buf_span(&text), 64) < 0 || jscan_object(buf_span(&text), m, ARRAY_LEN(m)) < 0) return false;
    return jscan_string(m[0].value, &arena, &name) == 0 && is_package(name, cli) &&
           jscan_string(m[1].value, &arena, &version) == 0 && cli_version_parse(version, ret);
}

/* A script that runs what is installed beside it: ~/.claude/local/claude. */
static bool read_beside(enum cli cli, const char *dir, struct cli_version *ret) {
    char modules[PATH_BYTES], package[PATH_BYTES];
    return path_join(modules, dir, "node_modules") == 0 && path_join(package, modules, packages[cli]) == 0 &&
           read_package(cli, package, ret);
}

static bool is_version(const char *path, struct cli_version *ret) {
    return cli_version_parse(span_str(strrchr(path, '/') + 1), ret);
}

bool installed_version(enum cli cli, const char *program, struct cli_version *ret) {
    char room[PATH_MAX];
    if (!realpath(program, room)) return false;
    if (is_version(room, ret)) return true; /* ~/.local/share/claude/versions/2.1.325 */
    char *dir = dirname(room);
    if (read_beside(cli, dir, ret)) return true;
    if (dir[1] && is_version(dir, ret)) return true; /* …/Caskroom/claude-code/2.1.325/claude */
    for (int i = 0; i < LEVELS_MAX && dir[1]; i++) {
        if (read_package(cli, dir, ret)) return true;
        dir = dirname(dir);
    }
    return false;
}
