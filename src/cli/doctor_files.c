/* Files of ostler's own, and what else may stand in their place. */
#include "base/own.h"
#include "base/own_linked.h"
#include "cli/doctor.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

/* What ostler keeps, by the directory it is in. The configuration has a check of its own, because it may be a link. */
static const char *const in_state[] = {
    "lock",
    "ostler.log",
    "ostler.log.1",
    "tokens",
    "tls.pem",
    "push.key",
    "push",
    "ostler.db",
    "ostler.db-wal",
    "ostler.db-shm",
    "transcripts.db",
    "transcripts.db-wal",
    "transcripts.db-shm",
    "hooks/versions",
    "hooks/programs",
    "hooks/claude.json",
    "hooks/gemini.json",
    "hooks/codex.json",
    "hooks/copilot.json",
    "hooks/opencode.json",
    "bin/ostler-hook",
    "spool/active",
};
static const char *const in_config[] = {"hook.token"};
static const char *const in_run[] = {"daemon.json"};
static const char *const dirs_in_state[] = {"hooks", "bin", "backups", "archive", "terminals", "hosted"};

static bool is_well(int r) {
    return r == 0 || r == -ENOENT || r == -ENOTDIR;
}

static void say(struct doctor_line *line, const char *path, int r) {
    doctor_say(line, DOCTOR_BAD, "%s cannot be used: %s", path, own_why(r));
    if (r == -EPERM)
        doctor_advise(line, "look at it with ls -ld %s, then chown it to yourself or move it away", path);
    else
        doctor_advise(line, "move it away: mv %s %s.away; ostler makes another", path, path);
}

/* The first that is not what it should be is told. */
static bool look_at_files(const char *dir, const char *const *names, size_t n, struct doctor_line *line) {
    for (size_t i = 0; i < n; i++) {
        char path[PATH_BYTES];
        int r = path_join(path, dir, names[i]);
        if (r == 0) r = own_look(path);
        if (is_well(r)) continue;
        say(line, path, r);
        return false;
    }
    return true;
}

static bool look_at_dirs(const char *dir, const char *const *names, size_t n, struct doctor_line *line) {
    for (size_t i = 0; i < n; i++) {
        char path[PATH_BYTES];
        int fd = path_join(path, dir, names[i]) < 0 ? -ENAMETOOLONG : own_dir(path);
        if (fd >= 0) (void)close(fd);
        if (fd >= 0 || fd == -ENOENT) continue;
        say(line, path, fd);
        return false;
    }
    return true;
}

void doctor_files(const struct doctor *d, struct doctor_line *line) {
    bool well = look_at_dirs(d->paths.state, dirs_in_state, ARRAY_LEN(dirs_in_state), line) &&
                look_at_files(d->paths.state, in_state, ARRAY_LEN(in_state), line) &&
                look_at_files(d->paths.config, in_config, ARRAY_LEN(in_config), line) &&
                look_at_files(d->paths.run, in_run, ARRAY_LEN(in_run), line);
    if (well) doctor_say(line, DOCTOR_OK, "all of ostler's own are plain, and yours");
}
