#include "platform/scope.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "base/strv.h"
#include "platform/unixsock.h"

#include <stdlib.h>
#include <unistd.h>

#define PROGRAM "systemd-run"

static bool installed(void) {
    struct span rest = span_str(getenv("PATH"));
    while (rest.n) {
        char dir[PATH_BYTES], path[PATH_BYTES];
        struct span s = span_split(&rest, ':');
        if (!s.n || s.n >= sizeof dir) continue;
        memcpy(dir, s.p, s.n);
        dir[s.n] = '\0';
        if (path_join(path, dir, PROGRAM) == 0 && access(path, X_OK) == 0) return true;
    }
    return false;
}

bool scope_available(void) {
    char path[PATH_BYTES];
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    /* A socket that is only lying there refuses: the manager has ended. */
    if (!runtime || path_join(path, runtime, "systemd/private") < 0) return false;
    AUTO(fd) int fd = unixsock_connect(path);
    return fd >= 0 && installed();
}

void scope_command(char ***argv, const char *unit) {
    char option[160];
    (void)snprintf(option, sizeof option, "--unit=%s", unit);
    static const char *const words[] = {PROGRAM, "--user", "--scope", "--quiet", "--collect"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        strv_push(argv, span_str(words[i]));
    strv_push(argv, span_str(option));
    strv_push(argv, SPAN("--"));
}
