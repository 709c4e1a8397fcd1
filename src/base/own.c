#include "base/own.h"

#include "base/cleanup.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What nobody but the owner may do: whoever can write to a directory can exchange what is in it. */
enum { OTHERS_WRITE = S_IWGRP | S_IWOTH };

int own_dir(const char *path) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) return -errno;
    if (st.st_uid != geteuid()) return -EPERM;
    if (st.st_mode & OTHERS_WRITE && fchmod(fd, st.st_mode & 07777 & ~(mode_t)OTHERS_WRITE) < 0)
        return -errno;
    return TAKE_FD(fd);
}

/* Without O_NONBLOCK the open of a FIFO waits for somebody at its other end. For a plain file it means nothing. A device that
 * has no driver, and a FIFO that nobody reads, answer ENXIO: they are no plain files either. Nothing is cut before it is known
 * whose it is. */
int own_open_at(int dir, const char *name, int flags, mode_t mode) {
    int careful = (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    AUTO(fd) int fd = openat(dir, name, careful, mode);
    struct stat st;
    if (fd < 0) return errno == ENXIO || errno == EISDIR ? -EINVAL : -errno;
    if (fstat(fd, &st) < 0) return -errno;
    if (!S_ISREG(st.st_mode)) return -EINVAL;
    if (st.st_uid != geteuid()) return -EPERM;
    if (st.st_mode & OTHERS_WRITE && fchmod(fd, st.st_mode & 07777 & ~(mode_t)OTHERS_WRITE) < 0)
        return -errno;
    if (flags & O_TRUNC && ftruncate(fd, 0) < 0) return -errno;
    return TAKE_FD(fd);
}

int own_dir_of(const char *path, const char **ret_name) {
    char dir[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    if (!slash) return -EINVAL;
    size_t n = slash == path ? 1 : (size_t)(slash - path);
    if (n >= sizeof dir) return -ENAMETOOLONG;
    memcpy(dir, path, n);
    dir[n] = '\0';
    *ret_name = slash + 1;
    return own_dir(dir);
}

int own_open(const char *path, int flags, mode_t mode) {
    const char *name = NULL;
    AUTO(fd) int dir = own_dir_of(path, &name);
    return dir < 0 ? dir : own_open_at(dir, name, flags, mode);
}

int own_look(const char *path) {
    const char *name = NULL;
    struct stat st;
    AUTO(fd) int dir = own_dir_of(path, &name);
    if (dir < 0) return dir;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
    if (S_ISLNK(st.st_mode)) return -ELOOP;
    if (!S_ISREG(st.st_mode)) return -EINVAL;
    return st.st_uid == geteuid() ? 0 : -EPERM;
}

const char *own_refusal(int code) {
    switch (code) {
    case -ELOOP: return "it is a symbolic link";
    case -EINVAL: return "it is no plain file";
    case -EPERM: return "it, or its directory, belongs to another user";
    default: return NULL;
    }
}
