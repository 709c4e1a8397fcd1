#include "cli/installed.h"

#include "base/path.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* By the names of enum cli; programs are called the same. */
static const struct {
    const char *name;
    const char *variable; /* names the directory that it has its own in, */
    const char *fallback; /* which is this one of the home otherwise; */
    const char *below;    /* "": it is its own */
} places[] = {{"claude", "CLAUDE_CONFIG_DIR", ".claude", ""},
              {"gemini", NULL, ".gemini", ""},
              {"codex", "CODEX_HOME", ".codex", ""},
              {"copilot", "COPILOT_HOME", ".copilot", ""},
              {"opencode", "XDG_CONFIG_HOME", ".config", "/opencode"}};

static bool is_program(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool is_on_path(const char *name) {
    const char *variable = getenv("PATH");
    struct span rest = span_str(variable);
    while (rest.n) {
        struct span dir = span_split(&rest, ':');
        char path[PATH_BYTES];
        int n = snprintf(path, sizeof path, "%.*s/%s", SPAN_ARG(dir), name);
        if (dir.n && n > 0 && (size_t)n < sizeof path && is_program(path)) return true;
    }
    return false;
}

static bool has_directory(size_t place) {
    char path[PATH_BYTES];
    struct stat st;
    const char *dir = places[place].variable ? getenv(places[place].variable) : NULL;
    bool named = dir && dir[0] == '/';
    if (!named) dir = getenv("HOME");
    if (!dir) return false;
    int n = snprintf(path, sizeof path, "%s/%s%s", dir, named ? "." : places[place].fallback,
                     places[place].below);
    return n > 0 && (size_t)n < sizeof path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool installed_cli(enum cli cli) {
    const char *name = cli_to_str(cli);
    if (is_on_path(name)) return true;
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (strcmp(places[i].name, name) == 0) return has_directory(i);
    return false;
}
