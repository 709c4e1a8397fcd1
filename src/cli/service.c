#include "cli/service.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"
#include "base/strv.h"
#include "cli/program.h"
#include "cli/unit.h"
#include "platform/scope.h"
#include "platform/self.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNIT_BYTES_MAX = 256 << 10 };

int service_find(struct service *ret, struct err *err) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char base[PATH_BYTES];
    bool has_config = config && config[0] == '/';
    if (!has_config && (!home || home[0] != '/'))
        return err_set(err, -ENOENT, "HOME is not set: there is no place for the unit");
    int r = has_config ? path_join(base, config, "systemd") : path_join(base, home, ".config/systemd");
    if (r == 0) r = path_join(ret->dir, base, "user");
    if (r == 0) r = path_join(ret->file, ret->dir, UNIT_NAME);
    if (r == 0) r = path_join(ret->wants, ret->dir, "default.target.wants");
    if (r == 0) r = path_join(ret->link, ret->wants, UNIT_NAME);
    return r < 0 ? err_set(err, r, "the path of the configuration directory is too long") : 0;
}

int service_is_installed(const struct service *s, bool *ret, struct err *err) {
    char head[sizeof UNIT_MARK] = "";
    struct stat st;
    AUTO(fd) int fd = file_open_plain(s->file, &st);
    *ret = fd >= 0;
    if (fd < 0) return fd == -ENOENT ? 0 : err_sys(err, fd, "cannot read %s", s->file);
    if (read(fd, head, sizeof head - 1) < 0) return err_sys(err, -errno, "cannot read %s", s->file);
    if (strcmp(head, UNIT_MARK) == 0) return 0;
    return err_set(err, -EEXIST, "%s was not written by ostler: move it away first", s->file);
}

bool service_is_enabled(const struct service *s) {
    return faccessat(AT_FDCWD, s->link, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int service_systemctl(const char *verb, const char *word, bool quiet) {
    return program_run((const char *const[]){"systemctl", "--user", verb, word, NULL}, quiet);
}

bool service_is_active(void) {
    return scope_available() && service_systemctl("is-active", UNIT_NAME, true) == 0;
}

bool service_is_lingering(void) {
    char file[PATH_BYTES];
    const struct passwd *pw = getpwuid(geteuid());
    return pw && path_join(file, "/var/lib/systemd/linger", pw->pw_name) == 0 && access(file, F_OK) == 0;
}

/* What a manager that starts with the machine would not know: where agents are found, and where ostler keeps its things. */
static char **environment(void) {
    static const char *const names[] = {"PATH", "OSTLER_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
                                        "CLAUDE_CONFIG_DIR"};
    char **env = NULL;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (getenv(names[i])) strv_set_env(&env, names[i], getenv(names[i]));
    return env;
}

int service_unit(const char *program, struct buf *ret, struct err *err) {
    char self[PATH_BYTES];
    int r = program ? 0 : self_path(self);
    if (r < 0) return err_sys(err, r, "cannot tell which program this is");
    AUTO(strv) char **env = program ? NULL : environment();
    unit_write(&(struct unit){.program = program ? program : self, .environment = (const char *const *)env},
               ret);
    return ret->failed ? err_set(err, -ENOBUFS, "the environment is too large for a unit") : 0;
}

int service_write(const struct service *s, const char *program, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(UNIT_BYTES_MAX);
    bool is_there;
    int r = service_is_installed(s, &is_there, err);
    if (r == 0) r = service_unit(program, &text, err);
    if (r < 0) return r;
    r = path_make_dirs(s->wants);
    if (r < 0) return err_sys(err, r, "cannot create the directory %s", s->wants);
    r = file_replace(s->file, buf_span(&text), 0644, false);
    if (r < 0) (void)err_sys(err, r, "cannot write %s", s->file);
    if (r < 0) return r;
    /* What systemctl enable does, which needs a manager that answers. */
    if (symlink("../" UNIT_NAME, s->link) < 0 && errno != EEXIST)
        return err_sys(err, -errno, "cannot make %s", s->link);
    return 0;
}

int service_remove(const struct service *s, struct err *err) {
    if (unlink(s->link) < 0 && errno != ENOENT) return err_sys(err, -errno, "cannot remove %s", s->link);
    if (unlink(s->file) < 0 && errno != ENOENT) return err_sys(err, -errno, "cannot remove %s", s->file);
    /* Only if it was ours alone. */
    (void)rmdir(s->wants);
    return 0;
}
