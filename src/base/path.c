#include "base/path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Strings one behind the other, up to a NULL. Not printf, which costs the hook more than the rest of its work. */
static int concat(char out[PATH_BYTES], const char *const *parts) {
    size_t n = 0;
    for (; *parts; parts++) {
        size_t len = strlen(*parts);
        if (len >= PATH_BYTES - n) return -ENAMETOOLONG;
        memcpy(out + n, *parts, len);
        n += len;
    }
    out[n] = '\0';
    return 0;
}
#define CONCAT(out, ...) concat(out, (const char *const[]){__VA_ARGS__, NULL})

int path_join(char out[PATH_BYTES], const char *dir, const char *name) {
    return CONCAT(out, dir, "/", name);
}

/* The directory that `variable` names, or $HOME/fallback, with "/ostler" and `suffix` behind it. Relative values are
 * ignored, as XDG asks. */
static int base_dir(char out[PATH_BYTES], const char *variable, const char *fallback, const char *suffix) {
    const char *dir = getenv(variable), *home = getenv("HOME");
    bool named = dir && dir[0] == '/';
    if (!named && (!home || home[0] != '/')) return -ENOENT;
    return named ? CONCAT(out, dir, "/ostler", suffix) : CONCAT(out, home, "/", fallback, "/ostler", suffix);
}

/* The state directory with `suffix` behind it. */
static int state_dir(char out[PATH_BYTES], const char *suffix) {
    const char *home = getenv("OSTLER_HOME");
    if (!home || !home[0]) return base_dir(out, "XDG_STATE_HOME", ".local/state", suffix);
    if (home[0] != '/') return -EINVAL;
    return CONCAT(out, home, suffix);
}

int path_spool(char out[PATH_BYTES]) {
    return state_dir(out, "/spool");
}

static int resolve(struct paths *p) {
    int r = state_dir(p->state, "");
    if (r == 0) r = path_spool(p->spool);
    if (r < 0) return r;
    const char *home = getenv("OSTLER_HOME"), *runtime = getenv("XDG_RUNTIME_DIR");
    if (home && home[0]) {
        r = path_join(p->config, home, "config");
        return r < 0 ? r : path_join(p->run, home, "run");
    }
    r = base_dir(p->config, "XDG_CONFIG_HOME", ".config", "");
    if (r < 0) return r;
    return runtime && runtime[0] == '/' ? path_join(p->run, runtime, "ostler")
                                        : path_join(p->run, p->state, "run");
}

int paths_resolve(struct paths *ret, struct err *err) {
    struct paths p;
    int r = resolve(&p);
    switch (r) {
    case 0: *ret = p; return 0;
    case -EINVAL:
        return err_set(err, r, "OSTLER_HOME must be an absolute path, not \"%s\"", getenv("OSTLER_HOME"));
    case -ENOENT: return err_set(err, r, "no home directory: set HOME or OSTLER_HOME to an absolute path");
    default:
        return err_set(err, r,
                       "the path of the state directory is too long: set OSTLER_HOME to a shorter one");
    }
}

/* Directories are made only where nobody else could exchange them: in one of this user's, or of root's. */
static int make_dir(const char *path, const char *parent) {
    struct stat st;
    if (stat(path, &st) == 0) return 0;
    if (stat(parent, &st) < 0) return -errno;
    if (st.st_uid != geteuid() && st.st_uid != 0) return -EPERM;
    return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

int path_make_dirs(const char *dir) {
    char path[PATH_BYTES], parent[PATH_BYTES] = "/";
    if (dir[0] != '/') parent[0] = '.';
    int r = CONCAT(path, dir);
    for (char *slash = strchr(path + 1, '/'); r == 0 && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        r = make_dir(path, parent);
        (void)memcpy(parent, path, (size_t)(slash - path) + 1);
        *slash = '/';
    }
    return r < 0 ? r : make_dir(path, parent);
}

int path_make_parent(const char *file) {
    char dir[PATH_BYTES];
    const char *slash = strrchr(file, '/');
    size_t n = slash ? (size_t)(slash - file) : 0;
    if (n == 0) return 0; /* where we are, or the root */
    if (n >= sizeof dir) return -ENAMETOOLONG;
    memcpy(dir, file, n);
    dir[n] = '\0';
    return path_make_dirs(dir);
}
