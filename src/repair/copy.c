#include "repair/copy.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COPY_PIECE = 16 << 20, BUFFER_BYTES = 256 << 10, BACKUP_TRIES = 100 };

bool progress_tell(const struct progress *p, uint64_t done, uint64_t total) {
    return !p || !p->fn || p->fn(p->user, done, total);
}

int read_at(int fd, void *to, size_t n, uint64_t at) {
    for (char *p = to; n;) {
        ssize_t r = pread(fd, p, n, (off_t)at);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return -errno;
        if (r == 0) return -ENODATA;
        p += r;
        n -= (size_t)r;
        at += (uint64_t)r;
    }
    return 0;
}

int write_at(int fd, const void *from, size_t n, uint64_t at) {
    for (const char *p = from; n;) {
        ssize_t r = pwrite(fd, p, n, (off_t)at);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return -errno;
        p += r;
        n -= (size_t)r;
        at += (uint64_t)r;
    }
    return 0;
}

static int append(int fd, const char *p, size_t n) {
    while (n) {
        ssize_t r = write(fd, p, n);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return -errno;
        p += r;
        n -= (size_t)r;
    }
    return 0;
}

/* Where the kernel cannot copy between these two. */
static int copy_by_hand(int from, uint64_t at, uint64_t n, int to) {
    AUTO(free) char *buffer = xmalloc(BUFFER_BYTES);
    while (n) {
        size_t piece = (size_t)MIN(n, (uint64_t)BUFFER_BYTES);
        int r = read_at(from, buffer, piece, at);
        if (r == 0) r = append(to, buffer, piece);
        if (r < 0) return r;
        at += piece;
        n -= piece;
    }
    return 0;
}

int copy_bytes(int from, uint64_t at, uint64_t n, int to, const struct progress *p, uint64_t done,
               uint64_t total) {
    off_t place = (off_t)at;
    bool by_hand = false;
    while (n) {
        size_t piece = (size_t)MIN(n, (uint64_t)COPY_PIECE);
        ssize_t r = by_hand ? -1 : copy_file_range(from, &place, to, NULL, piece, 0);
        if (r < 0 && errno == EINTR) continue;
        if (r == 0) return -ENODATA;
        if (r < 0 && !by_hand && errno == ENOSPC) return -ENOSPC;
        if (r < 0) {
            by_hand = true;
            int copied = copy_by_hand(from, (uint64_t)place, piece, to);
            if (copied < 0) return copied;
            place += (off_t)piece;
            r = (ssize_t)piece;
        }
        n -= (uint64_t)r;
        done += (uint64_t)r;
        if (!progress_tell(p, done, total)) return -ECANCELED;
    }
    return 0;
}

