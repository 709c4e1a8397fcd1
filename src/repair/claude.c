#include "repair/claude.h"

#include "base/cleanup.h"
#include "platform/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#define SUFFIX ".jsonl"

enum { SUFFIX_CHARS = sizeof SUFFIX - 1 };

/* ---- places and names ------------------------------------------------------------------------------------------ */

int claude_home(char out[PATH_BYTES]) {
    static const char *const variables[] = {"CLAUDE_CONFIG_DIR", "CLAUDE_HOME"};
    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        struct span dir = span_str(getenv(variables[i]));
        while (dir.n > 1 && dir.p[dir.n - 1] == '/')
            dir.n--;
        if (dir.n == 0) continue;
        if (dir.n >= PATH_BYTES) return -ENAMETOOLONG;
        memcpy(out, dir.p, dir.n);
        out[dir.n] = '\0';
        return 0;
    }
    const char *home = getenv("HOME");
    return home && home[0] ? path_join(out, home, ".claude") : -ENOENT;
}

int claude_projects(char out[PATH_BYTES]) {
    char home[PATH_BYTES];
    int r = claude_home(home);
    return r < 0 ? r : path_join(out, home, "projects");
}

bool claude_holds(const char *projects, const char *path) {
    size_t n = strlen(projects);
    return n && strncmp(path, projects, n) == 0 && path[n] == '/' && !strstr(path, "/../");
}

bool claude_is_session_id(struct span name) {
    if (name.n != SESSION_ID_CHARS) return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        bool wants_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (wants_dash ? c != '-' : !is_hex) return false;
    }
    return true;
}

struct span claude_session_of(struct span path) {
    const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
    struct span name = slash ? span_skip(path, (size_t)(slash - path.p) + 1) : path;
    return span_ends(name, SPAN(SUFFIX)) ? span_take(name, name.n - SUFFIX_CHARS) : name;
}

/* ---- the walk -------------------------------------------------------------------------------------------------- */

struct file_mark claude_mark(const struct stat *st) {
    return (struct file_mark){.device = st->st_dev,
                              .inode = st->st_ino,
                              .size = (uint64_t)st->st_size,
                              .mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec};
}

static bool may_be(const struct dirent *entry, unsigned char type) {
    return entry->d_type == type || entry->d_type == DT_UNKNOWN;
}

static bool is_transcript_name(const char *name) {
    size_t n = strlen(name);
    return n > SUFFIX_CHARS && strcmp(name + n - SUFFIX_CHARS, SUFFIX) == 0;
}

/* A directory, or with O_NOFOLLOW one below another; NULL with errno when it is none. */
static DIR *open_below(int parent, const char *name, int flags) {
    AUTO(fd) int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (dir) (void)TAKE_FD(fd); /* the stream's, from here on */
    return dir;
}

/* The transcripts that lie in this very directory. */
static int each_file(DIR *dir, const char *path, claude_each_fn *fn, void *user) {
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char file[PATH_BYTES];
        struct stat st;
        if (!may_be(entry, DT_REG) || !is_transcript_name(entry->d_name)) continue;
        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
            continue;
        if (path_join(file, path, entry->d_name) < 0) continue;
        struct file_mark mark = claude_mark(&st);
        int r = fn(user, file, &mark);
        if (r) return r;
    }
    return 0;
}

/* What a walk says of a directory that cannot be opened. One that is not there holds nothing. */
static int not_opened(void) {
    return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}

int claude_each_in(const char *dir, claude_each_fn *fn, void *user) {
    AUTO(dir) DIR *d = open_below(AT_FDCWD, dir, 0);
    return d ? each_file(d, dir, fn, user) : not_opened();
}

/* What a directory holds besides transcripts of its own: neither itself, its parent, nor the helpers of a session. */
static bool is_project(const struct dirent *entry) {
    const char *name = entry->d_name;
    return may_be(entry, DT_DIR) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
           strcmp(name, "subagents") != 0;
}

int claude_each(const char *projects, claude_each_fn *fn, void *user) {
    AUTO(dir) DIR *all = open_below(AT_FDCWD, projects, 0);
    if (!all) return not_opened();
    for (const struct dirent *entry; (entry = readdir(all));) {
        char path[PATH_BYTES];
        if (!is_project(entry) || path_join(path, projects, entry->d_name) < 0) continue;
        AUTO(dir) DIR *project = open_below(dirfd(all), entry->d_name, O_NOFOLLOW);
        if (!project) continue; /* one locked room is not the house */
        int r = each_file(project, path, fn, user);
        if (r) return r;
    }
    return 0;
}

int claude_find(const char *projects, struct span session_id, char out[PATH_BYTES]) {
    if (!claude_is_session_id(session_id)) return -ENOENT;
    AUTO(dir) DIR *all = open_below(AT_FDCWD, projects, 0);
    if (!all) return -ENOENT;
    char file[SESSION_ID_CHARS + sizeof SUFFIX];
    memcpy(file, session_id.p, SESSION_ID_CHARS);
    memcpy(file + SESSION_ID_CHARS, SUFFIX, sizeof SUFFIX);
    int64_t newest = INT64_MIN;
    for (const struct dirent *entry; (entry = readdir(all));) {
        char relative[PATH_BYTES], path[PATH_BYTES];
        struct stat st;
        if (!is_project(entry) || path_join(relative, entry->d_name, file) < 0) continue;
        AUTO(fd) int fd = beneath_open(dirfd(all), relative, O_RDONLY, &st);
        if (fd < 0) continue;
        int64_t mtime = claude_mark(&st).mtime_ns;
        if (mtime <= newest || path_join(path, projects, relative) < 0) continue;
        newest = mtime;
        memcpy(out, path, strlen(path) + 1);
    }
    return newest == INT64_MIN ? -ENOENT : 0;
}
