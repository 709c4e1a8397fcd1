#include "base/file.h"

#include "base/cleanup.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { STEP_BYTES = 4096 };

int file_open_own(const char *path, uint64_t *ret_size) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) return -errno;
    if (!S_ISREG(st.st_mode) || st.st_uid != getuid()) return -EINVAL;
    *ret_size = (uint64_t)st.st_size;
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
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : file_read_fd(fd, b);
}

int file_write_fd(int fd, struct span content) {
    while (content.n) {
        ssize_t n = write(fd, content.p, content.n);
        if (n < 0 && errno != EINTR) return -errno;
        if (n > 0) content = span_skip(content, (size_t)n);
    }
    return 0;
}

int file_replace(const char *path, struct span content, mode_t mode, bool durable) {
    AUTO(free) char *beside = str_format("%s.new", path);
    (void)unlink(beside); /* one that was never finished, or whatever somebody put there */
    AUTO(fd) int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0) return -errno;
    int r = file_write_fd(fd, content);
    if (r == 0 && durable && fsync(fd) < 0) r = -errno;
    if (r == 0 && rename(beside, path) < 0) r = -errno;
    if (r < 0) (void)unlink(beside);
    return r;
}
