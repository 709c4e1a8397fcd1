#include "app/cli_files.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "platform/beneath.h"
#include "repair/claude.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* Where a CLI keeps its things, by its own variable or in the home directory. */
static int home_of(enum cli cli, char ret[PATH_BYTES]) {
    static const struct {
        const char *variable, *fallback;
    } homes[CLI_N_] = {[CLI_GEMINI] = {NULL, ".gemini"},
                       [CLI_CODEX] = {"CODEX_HOME", ".codex"},
                       [CLI_COPILOT] = {"COPILOT_HOME", ".copilot"}};
    if (cli == CLI_CLAUDE) return claude_home(ret);
    if (!homes[cli].fallback) return -ENOENT;
    const char *named = homes[cli].variable ? getenv(homes[cli].variable) : NULL, *home = getenv("HOME");
    const bool is_named = named && named[0] == '/';
    if (!is_named && (!home || home[0] != '/')) return -ENOENT;
    int n = snprintf(ret, PATH_BYTES, "%s%s%s", is_named ? named : home, is_named ? "" : "/",
                     is_named ? "" : homes[cli].fallback);
    return n < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

/* The directory to begin at, and what of the path is left beneath it. */
static int find_root(enum cli cli, const char *path, const char **ret_rest) {
    char root[PATH_BYTES];
    const char *home = getenv("HOME");
    if (home_of(cli, root) == 0 && (*ret_rest = beneath_part(root, path))) return beneath_root(root);
    if (home && home[0] == '/' && (*ret_rest = beneath_part(home, path))) return beneath_root(home);
    return -EXDEV;
}

int cli_file_open(enum cli cli, const char *path, struct stat *ret) {
    const char *rest = NULL;
    AUTO(fd) int root = find_root(cli, path, &rest);
    return root < 0 ? root : beneath_open(root, rest, O_RDONLY, ret);
}

int cli_dir_open(enum cli cli, const char *path) {
    const char *rest = NULL;
    AUTO(fd) int root = find_root(cli, path, &rest);
    return root < 0 ? root : beneath_open_dir(root, rest);
}
