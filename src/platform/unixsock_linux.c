#include "platform/unixsock.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 1024
}; /* of those who come while we are busy; the next is refused, because nobody here waits */

/* An address for `path`. A long one leads through `*ret_dir`, a descriptor of its directory that must be open while the
 * address is used; -1 when none was needed. */
static int address(const char *path, struct sockaddr_un *ret, int *ret_dir) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    size_t n = strlen(path);
    AUTO(fd) int dir = -1;
    if (n == 0) return -ENOENT;
    if (n < sizeof a.sun_path) {
        memcpy(a.sun_path, path, n + 1);
    } else {
        const char *slash = strrchr(path, '/');
        char parent[PATH_BYTES];
        size_t parent_n = slash ? (size_t)(slash - path) : 0;
        if (!slash || parent_n >= sizeof parent) return -ENAMETOOLONG;
        memcpy(parent, path, parent_n);
        parent[parent_n] = '\0';
        dir = open(parent_n ? parent : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir < 0) return -errno;
        char digits[SPAN_DIGITS];
        struct span number = span_digits(digits, (unsigned)dir), root = SPAN("/proc/self/fd/");
        struct span name = span_str(slash); /* with its slash */
        if (root.n + number.n + name.n >= sizeof a.sun_path) return -ENAMETOOLONG;
        char *end = mempcpy(a.sun_path, root.p, root.n);
        end = mempcpy(end, number.p, number.n);
        memcpy(end, name.p, name.n + 1);
    }
    *ret = a;
    *ret_dir = TAKE_FD(dir);
    return 0;
}

static int new_socket(int flags) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    return fd < 0 ? -errno : fd;
}

static int connect_to(int fd, const struct sockaddr_un *a) {
    int r;
    do
        r = connect(fd, (const struct sockaddr *)a, sizeof *a);
    while (r < 0 && errno == EINTR);
    return r < 0 ? -errno : 0;
}

int unixsock_connect(const char *path) {
    struct sockaddr_un a;
    AUTO(fd) int dir = -1;
    int r = address(path, &a, &dir);
    if (r < 0) return r;
    AUTO(fd) int fd = new_socket(SOCK_NONBLOCK);
    if (fd < 0) return fd;
    r = connect_to(fd, &a);
    return r < 0 ? r : TAKE_FD(fd);
}

/* Binding makes the path with the mode that the socket has at that moment: nobody ever sees it wider open. */
static int bind_private(int fd, const struct sockaddr_un *a) {
    if (fchmod(fd, 0600) < 0) return -errno;
    return bind(fd, (const struct sockaddr *)a, sizeof *a) < 0 ? -errno : 0;
}

/* What is at `path` and answers to nobody is a dead process' leftover. A file that is no socket is somebody's. */
static int remove_dead(const char *path, const struct sockaddr_un *a) {
    struct stat st;
    if (lstat(path, &st) < 0) return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(st.st_mode)) return -EADDRINUSE;
    AUTO(fd) int fd = new_socket(SOCK_NONBLOCK);
    if (fd < 0) return fd;
    if (connect_to(fd, a) != -ECONNREFUSED) return -EADDRINUSE;
    return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

int unixsock_listen(struct unixsock *ret, const char *path) {
    struct sockaddr_un a;
    AUTO(fd) int dir = -1;
    if (strlen(path) >= PATH_BYTES) return -ENAMETOOLONG;
    int r = address(path, &a, &dir);
    if (r < 0) return r;
    AUTO(fd) int fd = new_socket(SOCK_NONBLOCK);
    if (fd < 0) return fd;
    r = bind_private(fd, &a);
    if (r == -EADDRINUSE) {
        r = remove_dead(path, &a);
        if (r == 0) r = bind_private(fd, &a);
    }
    if (r < 0) return r;
    struct stat st;
    if (listen(fd, BACKLOG) < 0 || lstat(path, &st) < 0) {
        r = -errno;
        (void)unlink(path);
        return r;
    }
    *ret = (struct unixsock){.fd = TAKE_FD(fd), .path = path, .device = st.st_dev, .inode = st.st_ino};
    return 0;
}

void unixsock_close(struct unixsock *s) {
    struct stat st;
    if (s->fd < 0) return;
    if (lstat(s->path, &st) == 0 && st.st_dev == s->device && st.st_ino == s->inode) (void)unlink(s->path);
    (void)close(TAKE_FD(s->fd));
}

int unixsock_accept(const struct unixsock *s) {
    int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int unixsock_peer(int fd, struct unixsock_peer *ret) {
    struct ucred who;
    socklen_t n = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) < 0) return -errno;
    *ret = (struct unixsock_peer){.uid = who.uid, .pid = who.pid};
    return 0;
}
