/* What ostler has on the disk. */
#include "base/cleanup.h"
#include "base/own.h"
#include "base/span.h"
#include "cli/doctor.h"
#include "cli/screen.h"
#include "config/config.h"
#include "platform/confine.h"
#include "platform/self.h"
#include "store/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { FEW_BYTES = 256 << 20, TOO_FEW_BYTES = 16 << 20 };

/* Our directory: ours, closed to others, and something can be put there. */
static void look_at_dir(const char *dir, const char *what, struct doctor_line *line) {
    struct stat st;
    if (stat(dir, &st) < 0 && errno == ENOENT) {
        doctor_say(line, DOCTOR_OK, "%s is not there yet; it is made when it is needed", dir);
        return;
    }
    if (stat(dir, &st) < 0 || !S_ISDIR(st.st_mode)) {
        doctor_say(line, DOCTOR_BAD, "%s is no directory that can be used: %s", dir,
                   strerror(errno ? errno : ENOTDIR));
        doctor_advise(line, "make it one, or put OSTLER_HOME elsewhere");
        return;
    }
    char probe[PATH_BYTES];
    int fd = path_join(probe, dir, ".doctor") < 0 ? -1 : own_open(probe, O_WRONLY | O_CREAT, 0600);
    int failed = -fd;
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(probe);
    }
    if (st.st_uid != geteuid()) {
        doctor_say(line, DOCTOR_BAD, "%s belongs to another user (%u)", dir, (unsigned)st.st_uid);
        doctor_advise(line, "give it to yourself: sudo chown -R \"$USER\" %s", dir);
    } else if (fd < 0) {
        doctor_say(line, DOCTOR_BAD, "%s cannot be written to: %s", dir, strerror(failed));
        if (failed == EROFS)
            doctor_advise(
                line,
                "dmesg says whether the disk went so by itself, after an error: then stop ostler, check "
                "the disk and mount it again; else mount it writable");
        else
            doctor_advise(line, "make it writable, chmod u+rwx %s; or put OSTLER_HOME on another disk", dir);
    } else if (st.st_mode & 077) {
        doctor_say(line, DOCTOR_WARN, "%s is open to other users (mode %03o), and has your prompts in it",
                   dir, (unsigned)st.st_mode & 0777);
        doctor_advise(line, "chmod 700 %s", dir);
    } else {
        doctor_say(line, DOCTOR_OK, "%s, %s", dir, what);
    }
}

void doctor_state_dir(const struct doctor *d, struct doctor_line *line) {
    look_at_dir(d->paths.state, "yours alone and writable", line);
}

void doctor_spool(const struct doctor *d, struct doctor_line *line) {
    look_at_dir(d->paths.spool, "hooks can write to it", line);
}

void doctor_config(const struct doctor *d, struct doctor_line *line) {
    char file[PATH_BYTES];
    struct err err = {0};
    AUTO(config) struct config config = {0};
    if (config_path(&d->paths, file) < 0) {
        doctor_say(line, DOCTOR_BAD, "the path of the configuration directory is too long");
        doctor_advise(line, "put OSTLER_HOME elsewhere");
    } else if (config_load(file, &config, &err) < 0) {
        doctor_say(line, DOCTOR_BAD, "%s", err.msg);
        doctor_advise(line, "mend the file, or move it away: ostler setup makes another");
    } else {
        doctor_say(line, DOCTOR_OK, config.exists ? "%s" : "there is no %s, which is fine", file);
    }
}

/* Of the directory, or of the nearest one above it that is there. */
void doctor_space(const struct doctor *d, struct doctor_line *line) {
    char dir[PATH_BYTES];
    struct statvfs fs;
    (void)snprintf(dir, sizeof dir, "%s", d->paths.state);
    int r = statvfs(dir, &fs);
    for (char *slash; r < 0 && errno == ENOENT && (slash = strrchr(dir, '/')) && slash != dir;
         r = statvfs(dir, &fs))
        *slash = '\0';
    if (r < 0) {
        doctor_say(line, DOCTOR_WARN, "the disk of %s does not tell: %s", dir, strerror(errno));
        return;
    }
    uint64_t left = (uint64_t)fs.f_bavail * fs.f_frsize;
    bool no_files = fs.f_files && fs.f_favail == 0;
    enum doctor_state state = left < TOO_FEW_BYTES || no_files ? DOCTOR_BAD
                              : left < FEW_BYTES               ? DOCTOR_WARN
                                                               : DOCTOR_OK;
    if (no_files)
        doctor_say(line, state, "no more files can be made on the disk of %s", dir);
    else
        doctor_say(line, state, "%s left on the disk of %s", screen_size(left).text, dir);
    if (state != DOCTOR_OK) doctor_advise(line, "free some space: events and terminals are kept there");
}

void doctor_database(const struct doctor *d, struct doctor_line *line) {
    static const char *const names[] = {"ostler.db", "transcripts.db"};
    size_t found = 0;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char file[PATH_BYTES];
        struct err err = {0};
        if (path_join(file, d->paths.state, names[i]) < 0) continue;
        int r = store_check(file, &err);
        found += r != -ENOENT;
        if (r == 0 || r == -ENOENT) continue;
        doctor_say(line, r == -EBUSY ? DOCTOR_WARN : DOCTOR_BAD, "%s", err.msg);
        if (r == -EBUSY)
            doctor_advise(line, "try again when nobody writes to it");
        else
            doctor_advise(
                line,
                "stop the daemon, move the file away and start it again: events that wait in the spool are "
                "read again, what is older is in the file that you kept");
        return;
    }
    doctor_say(line, DOCTOR_OK, found ? "sound" : "none yet");
}

/* A program beside this one: there, and executable. */
static void look_at_program(const char *name, const char *what_for, struct doctor_line *line) {
    char path[PATH_BYTES] = "";
    int r = self_sibling(path, name);
    if (r < 0) {
        doctor_say(line, DOCTOR_BAD, "%s is not there: %s", path[0] ? path : name, strerror(-r));
        doctor_advise(line, "install it beside ostler, with make install: %s", what_for);
        return;
    }
    doctor_say(line, DOCTOR_OK, "%s", path);
}

void doctor_hook(const struct doctor *d UNUSED, struct doctor_line *line) {
    look_at_program("ostler-hook", "agents run it on each event", line);
}

void doctor_keeper(const struct doctor *d UNUSED, struct doctor_line *line) {
    look_at_program("ostler-keeper", "it keeps a terminal's program alive", line);
    if (line->state != DOCTOR_OK) return;
    size_t n = strlen(line->what);
    if (confine_possible()) {
        (void)snprintf(line->what + n, sizeof line->what - n,
                       ", which confines itself once its program runs");
        return;
    }
    doctor_say(line, DOCTOR_WARN,
               "keepers are not confined: this kernel has no seccomp filters for this machine");
    doctor_advise(line, "use a kernel with CONFIG_SECCOMP_FILTER; terminals work all the same");
}
