#include "base/cleanup.h"
#include "base/path.h"
#include "platform/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

/* How often somebody may rename directories under openat2's feet. */
enum { TRIES = 128 };

static atomic_bool walk_only;

void beneath_walk_only(bool on) {
    atomic_store(&walk_only, on);
}

/* Names, one behind the other, none of which leads anywhere but down. */
static bool leads_down(const char *relative) {
    for (const char *p = relative;;) {
        size_t n = strcspn(p, "/");
        if (n == 0 || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.')) return false;
        if (!p[n]) return true;
        p += n + 1;
    }
}

/* One directory after the other, no link followed. */
static int walk(int root, const char *relative, int flags) {
    AUTO(fd) int dir = -1;
    for (;;) {
        char name[NAME_MAX + 1];
        size_t n = strcspn(relative, "/");
        int from = dir < 0 ? root : dir;
        if (!relative[n]) {
            int fd = openat(from, relative, flags);
            return fd < 0 ? -errno : fd;
        }
        if (n >= sizeof name) return -ENAMETOOLONG;
        memcpy(name, relative, n);
        name[n] = '\0';
        int next = openat(from, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (next < 0) {
            struct stat st;
            int r = -errno;
            bool is_link = fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
            return is_link ? -ELOOP : r;
        }
        cleanup_fd(&dir);
        dir = next;
        relative += n + 1;
    }
}

/* Old kernels do not have the call, and the filters of some containers forbid what they do not know. */
static int resolve(int root, const char *relative, int flags) {
    struct open_how how = {.flags = (unsigned)flags,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    if (!leads_down(relative)) return -EXDEV;
    if (atomic_load(&walk_only)) return walk(root, relative, flags);
    long fd = syscall(SYS_openat2, root, relative, &how, sizeof how);
    if (fd >= 0) return (int)fd;
    return errno == ENOSYS || errno == EPERM ? walk(root, relative, flags) : -errno;
}

static int check(int fd, struct stat *ret) {
    if (fstat(fd, ret) < 0) return -errno;
    if (S_ISLNK(ret->st_mode)) return -ELOOP;
    if (!S_ISREG(ret->st_mode)) return S_ISDIR(ret->st_mode) ? -EISDIR : -EINVAL;
    return ret->st_uid == geteuid() ? 0 : -EPERM;
}

/* Somebody has a lease on it and will be done in a moment. The file is held by then, so that it is no other that is waited for. */
static int open_patiently(int held, int flags) {
    char self[48];
    struct stat st;
    int r = check(held, &st);
    if (r < 0) return r;
    (void)snprintf(self, sizeof self, "/proc/self/fd/%d", held);
    int fd = open(self, flags | O_NOCTTY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int beneath_open(int root, const char *relative, int flags, struct stat *ret) {
    enum { CAREFUL = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
    int r = -EAGAIN;
    for (int i = 0; r == -EAGAIN && i < TRIES; i++) {
        r = resolve(root, relative, flags | CAREFUL);
        if (r != -EAGAIN) break;
        AUTO(fd) int held = resolve(root, relative, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        r = held < 0 ? held : open_patiently(held, flags);
    }
    if (r < 0) return r == -ENXIO ? -EINVAL : r;
    AUTO(fd) int fd = r;
    struct stat st;
    r = check(fd, &st);
    if (r < 0) return r;
    *ret = st;
    return TAKE_FD(fd);
}

static int check_dir(int fd) {
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    return st.st_uid == geteuid() ? 0 : -EPERM;
}

int beneath_open_dir(int root, const char *relative) {
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    int r = -EAGAIN;
    for (int i = 0; r == -EAGAIN && i < TRIES; i++)
        r = relative[0] ? resolve(root, relative, FLAGS) : fcntl(root, F_DUPFD_CLOEXEC, 0);
    if (r < 0) return r;
    AUTO(fd) int fd = r;
    r = check_dir(fd);
    return r < 0 ? r : TAKE_FD(fd);
}

int beneath_root(const char *path) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return -errno;
    int r = check_dir(fd);
    return r < 0 ? r : TAKE_FD(fd);
}

const char *beneath_part(const char *root, const char *path) {
    size_t n = strlen(root);
    while (n > 1 && root[n - 1] == '/')
        n--;
    if (n == 0 || strncmp(path, root, n) != 0) return NULL;
    if (n == 1 && root[0] == '/') return path + 1;
    return path[n] == '/' ? path + n + 1 : NULL;
}

const char *beneath_why(int code) {
    switch (code) {
    case -ELOOP: return "there is a symbolic link on the way, and it may lead anywhere";
    case -EXDEV: return "it does not lie where its program keeps its files";
    case -EINVAL: return "it is no plain file";
    case -EISDIR: return "it is a directory";
    case -EPERM: return "it, or its directory, belongs to another user";
    default: return strerror(-code);
    }
}
