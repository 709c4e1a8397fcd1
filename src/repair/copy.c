#include "repair/copy.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

int beside_name(const struct place *p, const char *suffix, char ret_name[PATH_BYTES]) {
    int n = snprintf(ret_name, PATH_BYTES, "%s.%s", p->name, suffix);
    return n < 0 || n >= PATH_BYTES ? -ENAMETOOLONG : 0;
}

int beside_create(const struct place *p, const char *suffix, const struct stat *like,
                  char ret_name[PATH_BYTES]) {
    int r = beside_name(p, suffix, ret_name);
    if (r < 0) return r;
    (void)unlinkat(p->dir, ret_name, 0);
    int fd = openat(p->dir, ret_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return -errno;
    /* The owner is ours anyway; a group that this user is not in cannot be kept. */
    if (fchown(fd, (uid_t)-1, like->st_gid) < 0 && errno != EPERM) {
        r = -errno;
        (void)close(fd);
        (void)unlinkat(p->dir, ret_name, 0);
        return r;
    }
    (void)fchmod(fd, like->st_mode & 07777);
    return fd;
}

int sync_directory(const struct place *p) {
    return fsync(p->dir) < 0 ? -errno : 0;
}

/* The directory once more, to be listed. */
static DIR *list_directory(const struct place *p) {
    AUTO(fd) int fd = openat(p->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (dir) (void)TAKE_FD(fd); /* the stream's, from here on */
    return dir;
}

/* The highest number of a backup. */
static int newest_number(const struct place *p, uint64_t *ret) {
    char prefix[PATH_BYTES];
    int r = beside_name(p, "backup-", prefix);
    if (r < 0) return r;
    AUTO(dir) DIR *dir = list_directory(p);
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
    *ret = newest;
    return found ? 0 : -ENOENT;
}

static int numbered(const struct place *p, uint64_t number, char ret_name[PATH_BYTES]) {
    int n = snprintf(ret_name, PATH_BYTES, "%s.backup-%llu", p->name, (unsigned long long)number);
    return n < 0 || n >= PATH_BYTES ? -ENAMETOOLONG : 0;
}

int backup_newest(const struct place *p, char ret_name[PATH_BYTES]) {
    uint64_t number;
    int r = newest_number(p, &number);
    return r < 0 ? r : numbered(p, number, ret_name);
}

/* Gives the finished copy its name: `now_ms`, or the number behind the highest that is taken, so that the newest backup is
 * always the one that was made last. */
static int name_backup(const struct place *p, const char *beside, int64_t now_ms, char ret_name[PATH_BYTES]) {
    uint64_t taken = 0, number = (uint64_t)now_ms;
    if (newest_number(p, &taken) == 0 && taken < INT64_MAX) number = MAX(number, taken + 1);
    for (int i = 0; i < BACKUP_TRIES; i++) {
        int r = numbered(p, number + (unsigned)i, ret_name);
        if (r < 0) return r;
        if (renameat2(p->dir, beside, p->dir, ret_name, RENAME_NOREPLACE) == 0) return 0;
        if (errno == EEXIST) continue;
        /* A file system without that: a hard link does not overwrite either. */
        if (errno != EINVAL && errno != ENOSYS) return -errno;
        if (linkat(p->dir, beside, p->dir, ret_name, 0) == 0)
            return unlinkat(p->dir, beside, 0) < 0 ? -errno : 0;
        if (errno != EEXIST) return -errno;
    }
    return -EEXIST;
}

int beside_fill(struct beside *b, const struct place *place, int fd, uint64_t n, const struct progress *p,
                uint64_t done, uint64_t total) {
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    AUTO(fd) int copy = beside_create(place, "ostler-backup", &st, b->name);
    b->is_there = copy >= 0;
    if (copy < 0) return copy;
    int r = copy_bytes(fd, 0, n, copy, p, done, total);
    return r == 0 && fsync(copy) < 0 ? -errno : r;
}

void beside_drop(struct beside *b, const struct place *p) {
    if (b->is_there) (void)unlinkat(p->dir, b->name, 0);
    b->is_there = false;
}

int backup_name(struct beside *b, const struct place *p, int filled, int64_t now_ms,
                char ret_path[PATH_BYTES], struct err *err) {
    char name[PATH_BYTES], path[PATH_BYTES];
    int r = filled;
    if (r == 0) r = name_backup(p, b->name, now_ms, name);
    if (r == 0) r = path_join(path, strcmp(p->dir_path, "/") == 0 ? "" : p->dir_path, name);
    if (r == 0) r = sync_directory(p);
    if (r < 0) {
        beside_drop(b, p);
        return err_sys(err, r, "No backup of %s could be made, so it was left as it is", p->path);
    }
    memcpy(ret_path, path, sizeof path);
    return 0;
}

int backup_make(const struct place *place, int fd, uint64_t n, int64_t now_ms, const struct progress *p,
                uint64_t done, uint64_t total, char ret_path[PATH_BYTES], struct err *err) {
    struct beside b = {0};
    int r = beside_fill(&b, place, fd, n, p, done, total);
    return backup_name(&b, place, r, now_ms, ret_path, err);
}
