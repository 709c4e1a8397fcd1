#include "base/file.h"

#include "base/cleanup.h"
#include "base/own.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { STEP_BYTES = 4096 };

int file_open_plain(const char *path, struct stat *ret) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return errno == ENXIO ? -EINVAL : -errno;
    if (fstat(fd, &st) < 0) return -errno;
    if (!S_ISREG(st.st_mode)) return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
    *ret = st;
    return TAKE_FD(fd);
}

int file_read_fd(int fd, struct buf *b) {
    for (;;) {
        char more;
        size_t left = MIN(b->cap - b->n, (size_t)STEP_BYTES);
        char *room = left ? buf_reserve(b, left) : &more;
        if (!room) return -ENOMEM;
        ssize_t n = read(fd, room, left ? left : 1);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? -errno : 0;
        if (!left) return -EFBIG;
        buf_grew(b, (size_t)n);
    }
}

int file_read(const char *path, struct buf *b) {
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    return fd < 0 ? fd : file_read_fd(fd, b);
}

int file_write_fd(int fd, struct span content) {
    while (content.n) {
        ssize_t n = write(fd, content.p, content.n);
        if (n < 0 && errno != EINTR) return -errno;
        if (n > 0) content = span_skip(content, (size_t)n);
    }
    return 0;
}

static int write_whole(int dir, const char *name, struct span content, mode_t mode, bool durable) {
    AUTO(fd) int fd = own_open_at(dir, name, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (fd < 0) return fd;
    int r = file_write_fd(fd, content);
    return r == 0 && durable && fsync(fd) < 0 ? -errno : r;
}

int file_replace(const char *path, struct span content, mode_t mode, bool durable) {
    const char *name = NULL;
    AUTO(fd) int dir = own_dir_of(path, &name);
    if (dir < 0) return dir;
    AUTO(free) char *beside = str_format("%s.new", name);
    (void)unlinkat(dir, beside, 0); /* what a crash has left, or somebody planted */
    int r = write_whole(dir, beside, content, mode, durable);
    if (r == 0 && renameat(dir, beside, dir, name) < 0) r = -errno;
    if (r < 0) (void)unlinkat(dir, beside, 0);
    return r == 0 && durable && fsync(dir) < 0 ? -errno : r;
}
