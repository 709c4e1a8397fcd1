#include "repair/place.h"

#include "base/cleanup.h"
#include "platform/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cuts a path into a directory and a name. */
static int part(const char *path, struct place *p) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int dir_n = !slash ? 1 : slash == path ? 1 : (int)(slash - path);
    int n = snprintf(p->dir_path, sizeof p->dir_path, "%.*s", dir_n, slash ? path : ".");
    if (n < 0 || n >= (int)sizeof p->dir_path || strlen(name) >= sizeof p->name) return -ENAMETOOLONG;
    (void)snprintf(p->name, sizeof p->name, "%s", name);
    return name[0] ? 0 : -EISDIR;
}

static int open_beneath(const char *root, struct place *p) {
    const char *relative = strcmp(root, p->dir_path) == 0 ? "" : beneath_part(root, p->dir_path);
    if (!relative) return -EXDEV;
    AUTO(fd) int fd = beneath_root(root);
    return fd < 0 ? fd : beneath_open_dir(fd, relative);
}

/* What a person named. A link that leads nowhere is reported as it is. */
static int open_named(const char *path, struct place *p) {
    char real[PATH_MAX];
    int r = realpath(path, real) ? part(real, p) : errno == ENOENT ? 0 : -errno;
    if (r < 0) return r;
    int fd = open(p->dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int place_open(const char *path, const char *root, struct place *ret) {
    *ret = (struct place){.dir = -1, .path = path};
    int r = part(path, ret);
    if (r < 0) return r;
    r = root ? open_beneath(root, ret) : open_named(path, ret);
    if (r < 0) return r;
    ret->dir = r;
    return 0;
}

void cleanup_place(struct place *p) {
    cleanup_fd(&p->dir);
}

int place_open_beside(const struct place *p, const char *name, int flags, struct stat *ret) {
    return beneath_open(p->dir, name, flags, ret);
}

int place_open_file(const struct place *p, int flags, struct stat *ret) {
    return place_open_beside(p, p->name, flags, ret);
}

int place_check_same(const struct place *p, const char *name, int fd) {
    struct stat now, opened;
    if (fstatat(p->dir, name, &now, AT_SYMLINK_NOFOLLOW) < 0 || fstat(fd, &opened) < 0) return -errno;
    return now.st_dev == opened.st_dev && now.st_ino == opened.st_ino ? 0 : -ESTALE;
}

int place_may_write(const struct place *p, int fd) {
    struct stat file, dir;
    if (fstat(fd, &file) < 0 || fstat(p->dir, &dir) < 0) return -errno;
    if (file.st_nlink > 1) return -EMLINK;
    return dir.st_uid == geteuid() || dir.st_uid == 0 ? 0 : -EPERM;
}
