#include "spool/reserve.h"

#include "base/cleanup.h"
#include "base/own.h"
#include "spool/in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNFINISHED "next.new"

enum {
    BLOCK_BYTES = 512, /* of st_blocks, everywhere */
    NO_REPLACE = 1,    /* RENAME_NOREPLACE of linux/fs.h, which the hook's C library has not */
};

uint64_t reserve_left(const struct stat *st) {
    uint64_t has = (uint64_t)st->st_blocks * BLOCK_BYTES;
    return has > (uint64_t)st->st_size ? has - (uint64_t)st->st_size : 0;
}

/* On some file systems this is only a promise: what counts is what the file has afterwards. */
static int take_room(int fd, uint64_t bytes) {
    struct stat st;
    int r;
    do
        r = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes);
    while (r < 0 && errno == EINTR);
    if (r < 0) return errno == ENOSYS ? -EOPNOTSUPP : -errno;
    if (fstat(fd, &st) < 0) return -errno;
    return reserve_left(&st) >= bytes ? 0 : -EOPNOTSUPP;
}

int reserve_make(const char *path, uint64_t bytes) {
    AUTO(fd) int dir = own_dir(path);
    if (dir < 0) return dir;
    struct stat st;
    if (fstatat(dir, SPOOL_NEXT, &st, AT_SYMLINK_NOFOLLOW) == 0) return 0;
    if (unlinkat(dir, UNFINISHED, 0) < 0 && errno != ENOENT) return -errno;
    AUTO(fd) int fd = own_open_at(dir, UNFINISHED, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) return fd;
    in_place(fd);
    int r = take_room(fd, bytes);
    if (r == 0 && renameat(dir, UNFINISHED, dir, SPOOL_NEXT) < 0) r = -errno;
    if (r < 0) (void)unlinkat(dir, UNFINISHED, 0);
    return r;
}

void reserve_use(int dir) {
    (void)syscall(SYS_renameat2, dir, SPOOL_NEXT, dir, SPOOL_ACTIVE, NO_REPLACE);
}
