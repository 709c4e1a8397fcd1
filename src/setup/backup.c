#include "base/cleanup.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/str.h"
#include "setup/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Removes the oldest of the files with this beginning until `keep` are left; their names sort by time. */
static void prune(const char *dir, const char *beginning, int keep) {
    for (;;) {
        AUTO(dir) DIR *d = opendir(dir);
        char oldest[NAME_MAX + 1] = "";
        int count = 0;
        for (struct dirent *e; d && (e = readdir(d));) {
            if (strncmp(e->d_name, beginning, strlen(beginning)) != 0) continue;
            count++;
            if (!oldest[0] || strcmp(e->d_name, oldest) < 0)
                (void)snprintf(oldest, sizeof oldest, "%s", e->d_name);
        }
        if (count <= keep || !d || unlinkat(dirfd(d), oldest, 0) < 0) return;
    }
}

int setup_file_backup(const struct setup_file *f, const char *dir, const char *label, int keep,
                      char ret[PATH_BYTES], struct err *err) {
    char name[PATH_BYTES], copy[PATH_BYTES], when[32];
    struct setup_file backup = {.mode = 0600, .uid = geteuid(), .gid = getegid()};
    time_t now = time(NULL);
    struct tm tm;
    int r = path_make_dirs(dir);
    AUTO(fd) int dir_fd = r < 0 ? r : own_dir(dir);
    if (dir_fd < 0)
        return err_set(err, dir_fd, "the directory for backups %s cannot be used: %s", dir, own_why(dir_fd));
    (void)memcpy(copy, f->path, sizeof copy);
    AUTO(free) char *beginning = str_format("%s-%s.", label, basename(copy));
    (void)strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    r = -EAGAIN;
    for (int i = 0; r == -EAGAIN && i < 100; i++) { /* several in one second */
        (void)snprintf(name, sizeof name, "%s%s-%02d", beginning, when, i);
        r = path_join(backup.path, dir, name);
        if (r == 0) (void)memcpy(backup.target, backup.path, sizeof backup.target);
        if (r == 0) r = setup_file_replace(&backup, buf_span(&f->text), err);
    }
    if (r < 0) return r;
    (void)memcpy(ret, backup.path, PATH_BYTES);
    prune(dir, beginning, keep);
    return 0;
}
