/*
 * A line for each reason, its name and twenty digits, at a fixed place. A number is changed by writing over its digits under a lock.
 * On a file system that copies on write even that would take room, so the file is made as one that is not.
 */
#include "spool/losses.h"

#include "base/cleanup.h"
#include "base/own.h"
#include "base/path.h"
#include "spool/in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 12, DIGITS = 20, LINE_BYTES = NAME_BYTES + DIGITS + 1, FILE_BYTES = 4096 };
enum { LOCK_TRIES = 2000, LOCK_NAP_NS = 500000 };

static const struct {
    const char *name, *words;
} reasons[LOSS_N_] = {
    [LOSS_FULL] = {"full", "the disk was full"},
    [LOSS_READ_ONLY] = {"read-only", "the disk could not be written to"},
    [LOSS_NOT_OURS] = {"not-ours", "the spool belongs to another user, or is none"},
    [LOSS_OTHER] = {"other", "the spool could not be written to"},
};

const char *loss_words(enum loss why) {
    return reasons[why].words;
}

const char *loss_name(enum loss why) {
    return reasons[why].name;
}

enum loss loss_of(int error) {
    switch (error) {
    case -ENOSPC:
    case -EDQUOT:
    case -EFBIG: return LOSS_FULL;
    case -EROFS: return LOSS_READ_ONLY;
    case -EACCES:
    case -EPERM:
    case -ELOOP:
    case -ENOTDIR:
    case -EINVAL: return LOSS_NOT_OURS;
    default: return LOSS_OTHER;
    }
}

static void write_line(char out[LINE_BYTES], enum loss why, uint64_t count) {
    size_t n = strlen(reasons[why].name);
    memset(out, ' ', NAME_BYTES);
    memcpy(out, reasons[why].name, n);
    for (size_t i = DIGITS; i-- > 0; count /= 10)
        out[NAME_BYTES + i] = (char)('0' + count % 10);
    out[LINE_BYTES - 1] = '\n';
}

/* Nothing that anybody could read as a number is none. */
static uint64_t read_line(const char line[LINE_BYTES]) {
    uint64_t count;
    return span_u64(span_of(line + NAME_BYTES, DIGITS), &count) ? count : 0;
}

int losses_make(const char *path) {
    AUTO(fd) int dir = own_dir(path);
    if (dir < 0) return dir;
    AUTO(fd) int fd = own_open_at(dir, SPOOL_LOSSES, O_RDWR | O_CREAT, 0600);
    struct stat st;
    if (fd < 0) return fd;
    if (fstat(fd, &st) < 0) return -errno;
    if (st.st_size >= FILE_BYTES) return 0;
    in_place(fd);
    char page[FILE_BYTES];
    memset(page, '\n', sizeof page);
    for (enum loss why = 0; why < LOSS_N_; why++) {
        char line[LINE_BYTES] = "";
        ssize_t n = pread(fd, line, sizeof line, why * LINE_BYTES);
        write_line(page + why * LINE_BYTES, why, n == LINE_BYTES ? read_line(line) : 0);
    }
    ssize_t n = pwrite(fd, page, sizeof page, 0);
    return n < 0 ? -errno : n < FILE_BYTES ? -ENOSPC : 0;
}

/* Without the lock, which somebody has had for a second, it is counted all the same: two may then count as one. */
static void lock(int fd) {
    for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK; i++)
        (void)nanosleep(&(struct timespec){.tv_nsec = LOCK_NAP_NS}, NULL);
}

int losses_add(const char *path, enum loss why) {
    AUTO(fd) int dir = own_dir(path);
    if (dir < 0) return dir;
    AUTO(fd) int fd = own_open_at(dir, SPOOL_LOSSES, O_RDWR | O_CREAT, 0600);
    if (fd < 0) return fd;
    lock(fd);
    char line[LINE_BYTES];
    ssize_t n = pread(fd, line, sizeof line, why * LINE_BYTES);
    if (n < 0) return -errno;
    write_line(line, why, (n == LINE_BYTES ? read_line(line) : 0) + 1);
    n = pwrite(fd, line, sizeof line, why * LINE_BYTES);
    return n < 0 ? -errno : n < LINE_BYTES ? -ENOSPC : 0;
}

void losses_read(const char *path, struct losses *ret) {
    AUTO(fd) int dir = own_dir(path);
    if (dir < 0) return;
    AUTO(fd) int fd = own_open_at(dir, SPOOL_LOSSES, O_RDONLY, 0);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) return;
    uint64_t before = losses_total(ret);
    for (enum loss why = 0; why < LOSS_N_; why++) {
        char line[LINE_BYTES];
        if (pread(fd, line, sizeof line, why * LINE_BYTES) == LINE_BYTES) ret->count[why] += read_line(line);
    }
    int64_t at_ms = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
    if (losses_total(ret) > before) ret->last_ms = MAX(ret->last_ms, at_ms);
}
