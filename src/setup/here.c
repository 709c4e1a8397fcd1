#include "setup/here.h"

#include "base/cleanup.h"
#include "setup/seen.h"

#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Directories under the home directory. A daemon's PATH often lacks these, and a shell's has only one of several. */
static const char *const usual_places[] = {
    "bin",
    ".local/bin",
    ".claude/local",
    ".npm-global/bin",
    ".bun/bin",
    ".volta/bin",
    ".opencode/bin",
    ".local/share/pnpm",
    ".nvm/versions/node/*/bin",
    ".local/share/fnm/node-versions/*/installation/bin",
};

static void add_usual(const char *place, enum cli cli, char ***ret) {
    char pattern[PATH_BYTES];
    const char *home = getenv("HOME");
    glob_t found;
    if (!home || home[0] != '/' ||
        snprintf(pattern, PATH_BYTES, "%s/%s/%s", home, place, cli_to_str(cli)) >= PATH_BYTES)
        return;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (access(found.gl_pathv[i], X_OK) == 0) strv_push(ret, span_str(found.gl_pathv[i]));
    globfree(&found);
}

void setup_programs_in(struct span path, enum cli cli, char ***ret) {
    char program[PATH_BYTES];
    while (path.n) {
        struct span dir = span_split(&path, ':');
        int n = snprintf(program, PATH_BYTES, "%.*s/%s", SPAN_ARG(dir), cli_to_str(cli));
        if (dir.n && n < PATH_BYTES && access(program, X_OK) == 0) strv_push(ret, span_str(program));
    }
}

void setup_programs(const char *seen, enum cli cli, char ***ret) {
    setup_programs_in(span_str(getenv("PATH")), cli, ret);
    for (size_t i = 0; i < ARRAY_LEN(usual_places); i++)
        add_usual(usual_places[i], cli, ret);
    if (seen) seen_add(seen, cli, ret);
}

bool setup_find_program(const char *seen, enum cli cli, char ret[PATH_BYTES]) {
    AUTO(strv) char **programs = NULL;
    setup_programs(seen, cli, &programs);
    (void)snprintf(ret, PATH_BYTES, "%s", programs ? programs[0] : "");
    return programs != NULL;
}

/* Its own directory: for those with a file of ours in it, the one above. */
static bool has_directory(const struct setup_place *p, enum cli cli) {
    char copy[PATH_BYTES];
    (void)memcpy(copy, p->file[cli], sizeof copy);
    const char *dir = dirname(copy);
    if (cli == CLI_COPILOT || cli == CLI_OPENCODE) dir = dirname(copy);
    return access(dir, F_OK) == 0;
}

bool setup_is_here(const struct setup_place *p, enum cli cli) {
    char program[PATH_BYTES];
    return setup_find_program(p->notes.seen, cli, program) || has_directory(p, cli);
}

const char *setup_how_to_install(enum cli cli) {
    static const char *const ways[CLI_N_] = {[CLI_CLAUDE] = "npm install -g @anthropic-ai/claude-code",
                                             [CLI_GEMINI] = "npm install -g @google/gemini-cli",
                                             [CLI_CODEX] = "npm install -g @openai/codex",
                                             [CLI_COPILOT] = "npm install -g @github/copilot",
                                             [CLI_OPENCODE] = "npm install -g opencode-ai"};
    return ways[cli];
}
