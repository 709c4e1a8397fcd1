#include "app/restore.h"

#include "app/daemon_file.h"
#include "app/restore_stage.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "store/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CONFIG_BYTES_MAX = 1 << 20 };

static const char *const config_files[] = {"config.json", "redact.patterns", "hook.token"};

/* ---- is there something? --------------------------------------------------------------------------------------- */

static bool is_there(const char *dir, const char *name) {
    char path[PATH_BYTES];
    struct stat st;
    return path_join(path, dir, name) == 0 && lstat(path, &st) == 0;
}

/* Does a directory hold anything of its own? */
static bool holds_something(const char *dir) {
    AUTO(dir) DIR *d = opendir(dir);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') return true;
    return false;
}

/* What a backup would take the place of. A lock, a log and the hook's own copy are none of it. */
static const char *find_data(const struct paths *paths) {
    static const char *const names[] = {"ostler.db", "transcripts.db", "tokens",
                                        "tls.pem",   "push.key",       "push"};
    static const char *const dirs[] = {"spool", "terminals", "archive"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (is_there(paths->state, names[i])) return names[i];
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        char path[PATH_BYTES];
        if (path_join(path, paths->state, dirs[i]) == 0 && holds_something(path)) return dirs[i];
    }
    for (size_t i = 0; i < ARRAY_LEN(config_files); i++)
        if (is_there(paths->config, config_files[i])) return config_files[i];
    return NULL;
}

/* ---- the configuration ----------------------------------------------------------------------------------------- */

/* Does it lie in the state directory, and change places with it? */
static bool is_inside(const struct paths *paths) {
    size_t n = strlen(paths->state);
    return strncmp(paths->config, paths->state, n) == 0 && paths->config[n] == '/';
}

/* What is there is kept beside it: "config.json-before-restore-DATE". */
static int move_aside(const char *path) {
    char aside[PATH_BYTES], when[32];
    struct stat st;
    time_t now = time(NULL);
    struct tm tm;
    if (lstat(path, &st) < 0) return errno == ENOENT ? 0 : -errno;
    (void)strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    if (snprintf(aside, sizeof aside, "%s-before-restore-%s", path, when) >= (int)sizeof aside)
        return -ENAMETOOLONG;
    return rename(path, aside) < 0 ? -errno : 0;
}

/* A file of the configuration goes to its own directory, each in one step. */
static int place_config(const struct paths *paths, const char *state, const char *name, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(CONFIG_BYTES_MAX);
    char dir[PATH_BYTES], from[PATH_BYTES], to[PATH_BYTES];
    int r = path_join(dir, state, "config");
    if (r == 0) r = path_join(from, dir, name);
    if (r == 0) r = path_join(to, paths->config, name);
    if (r == 0) r = file_read(from, &text);
    if (r == -ENOENT) return 0;
    if (r == 0) r = path_make_dirs(paths->config);
    if (r == 0) r = move_aside(to);
    if (r == 0) r = file_replace(to, buf_span(&text), 0600, true);
    if (r < 0) return err_set(err, r, "%s cannot be written: %s; it is in %s", to, own_why(r), from);
    (void)unlink(from);
    (void)rmdir(dir);
    return 0;
}

static int place_all_config(const struct paths *paths, const char *state, struct err *err) {
    int r = 0;
    for (size_t i = 0; r == 0 && !is_inside(paths) && i < ARRAY_LEN(config_files); i++)
        r = place_config(paths, state, config_files[i], err);
    return r;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

/* A database that this program can use, or bring up to date when it starts. */
static int check_database(const struct stage *s, const char *name, const struct db_schema *schema,
                          struct err *err) {
    char file[PATH_BYTES], wal[64], shm[64];
    struct err why = {0};
    (void)snprintf(wal, sizeof wal, "%s-wal", name);
    (void)snprintf(shm, sizeof shm, "%s-shm", name);
    if (path_join(file, s->path, name) < 0) return err_set(err, -ENAMETOOLONG, "the path is too long");
    int r = snapshot_verify(file, schema, &why);
    (void)unlinkat(s->dir, wal, 0); /* nobody has written to them: what SQLite made to read it */
    (void)unlinkat(s->dir, shm, 0);
    if (r == -ENOENT || r == 0) return 0;
    if (r == -ENOTSUP)
        return err_set(err, r,
                       "the backup is of a newer ostler than this one: restore it with that version; "
                       "nothing was changed");
    return err_set(err, r, "the backup's %s cannot be used, nothing was changed: %s", name, why.msg);
}

static int fill(struct stage *s, int in, const char *file, const struct restore_options *options,
                struct backup_info *ret, struct err *err) {
    struct backup_sink sink = stage_sink;
    sink.user = s;
    int r = backup_read(in, file, &sink, options->watch, ret, err);
    if (r == 0) r = check_database(s, "ostler.db", &session_schema, err);
    if (r == 0) r = check_database(s, "transcripts.db", &transcript_schema, err);
    /* Which hooks are installed on this machine, and the hook that they run, are no matter of a backup. */
    if (r == 0) r = stage_carry_over(s, "hooks", err);
    if (r == 0) r = stage_carry_over(s, "bin", err);
    return r < 0 ? r : stage_carry_over(s, "backups", err);
}

/* Whoever has the lock keeps a daemon from starting. Without a directory there is nobody who could have it. */
static int lock_state(const struct paths *paths, int *ret, struct err *err) {
    AUTO(fd) int dir = own_dir(paths->state);
    if (dir == -ENOENT) return 0;
    if (dir < 0) return err_set(err, dir, "%s cannot be used: %s", paths->state, own_why(dir));
    int fd = daemon_lock(paths, err);
    if (fd >= 0) *ret = fd;
    return MIN(fd, 0);
}

int restore(const struct paths *paths, int in, const char *file, const struct restore_options *options,
            struct restored *ret, struct err *err) {
    struct restored done = {0};
    AUTO(fd) int lock = -1;
    int r = lock_state(paths, &lock, err);
    if (r < 0) return r;
    const char *found = find_data(paths);
    if (found && !options->replace)
        return err_set(err, -EEXIST, "there is a %s here already: --replace moves everything aside first",
                       found);
    AUTO(stage) struct stage stage = STAGE_NONE;
    r = stage_open(&stage, paths->state, err);
    if (r == 0) r = fill(&stage, in, file, options, &done.info, err);
    if (r == 0) r = stage_take_place(&stage, done.aside, err);
    if (r == 0) r = place_all_config(paths, stage.state, err);
    if (r == 0) *ret = done;
    return r;
}
