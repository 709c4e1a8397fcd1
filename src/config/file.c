#include "config/file.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { LINKS_MAX = 16, TRIES = 10 };

/* Reading */

/* What it was when it was read; a file that is not there has no inode. */
static int read_marked(const char *file, struct buf *ret, struct stat *ret_st, struct err *err) {
    *ret_st = (struct stat){0};
    AUTO(fd) int fd = own_open_linked(file, ret_st);
    if (fd == -ENOENT) return fd;
    if (fd < 0) return err_set(err, fd, "cannot read %s: %s", file, own_why(fd));
    int r = file_read_fd(fd, ret);
    if (r == -EFBIG) return err_set(err, r, "%s is larger than 1 MiB: that is no configuration", file);
    return r < 0 ? err_sys(err, r, "cannot read %s", file) : 0;
}

int config_file_read(const char *file, struct buf *ret, struct err *err) {
    struct stat st;
    return read_marked(file, ret, &st, err);
}

/* Replacing */

static int dir_of(const char *file, char ret[PATH_BYTES]) {
    const char *slash = strrchr(file, '/');
    size_t n = slash ? (size_t)(slash - file) : 0;
    if (n >= PATH_BYTES) return -ENAMETOOLONG;
    if (n)
        memcpy(ret, file, n);
    else
        ret[n++] = slash ? '/' : '.';
    ret[n] = '\0';
    return 0;
}

/* Where symbolic links lead to, even if there is nothing there yet. */
static int follow_links(const char *file, char ret[PATH_BYTES]) {
    char link[PATH_BYTES], dir[PATH_BYTES];
    if (strlen(file) >= PATH_BYTES) return -ENAMETOOLONG;
    memcpy(ret, file, strlen(file) + 1);
    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t n = readlink(ret, link, sizeof link);
        if (n < 0) return errno == EINVAL || errno == ENOENT ? 0 : -errno;
        if ((size_t)n >= sizeof link) return -ENAMETOOLONG;
        link[n] = '\0';
        int r = dir_of(ret, dir);
        if (link[0] == '/')
            memcpy(ret, link, (size_t)n + 1);
        else if (r == 0)
            r = path_join(ret, dir, link);
        if (r < 0) return r;
    }
    return -ELOOP;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* -EAGAIN when the file is not any more what it was. */
static int take_place(const char *beside, const char *file, const struct stat *was) {
    struct stat now = {0};
    if (stat(file, &now) < 0 && errno != ENOENT) return -errno;
    if (!is_same(&now, was)) return -EAGAIN;
    return rename(beside, file) < 0 ? -errno : 0;
}

static int replace(const char *file, int dir_fd, const struct stat *was, struct span text) {
    char beside[PATH_BYTES];
    if ((size_t)snprintf(beside, sizeof beside, "%s.XXXXXX", file) >= sizeof beside) return -ENAMETOOLONG;
    AUTO(fd) int fd = mkostemp(beside, O_CLOEXEC); /* 0600 */
    if (fd < 0) return -errno;
    int r = file_write_fd(fd, text);
    if (r == 0 && fsync(fd) < 0) r = -errno;
    if (r == 0 && was->st_ino && fchown(fd, was->st_uid, was->st_gid) < 0 && was->st_uid != geteuid())
        r = -errno; /* somebody else's file stays theirs, or as it is */
    if (r == 0) r = take_place(beside, file, was);
    if (r < 0)
        (void)unlink(beside);
    else
        (void)fsync(dir_fd);
    return r;
}

static int edit_once(const char *file, int dir_fd,
                     int (*edit)(void *user, struct span text, struct buf *out, struct err *err), void *user,
                     struct err *err) {
    AUTO(buf) struct buf old = BUF_INIT(CONFIG_FILE_BYTES_MAX), new = BUF_INIT(CONFIG_FILE_BYTES_MAX);
    struct stat was;
    int r = read_marked(file, &old, &was, err);
    if (r < 0 && r != -ENOENT) return r;
    r = edit(user, buf_span(&old), &new, err);
    if (r < 0) return r;
    if (new.failed) return err_set(err, -EFBIG, "%s would become larger than 1 MiB", file);
    if (span_eq(buf_span(&old), buf_span(&new))) return 0; /* no file is made for nothing, either */
    r = replace(file, dir_fd, &was, buf_span(&new));
    if (r == -EAGAIN) return err_set(err, r, "%s is being changed by another program: try again", file);
    return r < 0 ? err_sys(err, r, "cannot write %s", file) : 0;
}

/* The directory to write in: ours, or where a link of the person's leads to and nobody else can write. */
static int open_dir(const char *dir, bool linked) {
    int r = linked ? own_check_way(dir) : 0;
    if (r < 0) return r;
    if (!linked) return own_dir(dir);
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int config_file_edit(const char *file,
                     int (*edit)(void *user, struct span text, struct buf *out, struct err *err), void *user,
                     struct err *err) {
    char target[PATH_BYTES], dir[PATH_BYTES];
    int r = follow_links(file, target);
    if (r == 0) r = dir_of(target, dir);
    if (r < 0) return err_sys(err, r, "cannot write %s", file);
    r = path_make_dirs(dir);
    if (r < 0) return err_set(err, r, "cannot create the directory %s: %s", dir, own_why(r));
    AUTO(fd) int dir_fd = open_dir(dir, strcmp(file, target) != 0);
    if (dir_fd < 0) return err_set(err, dir_fd, "cannot write in %s: %s", dir, own_why(dir_fd));
    while (flock(dir_fd, LOCK_EX) < 0 && errno == EINTR)
        continue;
    for (int i = 0; i < TRIES; i++) {
        r = edit_once(target, dir_fd, edit, user, err);
        if (r != -EAGAIN) break;
    }
    return r;
}
