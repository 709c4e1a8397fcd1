#include "app/restore_stage.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/str.h"
#include "base/strv.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>

/* In a directory that is being filled. It goes along when that takes its place, and then away: without it a directory of such a name
 * is somebody's data, moved aside. */
#define MARK ".ostler-unpacking"
#define MIDDLE ".restore-"

enum { CARRIED_BYTES_MAX = 64 << 20 };

/* ---- directories ----------------------------------------------------------------------------------------------- */

/* Empties a directory but for the mark, no link followed. */
static void empty(int fd) {
    AUTO(fd) int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    AUTO(dir) DIR *d = again < 0 ? NULL : fdopendir(again);
    if (d) (void)TAKE_FD(again);
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(e->d_name, MARK) == 0)
            continue;
        if (unlinkat(fd, e->d_name, 0) == 0) continue;
        AUTO(fd) int below = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below < 0) continue;
        empty(below);
        (void)unlinkat(fd, e->d_name, AT_REMOVEDIR);
    }
}

/* The mark goes last: what a crash leaves of the removing can still be told from data. */
static void remove_marked(const char *path, int fd) {
    empty(fd);
    (void)unlinkat(fd, MARK, 0);
    (void)rmdir(path);
}

static bool has_mark(int fd) {
    struct stat st;
    return fstatat(fd, MARK, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Where data that are moved aside stay: "STATE-before-restore-DATE". */
static int aside_name(const char *state, char ret[PATH_BYTES]) {
    char when[32];
    time_t now = time(NULL);
    struct tm tm;
    (void)strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    for (int i = 0; i < 100; i++) {
        char more[8] = "";
        struct stat st;
        if (i) (void)snprintf(more, sizeof more, "-%d", i);
        int n = snprintf(ret, PATH_BYTES, "%s-before-restore-%s%s", state, when, more);
        if (n >= PATH_BYTES) return -ENAMETOOLONG;
        if (lstat(ret, &st) < 0 && errno == ENOENT) return 0;
    }
    return -EEXIST;
}

/* One that an earlier restoring left. Whoever still works in it holds its lock. */
static void look_after(const char *state, const char *path) {
    char aside[PATH_BYTES];
    AUTO(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB) < 0) return;
    if (has_mark(fd))
        remove_marked(path, fd);
    else if (rmdir(path) < 0 && aside_name(state, aside) == 0)
        (void)rename(path, aside);
}

static void look_after_all(const char *state) {
    char copy[PATH_BYTES], path[PATH_BYTES];
    (void)snprintf(copy, sizeof copy, "%s", state);
    const char *slash = strrchr(state, '/');
    AUTO(free) char *prefix = str_format("%s" MIDDLE, slash + 1);
    const char *parent = dirname(copy);
    AUTO(dir) DIR *d = opendir(parent);
    AUTO(strv) char **names = NULL;
    for (const struct dirent *e; d && (e = readdir(d));)
        if (span_starts(span_str(e->d_name), span_str(prefix))) strv_push(&names, span_str(e->d_name));
    for (size_t i = 0; names && names[i]; i++)
        if (path_join(path, strcmp(parent, "/") == 0 ? "" : parent, names[i]) == 0) look_after(state, path);
}

/* The state directory where it really is, or will be. */
static int resolve(const char *state, char ret[PATH_BYTES]) {
    char real[PATH_MAX];
    int r = realpath(state, real) ? 0 : -errno;
    if (r == -ENOENT) r = path_make_parent(state);
    if (r < 0) return r;
    int n = snprintf(ret, PATH_BYTES, "%s", access(state, F_OK) == 0 ? real : state);
    return n < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

int stage_open(struct stage *s, const char *state, struct err *err) {
    *s = STAGE_NONE;
    int r = resolve(state, s->state);
    if (r < 0) return err_set(err, r, "nothing can be restored to %s: %s", state, own_why(r));
    look_after_all(s->state);
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "%s" MIDDLE "XXXXXX", s->state);
    if (n >= (int)sizeof path)
        return err_set(err, -ENAMETOOLONG, "the path of the state directory is too long");
    if (!mkdtemp(path)) return err_sys(err, -errno, "no directory can be made beside %s", s->state);
    (void)snprintf(s->path, sizeof s->path, "%s", path);
    s->dir = own_dir(path);
    AUTO(fd) int mark = s->dir < 0 ? s->dir : own_open_at(s->dir, MARK, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (mark < 0 || flock(s->dir, LOCK_EX | LOCK_NB) < 0) {
        cleanup_stage(s);
        return err_sys(err, mark < 0 ? mark : -errno, "%s cannot be used", path);
    }
    return 0;
}

void cleanup_stage(struct stage *s) {
    cleanup_fd(&s->file);
    if (s->path[0] && s->dir >= 0) remove_marked(s->path, s->dir);
    cleanup_fd(&s->dir);
    *s = STAGE_NONE;
}

/* ---- parts ----------------------------------------------------------------------------------------------------- */

/* The directories on the way to a part are made one by one in what is ours alone; its names are those that backup_is_part() takes. */
static int make_way(int dir, char *path) {
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int r = mkdirat(dir, path, 0700) < 0 && errno != EEXIST ? -errno : 0;
        *slash = '/';
        if (r < 0) return r;
    }
    return 0;
}

/* A part is begun only where it can be ended, with something left for everybody else on that disk. */
static int check_room(const struct stage *s, uint64_t size, struct err *err) {
    enum { SPARE_BYTES = 16 << 20, SPARE_FILES = 1000 };
    struct statvfs fs;
    if (fstatvfs(s->dir, &fs) < 0) return err_sys(err, -errno, "%s cannot be used", s->path);
    uint64_t free = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (free < SPARE_BYTES || size > free - SPARE_BYTES)
        return err_set(
            err, -ENOSPC,
            "the disk has no room for what is in the backup: another part of it has %llu MB, and %llu MB are "
            "left; nothing was changed",
            (unsigned long long)(size >> 20), (unsigned long long)(free >> 20));
    if (fs.f_files && fs.f_favail < SPARE_FILES)
        return err_set(err, -ENOSPC,
                       "the disk cannot take as many files as are in the backup; nothing was changed");
    return 0;
}

static int on_begin(void *user, const char *name, uint64_t size, int64_t mtime UNUSED, struct err *err) {
    struct stage *s = user;
    char path[PATH_BYTES];
    struct span rest = span_str(name);
    bool is_state = span_starts(rest, SPAN("state/"));
    (void)snprintf(path, sizeof path, "%s", is_state ? name + strlen("state/") : name);
    int r = check_room(s, size, err);
    if (r < 0) return r;
    r = make_way(s->dir, path);
    if (r == 0) s->file = own_open_at(s->dir, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (r == 0 && s->file < 0) r = s->file;
    return r < 0 ? err_sys(err, r, "%s cannot be unpacked", name) : 0;
}

static int on_bytes(void *user, struct span bytes, struct err *err) {
    struct stage *s = user;
    int r = file_write_fd(s->file, bytes);
    return r < 0 ? err_sys(err, r, "the backup cannot be unpacked into %s", s->path) : 0;
}

static int on_end(void *user, struct err *err UNUSED) {
    struct stage *s = user;
    cleanup_fd(&s->file);
    s->file = -1;
    return 0;
}

const struct backup_sink stage_sink = {.begin = on_begin, .bytes = on_bytes, .end = on_end};

/* ---- from the old state ---------------------------------------------------------------------------------------- */

static int copy_file(const char *from, const char *to, mode_t mode) {
    AUTO(buf) struct buf text = BUF_INIT(CARRIED_BYTES_MAX);
    int r = file_read(from, &text);
    return r < 0 ? r : file_replace(to, buf_span(&text), mode, true);
}

int stage_carry_over(struct stage *s, const char *name, struct err *err) {
    char from[PATH_BYTES], to[PATH_BYTES];
    int r = path_join(from, s->state, name);
    if (r == 0) r = path_join(to, s->path, name);
    AUTO(fd) int fd = r < 0 ? r : own_dir(from);
    if (fd == -ENOENT) return 0;
    AUTO(dir) DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) r = fd < 0 ? fd : -errno;
    if (!d) return err_set(err, r, "%s cannot be kept: %s", from, own_why(r));
    (void)TAKE_FD(fd);
    r = path_make_dirs(to);
    for (const struct dirent *e; r == 0 && (e = readdir(d));) {
        char file[PATH_BYTES], copy[PATH_BYTES];
        struct stat st;
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode)) continue;
        r = path_join(file, from, e->d_name);
        if (r == 0) r = path_join(copy, to, e->d_name);
        if (r == 0) r = copy_file(file, copy, st.st_mode & 0700);
    }
    return r < 0 ? err_set(err, r, "%s cannot be kept: %s", from, own_why(r)) : 0;
}

