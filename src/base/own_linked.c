#include "base/own_linked.h"

#include "base/cleanup.h"
#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

static bool is_trusted(uid_t owner) {
    return owner == geteuid() || owner == 0;
}

/* Can somebody else exchange what is in this directory? In one with the sticky bit they can only exchange what is theirs. A group
 * that may write is this user's own, as where every user has one, or root's decision. */
static bool is_safe(const struct stat *dir) {
    if (!is_trusted(dir->st_uid)) return false;
    if (dir->st_mode & S_ISVTX) return true;
    bool group_is_safe = !(dir->st_mode & S_IWGRP) || dir->st_gid == getegid() || dir->st_uid == 0;
    return !(dir->st_mode & S_IWOTH) && group_is_safe;
}

int own_check_way(const char *dir) {
    char real[PATH_MAX];
    struct stat st;
    if (!realpath(dir, real)) return -errno;
    for (;;) {
        if (lstat(real, &st) < 0) return -errno;
        if (!is_safe(&st)) return -EPERM;
        char *slash = strrchr(real, '/');
        if (!slash || !real[1]) return 0;
        slash[slash == real] = '\0';
    }
}

/* What is behind a link: the file that is open now, and the way to it. */
static int check_target(const char *path, const struct stat *opened) {
    char real[PATH_MAX];
    struct stat named;
    if (!realpath(path, real)) return -errno;
    if (lstat(real, &named) < 0) return -errno;
    if (named.st_dev != opened->st_dev || named.st_ino != opened->st_ino) return -EAGAIN;
    char *slash = strrchr(real, '/');
    slash[slash == real] = '\0';
    return own_check_way(real);
}

int own_open_linked(const char *path, struct stat *ret) {
    int direct = own_open(path, O_RDONLY, 0);
    if (direct >= 0 && fstat(direct, ret) < 0) {
        int r = -errno;
        (void)close(direct);
        return r;
    }
    if (direct != -ELOOP) return direct;
    AUTO(fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return errno == ENXIO ? -EINVAL : -errno;
    if (fstat(fd, &st) < 0) return -errno;
    if (!S_ISREG(st.st_mode)) return -EINVAL;
    if (!is_trusted(st.st_uid)) return -EPERM;
    int r = check_target(path, &st);
    if (r < 0) return r;
    *ret = st;
    return TAKE_FD(fd);
}

const char *own_why(int code) {
    switch (code) {
    case -ELOOP: return "it is a symbolic link, which could lead anywhere: move it away";
    case -EINVAL: return "it is no plain file: move it away";
    case -EPERM:
        return "it, or the directory it is in, belongs to another user: change the owner, or set OSTLER_HOME "
               "to a directory of your own";
    default: return strerror(-code);
    }
}
