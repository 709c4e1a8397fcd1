/* Puts a backup back. */
#include "repair/reading.h"
#include "repair/rewrite.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { COUNT_BYTES = 256 << 10 };

/* Newlines among the first `n` bytes, and whether the last of those is one. */
static int count_lines(int fd, uint64_t n, uint64_t *ret, bool *ret_ends) {
    AUTO(free) char *buffer = xmalloc(COUNT_BYTES);
    *ret = 0;
    *ret_ends = false;
    for (uint64_t at = 0; at < n;) {
        size_t piece = (size_t)MIN(n - at, (uint64_t)COUNT_BYTES);
        int r = read_at(fd, buffer, piece, at);
        if (r < 0) return r;
        for (const char *p = buffer; (p = memchr(p, '\n', piece - (size_t)(p - buffer))); p++)
            ++*ret;
        *ret_ends = buffer[piece - 1] == '\n';
        at += piece;
    }
    return 0;
}

/* How many line ends a repair of the backup has added. */
static int count_cuts(int backup, const struct stat *st, uint64_t *ret) {
    struct transcript t;
    struct progress nobody = {0};
    start_transcript(&t);
    int r = read_messages(backup, st, &t, &nobody, (uint64_t)st->st_size);
    *ret = t.cuts.n / sizeof(uint64_t);
    transcript_fini(&t);
    return r;
}

/* What the file got since the backup was made stays: it is kept when the backup's bytes can be told from the rest. */
static int find_tail(int fd, uint64_t size, int backup, const struct stat *backup_st, uint64_t *ret) {
    uint64_t lines, backup_lines, cuts, backup_size = (uint64_t)backup_st->st_size;
    bool ends, backup_ends;
    *ret = size;
    if (size <= backup_size) return 0;
    int r = count_cuts(backup, backup_st, &cuts);
    if (r < 0 || size <= backup_size + cuts) return r;
    r = count_lines(fd, backup_size + cuts, &lines, &ends);
    if (r == 0) r = count_lines(backup, backup_size, &backup_lines, &backup_ends);
    if (r == 0 && ends && backup_ends && lines == backup_lines + cuts) *ret = backup_size + cuts;
    return r;
}

/* Writes the backup and the file's newer lines beside the file. */
static int put_back(const char *path, int fd, const struct stat *st, int backup,
                    const struct stat *backup_st) {
    char beside[PATH_BYTES];
    uint64_t tail, backup_size = (uint64_t)backup_st->st_size;
    int r = find_tail(fd, (uint64_t)st->st_size, backup, backup_st, &tail);
    if (r < 0) return r;
    AUTO(fd) int to = beside_create(path, "ostler-mend", st, beside);
    if (to < 0) return to;
    r = copy_bytes(backup, 0, backup_size, to, NULL, 0, 0);
    if (r == 0) r = copy_bytes(fd, tail, (uint64_t)st->st_size - tail, to, NULL, 0, 0);
    if (r == 0 && fsync(to) < 0) r = -errno;
    if (r == 0 && rename(beside, path) < 0) r = -errno;
    if (r < 0) (void)unlink(beside);
    return r < 0 ? r : sync_directory(path);
}

int transcript_undo(const char *path, int64_t now_ms, char ret_backup[PATH_BYTES], char ret_kept[PATH_BYTES],
                    struct err *err) {
    char name[PATH_BYTES], kept[PATH_BYTES], real[PATH_MAX];
    int r = backup_newest(path, name);
    if (r == -ENOENT) return err_set(err, r, "There is no backup of %s: ostler has not changed it.", path);
    if (r < 0) return err_sys(err, r, "The backups of %s cannot be looked for", path);
    struct stat st, backup_st;
    AUTO(fd) int fd = open_regular(path, O_RDWR, &st);
    if (fd < 0) return err_sys(err, fd, "%s cannot be opened", path);
    while (flock(fd, LOCK_EX) < 0 && errno == EINTR) {}
    AUTO(fd) int backup = open_regular(name, O_RDONLY, &backup_st);
    if (backup < 0) return err_sys(err, backup, "%s cannot be read", name);
    if (fstat(fd, &st) < 0) return err_sys(err, -errno, "%s cannot be looked at", path);
    r = backup_make(path, fd, (uint64_t)st.st_size, now_ms, NULL, 0, 0, kept, err);
    if (r < 0) return r;
    if (!realpath(path, real) || strlen(real) >= PATH_BYTES)
        return err_sys(err, -errno, "%s cannot be found", path);
    r = put_back(real, fd, &st, backup, &backup_st);
    if (r < 0) return err_sys(err, r, "%s could not be put back", name);
    memcpy(ret_backup, name, sizeof name);
    memcpy(ret_kept, kept, sizeof kept);
    return 0;
}
