#include "store/temp.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

/* No transcript is called so, and no program looks at it. */
#define PREFIX ".ostler-"
static const int64_t ns_per_sec = 1000000000;

/* Whoever sweeps holds the lock for a moment too, between this file's birth and its lock, and then takes it for a
 * leftover: it is gone, and another one is made. */
static bool is_mine(const struct temp *t) {
    struct stat st;
    if (flock(t->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) return false;
    return fstat(t->fd, &st) == 0 && st.st_nlink > 0;
}

int temp_make(const char *dir, struct temp *ret, struct err *err) {
    for (;;) {
        struct temp t = TEMP_NONE;
        int r = path_join(t.path, dir, PREFIX "XXXXXX");
        if (r < 0) return err_sys(err, r, "No file can be made in %s", dir);
        t.fd = mkostemp(t.path, O_CLOEXEC);
        if (t.fd < 0) return err_sys(err, -errno, "No file can be made in %s", dir);
        if (is_mine(&t)) {
            *ret = t;
            return 0;
        }
        cleanup_temp(&t);
    }
}

int temp_finish(struct temp *t, int64_t mtime_ns, struct err *err) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                {.tv_sec = mtime_ns / ns_per_sec, .tv_nsec = mtime_ns % ns_per_sec}};
    if (times[1].tv_nsec < 0) {
        times[1].tv_sec--;
        times[1].tv_nsec += ns_per_sec;
    }
    if (futimens(t->fd, times) < 0 || fsync(t->fd) < 0)
        return err_sys(err, -errno, "%s cannot be written", t->path);
    return 0;
}

/* The name must survive a power cut too. */
static int sync_dir_of(const char *path, struct err *err) {
    char dir[PATH_BYTES];
    (void)snprintf(dir, sizeof dir, "%s", path);
    AUTO(fd) int fd = open(dirname(dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 || fsync(fd) < 0 ? err_sys(err, -errno, "The directory of %s cannot be written", path) : 0;
}

int temp_replace(struct temp *t, const char *path, struct err *err) {
    if (rename(t->path, path) < 0) return err_sys(err, -errno, "%s cannot be written", path);
    t->path[0] = '\0';
    return sync_dir_of(path, err);
}

int temp_place(struct temp *t, const char *path, struct err *err) {
    int r = renameat2(AT_FDCWD, t->path, AT_FDCWD, path, RENAME_NOREPLACE) < 0 ? -errno : 0;
    if (r == 0) t->path[0] = '\0';
    /* Some file systems cannot do that; then two names for a moment, of which the first goes with `t`. */
    if (r == -EINVAL || r == -ENOSYS) r = link(t->path, path) < 0 ? -errno : 0;
    if (r == -EEXIST) return err_set(err, r, "There is a file at %s already; it was left as it is.", path);
    if (r < 0) return err_sys(err, r, "%s cannot be written", path);
    return sync_dir_of(path, err);
}

void temp_sweep(const char *dir) {
    AUTO(dir) DIR *d = opendir(dir);
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (!span_starts(span_str(e->d_name), SPAN(PREFIX))) continue;
        AUTO(fd) int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) (void)unlinkat(dirfd(d), e->d_name, 0);
    }
}

void cleanup_temp(struct temp *t) {
    if (t->path[0]) (void)unlink(t->path);
    cleanup_fd(&t->fd);
}