/* ---- the step -------------------------------------------------------------------------------------------------- */

static int sync_parent(const char *path) {
    char copy[PATH_BYTES];
    (void)snprintf(copy, sizeof copy, "%s", path);
    AUTO(fd) int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

/* Nothing but what a daemon or this very restoring leaves in an otherwise empty one. */
static bool was_empty(const char *path) {
    char file[PATH_BYTES];
    static const char *const leftovers[] = {"lock", "run/daemon.json"};
    for (size_t i = 0; i < ARRAY_LEN(leftovers); i++)
        if (path_join(file, path, leftovers[i]) == 0) (void)unlink(file);
    if (path_join(file, path, "run") == 0) (void)rmdir(file);
    return rmdir(path) == 0;
}

static int explain(const char *state, int r, struct err *err) {
    if (r == -EBUSY)
        return err_set(err, r,
                       "%s is a mount point, which cannot be exchanged: set OSTLER_HOME to a directory in it",
                       state);
    return err_sys(err, r, "%s cannot be exchanged", state);
}

int stage_take_place(struct stage *s, char aside[PATH_BYTES], struct err *err) {
    char mark[PATH_BYTES], wanted[PATH_BYTES];
    aside[0] = '\0';
    int r = path_join(mark, s->state, MARK);
    if (r == 0) r = aside_name(s->state, wanted);
    if (r < 0) return err_sys(err, r, "%s cannot be exchanged", s->state);
    (void)unlink(mark); /* of one that was killed behind the step */
    /* All parts at once: waiting for the disk after each of some hundred thousand would take hours. */
    if (syncfs(s->dir) < 0) return err_sys(err, -errno, "%s cannot be written", s->path);
    bool is_new = renameat2(AT_FDCWD, s->path, AT_FDCWD, s->state, RENAME_NOREPLACE) == 0;
    if (!is_new && errno != EEXIST) return explain(s->state, -errno, err);
    if (!is_new && renameat2(AT_FDCWD, s->path, AT_FDCWD, s->state, RENAME_EXCHANGE) < 0)
        return explain(s->state, -errno, err);
    (void)unlinkat(s->dir, MARK, 0);
    if (!is_new && !was_empty(s->path))
        (void)snprintf(aside, PATH_BYTES, "%s", rename(s->path, wanted) == 0 ? wanted : s->path);
    s->path[0] = '\0';
    (void)sync_parent(s->state);
    return 0;
}