int beside_create(const char *path, const char *suffix, const struct stat *like, char ret_name[PATH_BYTES]) {
    int n = snprintf(ret_name, PATH_BYTES, "%s.%s", path, suffix);
    if (n < 0 || n >= PATH_BYTES) return -ENAMETOOLONG;
    (void)unlink(ret_name);
    int fd = open(ret_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return -errno;
    /* Only root can give files away; for everybody else it is their own already. */
    if (fchown(fd, like->st_uid, like->st_gid) < 0 && errno != EPERM) {
        int r = -errno;
        (void)close(fd);
        (void)unlink(ret_name);
        return r;
    }
    (void)fchmod(fd, like->st_mode & 07777);
    return fd;
}

int sync_directory(const char *path) {
    char copy[PATH_BYTES];
    (void)snprintf(copy, sizeof copy, "%s", path);
    AUTO(fd) int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 && fsync(fd) == 0 ? 0 : -errno;
}

/* The highest number of a backup. */
static int newest_number(const char *path, uint64_t *ret) {
    char dir_name[PATH_BYTES], base_name[PATH_BYTES], prefix[PATH_BYTES];
    (void)snprintf(dir_name, sizeof dir_name, "%s", path);
    (void)snprintf(base_name, sizeof base_name, "%s", path);
    int n = snprintf(prefix, sizeof prefix, "%s.backup-", basename(base_name));
    if (n < 0 || n >= (int)sizeof prefix) return -ENAMETOOLONG;
    DIR *dir = opendir(dirname(dir_name));
    if (!dir) return -errno;
    uint64_t newest = 0;
    bool found = false;
    for (const struct dirent *e; (e = readdir(dir));) {
        struct span name = span_str(e->d_name);
        uint64_t at;
        if (!span_starts(name, span_str(prefix)) || !span_u64(span_skip(name, strlen(prefix)), &at)) continue;
        newest = found ? MAX(newest, at) : at;
        found = true;
    }
    (void)closedir(dir);
    *ret = newest;
    return found ? 0 : -ENOENT;
}

int backup_newest(const char *path, char ret_name[PATH_BYTES]) {
    uint64_t number;
    int r = newest_number(path, &number);
    if (r < 0) return r;
    int n = snprintf(ret_name, PATH_BYTES, "%s.backup-%llu", path, (unsigned long long)number);
    return n < 0 || n >= PATH_BYTES ? -ENAMETOOLONG : 0;
}

/* Gives the finished copy its name: `now_ms`, or the number behind the highest that is taken, so that the newest backup is
 * always the one that was made last. */
static int name_backup(const char *path, const char *beside, int64_t now_ms, char ret_name[PATH_BYTES]) {
    uint64_t taken = 0, number = (uint64_t)now_ms;
    if (newest_number(path, &taken) == 0 && taken < INT64_MAX) number = MAX(number, taken + 1);
    for (int i = 0; i < BACKUP_TRIES; i++) {
        int n =
            snprintf(ret_name, PATH_BYTES, "%s.backup-%llu", path, (unsigned long long)number + (unsigned)i);
        if (n < 0 || n >= PATH_BYTES) return -ENAMETOOLONG;
        if (renameat2(AT_FDCWD, beside, AT_FDCWD, ret_name, RENAME_NOREPLACE) == 0) return 0;
        if (errno == EEXIST) continue;
        /* A file system without that: a hard link does not overwrite either. */
        if (errno != EINVAL && errno != ENOSYS) return -errno;
        if (link(beside, ret_name) == 0) return unlink(beside) < 0 ? -errno : 0;
        if (errno != EEXIST) return -errno;
    }
    return -EEXIST;
}

int beside_fill(struct beside *b, const char *path, int fd, uint64_t n, const struct progress *p,
                uint64_t done, uint64_t total) {
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    AUTO(fd) int copy = beside_create(path, "ostler-backup", &st, b->name);
    b->is_there = copy >= 0;
    if (copy < 0) return copy;
    int r = copy_bytes(fd, 0, n, copy, p, done, total);
    return r == 0 && fsync(copy) < 0 ? -errno : r;
}

void beside_drop(struct beside *b) {
    if (b->is_there) (void)unlink(b->name);
    b->is_there = false;
}

int backup_name(struct beside *b, const char *path, int filled, int64_t now_ms, char ret_name[PATH_BYTES],
                struct err *err) {
    char name[PATH_BYTES];
    int r = filled;
    if (r == 0) r = name_backup(path, b->name, now_ms, name);
    if (r == 0) r = sync_directory(path);
    if (r < 0) {
        beside_drop(b);
        return err_sys(err, r, "No backup of %s could be made, so it was left as it is", path);
    }
    memcpy(ret_name, name, sizeof name);
    return 0;
}

int backup_make(const char *path, int fd, uint64_t n, int64_t now_ms, const struct progress *p, uint64_t done,
                uint64_t total, char ret_name[PATH_BYTES], struct err *err) {
    struct beside b = {0};
    int r = beside_fill(&b, path, fd, n, p, done, total);
    return backup_name(&b, path, r, now_ms, ret_name, err);
}
