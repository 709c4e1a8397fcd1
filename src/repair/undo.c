/* Puts a backup back. */
#include "platform/beneath.h"
#include "repair/reading.h"
#include "repair/rewrite.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
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
static int put_back(const struct place *p, int fd, const struct stat *st, int backup,
                    const struct stat *backup_st) {
    char beside[PATH_BYTES];
    uint64_t tail, backup_size = (uint64_t)backup_st->st_size;
    int r = find_tail(fd, (uint64_t)st->st_size, backup, backup_st, &tail);
    if (r < 0) return r;
    AUTO(fd) int to = beside_create(p, "ostler-mend", st, beside);
    if (to < 0) return to;
    r = copy_bytes(backup, 0, backup_size, to, NULL, 0, 0);
    if (r == 0) r = copy_bytes(fd, tail, (uint64_t)st->st_size - tail, to, NULL, 0, 0);
    if (r == 0 && fsync(to) < 0) r = -errno;
    if (r == 0) r = place_check_same(p, p->name, fd);
    if (r == 0 && renameat(p->dir, beside, p->dir, p->name) < 0) r = -errno;
    if (r < 0) (void)unlinkat(p->dir, beside, 0);
    return r < 0 ? r : sync_directory(p);
}

/* Why a file cannot be put back, in words. */
static int refuse(const char *path, int code, struct err *err) {
    if (code == -EMLINK) return err_set(err, code, MANY_NAMES, path);
    return err_set(err, code, "%s cannot be opened: %s", path, beneath_why(code));
}

int transcript_undo(const char *path, const char *root, int64_t now_ms, char ret_backup[PATH_BYTES],
                    char ret_kept[PATH_BYTES], struct err *err) {
    char name[PATH_BYTES], whole[PATH_BYTES], kept[PATH_BYTES];
    AUTO(place) struct place p;
    int r = place_open(path, root, &p);
    if (r < 0) return refuse(path, r, err);
    r = backup_newest(&p, name);
    if (r == -ENOENT) return err_set(err, r, "There is no backup of %s: ostler has not changed it.", path);
    if (r == 0) r = path_join(whole, p.dir_path, name);
    if (r < 0) return err_sys(err, r, "The backups of %s cannot be looked for", path);
    struct stat st, backup_st;
    AUTO(fd) int fd = place_open_file(&p, O_RDWR, &st);
    if (fd < 0) return refuse(path, fd, err);
    while (flock(fd, LOCK_EX) < 0 && errno == EINTR) {}
    r = place_may_write(&p, fd);
    if (r < 0) return refuse(path, r, err);
    AUTO(fd) int backup = place_open_beside(&p, name, O_RDONLY, &backup_st);
    if (backup < 0) return refuse(whole, backup, err);
    if (fstat(fd, &st) < 0) return err_sys(err, -errno, "%s cannot be looked at", path);
    r = backup_make(&p, fd, (uint64_t)st.st_size, now_ms, NULL, 0, 0, kept, err);
    if (r < 0) return r;
    r = put_back(&p, fd, &st, backup, &backup_st);
    if (r < 0) return err_sys(err, r, "%s could not be put back", whole);
    memcpy(ret_backup, whole, sizeof whole);
    memcpy(ret_kept, kept, sizeof kept);
    return 0;
}
