#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int path_join(char out[PATH_BYTES], const char *dir, const char *name) {
    int n = snprintf(out, PATH_BYTES, "%s/%s", dir, name);
    return n < 0 || n >= PATH_BYTES ? -ENAMETOOLONG : 0;
}

/* The environment's directory `variable`, or $HOME/fallback. Relative values are ignored, as XDG asks. */
static int base_dir(char out[PATH_BYTES], const char *variable, const char *fallback) {
    const char *dir = getenv(variable);
    if (dir && dir[0] == '/') return path_join(out, dir, "ostler");
    const char *home = getenv("HOME");
    if (!home || home[0] != '/') return -ENOENT;
    char parent[PATH_BYTES];
    int r = path_join(parent, home, fallback);
    return r < 0 ? r : path_join(out, parent, "ostler");
}

static int resolve_home(struct paths *p, const char *home) {
    int n = snprintf(p->state, sizeof p->state, "%s", home);
    if (n < 0 || n >= PATH_BYTES) return -ENAMETOOLONG;
    int r = path_join(p->config, home, "config");
    return r < 0 ? r : path_join(p->run, home, "run");
}

static int resolve_xdg(struct paths *p) {
    int r = base_dir(p->state, "XDG_STATE_HOME", ".local/state");
    if (r < 0) return r;
    r = base_dir(p->config, "XDG_CONFIG_HOME", ".config");
    if (r < 0) return r;
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (runtime && runtime[0] == '/') return path_join(p->run, runtime, "ostler");
    return path_join(p->run, p->state, "run");
}

int paths_resolve(struct paths *ret, struct err *err) {
    struct paths p;
    const char *home = getenv("OSTLER_HOME");
    if (home && home[0] && home[0] != '/')
        return err_set(err, -EINVAL, "OSTLER_HOME must be an absolute path, not \"%s\"", home);
    int r = home && home[0] ? resolve_home(&p, home) : resolve_xdg(&p);
    if (r == 0) r = path_join(p.spool, p.state, "spool");
    if (r == -ENOENT)
        return err_set(err, r, "no home directory: set HOME or OSTLER_HOME to an absolute path");
    if (r < 0)
        return err_set(err, r,
                       "the path of the state directory is too long: set OSTLER_HOME to a shorter one");
    *ret = p;
    return 0;
}

int path_make_dirs(const char *dir) {
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "%s", dir);
    if (n < 0 || n >= PATH_BYTES) return -ENAMETOOLONG;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) < 0 && errno != EEXIST) return -errno;
        *slash = '/';
    }
    return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}
