#include "setup/file.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEW_FILE_MODE = 0600 };

static int explain_read(const char *path, int code, struct err *err) {
    if (code == -EISDIR) return err_set(err, code, "%s is a directory, not a file", path);
    if (code == -EFBIG) return err_set(err, code, "%s is too large to be a settings file", path);
    if (code == -EINVAL) return err_set(err, code, "%s is not a regular file", path);
    return err_sys(err, code, "%s cannot be read", path);
}

/* Where the links end. A path to nothing is no error, a link to nothing is. */
static int find_target(const char *path, struct setup_file *f, struct err *err) {
    struct stat st;
    char real[PATH_MAX];
    if (lstat(path, &st) < 0) {
        if (errno != ENOENT) return explain_read(path, -errno, err);
        (void)memcpy(f->target, f->path, sizeof f->target);
        return 0;
    }
    f->exists = true;
    if (!realpath(path, real)) {
        if (errno == ENOENT)
            return err_set(err, -ENOENT, "%s is a link to something that is not there: remove it or mend it",
                           path);
        return explain_read(path, -errno, err);
    }
    return snprintf(f->target, sizeof f->target, "%s", real) < (int)sizeof f->target ? 0 : -ENAMETOOLONG;
}

static int read_target(struct setup_file *f, size_t max) {
    struct stat st;
    AUTO(fd) int fd = file_open_plain(f->target, &st);
    if (fd < 0) return fd;
    if ((uint64_t)st.st_size > max) return -EFBIG;
    f->mode = st.st_mode & 07777;
    f->uid = st.st_uid;
    f->gid = st.st_gid;
    return file_read_fd(fd, &f->text);
}

int setup_file_read(const char *path, size_t max, struct setup_file *ret, struct err *err) {
    *ret = (struct setup_file){.mode = NEW_FILE_MODE, .uid = geteuid(), .gid = getegid()};
    ret->text = BUF_INIT(max);
    if (snprintf(ret->path, sizeof ret->path, "%s", path) >= (int)sizeof ret->path)
        return err_set(err, -ENAMETOOLONG, "the path %.64s… is too long", path);
    int r = find_target(path, ret, err);
    if (r < 0 || !ret->exists) return r;
    r = read_target(ret, max);
    return r < 0 ? explain_read(path, r, err) : 0;
}

int setup_file_check(const struct setup_file *f, struct err *err) {
    char copy[PATH_BYTES];
    if (!f->exists) return 0;
    if (f->uid != geteuid() && geteuid() != 0)
        return err_set(err, -EACCES, "%s belongs to another user (uid %u): change its owner, or ask them",
                       f->path, (unsigned)f->uid);
    if (!(f->mode & S_IWUSR))
        return err_set(err, -EACCES, "%s is read-only: chmod u+w it if it may be changed", f->path);
    (void)memcpy(copy, f->target, sizeof copy);
    if (access(dirname(copy), W_OK) < 0)
        return err_sys(err, -errno, "%s cannot be replaced: its directory cannot be written to", f->path);
    return 0;
}

/* Is the file at `path` still what was read? */
static bool is_same(const char *path, const struct setup_file *was) {
    AUTO(buf) struct buf now = BUF_INIT(was->text.n);
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    return fd >= 0 && file_read_fd(fd, &now) == 0 && span_eq(buf_span(&now), buf_span(&was->text));
}

static int write_temporary(const struct setup_file *was, struct span text, char *temporary) {
    AUTO(fd) int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) return -errno;
    int r = file_write_fd(fd, text);
    if (r == 0 && (was->uid != geteuid() || was->gid != getegid()) && fchown(fd, was->uid, was->gid) < 0)
        r = was->uid != geteuid() ? -errno : 0; /* a group that we are not in cannot be kept */
    if (r == 0 && (fchmod(fd, was->mode) < 0 || fsync(fd) < 0)) r = -errno;
    if (r < 0) (void)unlink(temporary);
    return r;
}

static void sync_directory(const char *file) {
    char copy[PATH_BYTES];
    (void)memcpy(copy, file, sizeof copy);
    AUTO(fd) int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) (void)fsync(fd);
}

static bool cannot(int code) {
    return code == EINVAL || code == ENOSYS || code == ENOTSUP;
}

/* Puts the new file in the old one's place. Both change places first, so that the old one can be looked at when nobody can write
 * to it under its name any more: if it is not what was read, they change back. */
static int exchange(const char *temporary, const struct setup_file *was) {
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, was->target, RENAME_EXCHANGE) < 0) {
        if (!cannot(errno)) return errno == ENOENT ? -EAGAIN : -errno;
        if (!is_same(was->target, was)) return -EAGAIN;
        return rename(temporary, was->target) < 0 ? -errno : 0;
    }
    if (is_same(temporary, was)) {
        (void)unlink(temporary);
        return 0;
    }
    return renameat2(AT_FDCWD, temporary, AT_FDCWD, was->target, RENAME_EXCHANGE) < 0 ? -errno : -EAGAIN;
}

static int put_new(const char *temporary, const struct setup_file *was) {
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, was->target, RENAME_NOREPLACE) == 0) return 0;
    if (errno == EEXIST) return -EAGAIN;
    if (!cannot(errno)) return -errno;
    if (link(temporary, was->target) < 0) return errno == EEXIST ? -EAGAIN : -errno;
    (void)unlink(temporary);
    return 0;
}

int setup_file_replace(const struct setup_file *was, struct span text, struct err *err) {
    int r = setup_file_check(was, err);
    if (r < 0) return r;
    if (!was->exists) r = path_make_parent(was->target);
    if (r < 0) return err_sys(err, r, "the directory of %s cannot be made", was->path);
    AUTO(free) char *temporary = str_format("%s.ostler-XXXXXX", was->target);
    r = write_temporary(was, text, temporary);
    if (r < 0) return err_sys(err, r, "%s cannot be written beside it", was->path);
    r = was->exists ? exchange(temporary, was) : put_new(temporary, was);
    if (r < 0) (void)unlink(temporary);
    if (r == -EAGAIN)
        return err_set(err, r, "%s is being changed by somebody else: try again when they are done",
                       was->path);
    if (r < 0) return err_sys(err, r, "%s cannot be replaced", was->path);
    sync_directory(was->target);
    return 0;
}

int setup_file_delete(const struct setup_file *was, struct err *err) {
    int r = setup_file_check(was, err);
    if (r < 0) return r;
    if (!is_same(was->target, was))
        return err_set(err, -EAGAIN, "%s is being changed by somebody else: try again when they are done",
                       was->path);
    if (unlink(was->target) < 0) return err_sys(err, -errno, "%s cannot be deleted", was->path);
    sync_directory(was->target);
    return 0;
}
