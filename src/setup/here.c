#include "setup/here.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool setup_find_program(enum cli cli, char ret[PATH_BYTES]) {
    struct span left = span_str(getenv("PATH"));
    while (left.n) {
        struct span dir = span_split(&left, ':');
        int n = snprintf(ret, PATH_BYTES, "%.*s/%s", SPAN_ARG(dir), cli_to_str(cli));
        if (dir.n && n < PATH_BYTES && access(ret, X_OK) == 0) return true;
    }
    ret[0] = '\0';
    return false;
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
    return setup_find_program(cli, program) || has_directory(p, cli);
}
