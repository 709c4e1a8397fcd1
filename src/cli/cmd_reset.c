#include "app/daemon_file.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "cli/ask.h"
#include "cli/hooks_change.h"
#include "cli/roster.h"
#include "cli/screen.h"
#include "setup/file.h"
#include "setup/setup.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct reset {
    struct paths paths;
    struct setup_place place;
    char config[PATH_BYTES]; /* our configuration file */
    char backup[PATH_BYTES]; /* directory */
    bool all, yes;
    int lock; /* of the state directory, for --all */
};

/* Beside the state directory, which may go as a whole. */
static int choose_backup(struct reset *r, struct err *err) {
    char copy[PATH_BYTES], when[32], name[64];
    time_t now = time(NULL);
    struct tm tm;
    (void)memcpy(copy, r->paths.state, sizeof copy);
    (void)strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    (void)snprintf(name, sizeof name, "ostler-backup-%s", when);
    if (path_join(r->backup, dirname(copy), name) < 0)
        return err_set(err, -ENAMETOOLONG, "the path of the state directory is too long");
    return 0;
}

/* A copy under its own name and `label`. Returns whether there was something. */
static int copy_file(const struct reset *r, const char *file, const char *label, struct err *err) {
    AUTO(setup_file) struct setup_file f = {0};
    char copy[PATH_BYTES];
    struct setup_file to = {.mode = 0600, .uid = geteuid(), .gid = getegid()};
    int code = setup_file_read(file, SETTINGS_BYTES_MAX, &f, err);
    if (code < 0 || !f.exists) return code;
    (void)memcpy(copy, file, sizeof copy);
    AUTO(free) char *name = str_format("%s-%s", label, basename(copy));
    code = path_join(to.path, r->backup, name);
    (void)memcpy(to.target, to.path, sizeof to.target);
    if (code == 0) code = path_make_dirs(r->backup);
    if (code < 0) return err_sys(err, code, "the backup %s cannot be made", r->backup);
    return setup_file_replace(&to, buf_span(&f.text), err);
}

static int back_up(const struct reset *r, struct err *err) {
    int code = copy_file(r, r->config, "ostler", err);
    for (enum cli cli = 0; code == 0 && cli < CLI_N_; cli++) {
        struct setup_status s;
        setup_status(&r->place, cli, &s);
        if (s.installed) code = copy_file(r, r->place.file[cli], cli_to_str(cli), err);
        setup_status_fini(&s);
    }
    return code;
}

/* Whoever has the lock keeps a daemon from starting; terminals live without one. */
static int check_idle(struct reset *r, struct err *err) {
    AUTO(roster) struct roster roster = {0};
    int code = r->lock = daemon_lock(&r->paths, err);
    if (code < 0) return code;
    if (roster_load(&roster, err) < 0) return 0;
    for (size_t i = 0; i < roster.n; i++)
        if (roster_is_live(&roster.entries[i]))
            return err_set(err, -EBUSY, "terminals still run: end them first (ostler ls, ostler kill)");
    return 0;
}

static bool is_sure(const struct reset *r) {
    bool yes = false;
    struct err err = {0};
    if (r->yes) return true;
    screen_print_to(
        stderr,
        "This takes ostler's hooks out of the settings of all agents and removes its configuration%s.\n",
        r->all
            ? ", and moves everything it knows out of the way: sessions, terminals' output, kept transcripts"
            : "");
    return ask_yes_no("Go on?", false, &yes, &err) == 0 && yes;
}

static bool remove_hooks(const struct reset *r) {
    struct hooks_change c = {.cmd = &cmd_reset, .place = &r->place, .terse = true};
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        hooks_change(&c, cli, NULL);
    return !c.failed;
}

static void remove_own(const struct reset *r) {
    if (unlink(r->config) == 0) {
        screen_print("The configuration is removed: ");
        screen_path(r->config);
        screen_print("\n");
    }
    if (strncmp(r->place.hook, r->paths.state, strlen(r->paths.state)) == 0) (void)unlink(r->place.hook);
}

/* Moved, not deleted: a mistake can be mended, and it takes no time. */
static bool remove_data(const struct reset *r) {
    char to[PATH_BYTES];
    if (path_make_dirs(r->backup) < 0 || path_join(to, r->backup, "state") < 0 ||
        rename(r->paths.state, to) < 0) {
        (void)cmd_fail(&cmd_reset, CMD_FAILED, "the data stay in %s: %s", r->paths.state, strerror(errno));
        return false;
    }
    screen_print("The data are moved to ");
    screen_path(to);
    screen_print(": delete them when you are sure.\n");
    return true;
}

static int carry_out(struct reset *r) {
    struct err err = {0};
    if (r->all && check_idle(r, &err) < 0)
        return cmd_fail(&cmd_reset, CMD_FAILED, "nothing was changed: %s", err.msg);
    if (back_up(r, &err) < 0) return cmd_fail(&cmd_reset, CMD_FAILED, "nothing was changed: %s", err.msg);
    bool well = remove_hooks(r);
    remove_own(r);
    if (well && r->all) well = remove_data(r);
    if (access(r->backup, F_OK) == 0) {
        screen_print("What was changed is kept in ");
        screen_path(r->backup);
        screen_print(".\n");
    }
    if (well)
        screen_print(r->all ? "ostler has left this account.\n"
                            : "ostler is as it was before it was set up; what it recorded stays.\n");
    return well ? CMD_OK : CMD_FAILED;
}

static int run(int argc, char **argv) {
    struct reset r = {.lock = -1};
    struct err err = {0};
    int option, status;
    while ((option = cmd_option(&cmd_reset, argc, argv, &status)) != -1) {
        r.all |= option == 'a';
        r.yes |= option == 'y';
    }
    if (status >= 0) return status;
    if (paths_resolve(&r.paths, &err) < 0 || setup_place_resolve(&r.place, &r.paths, &err) < 0 ||
        choose_backup(&r, &err) < 0)
        return cmd_fail(&cmd_reset, CMD_FAILED, "%s", err.msg);
    if (config_path(&r.paths, r.config) < 0)
        return cmd_fail(&cmd_reset, CMD_FAILED, "the path of the configuration is too long");
    if (!r.yes && !ask_has_person())
        return cmd_fail(&cmd_reset, CMD_USAGE, "nobody is here to be asked: say --yes if you mean it");
    if (!is_sure(&r)) return cmd_fail(&cmd_reset, CMD_FAILED, "nothing was changed");
    status = carry_out(&r);
    if (r.lock >= 0) (void)close(r.lock);
    return status;
}

static const struct cmd_opt options[] = {
    {"all", 'a',
     .help = "the data, too: sessions, terminals' output, kept transcripts; they are moved into the backup"},
    {"yes", 'y', .has_letter = true, .help = "do not ask"},
    {0},
};

const struct cmd cmd_reset = {
    .name = "reset",
    .summary = "take out all hooks and the configuration",
    .about =
        "Takes ostler's hooks out of the settings of all agents and removes its configuration, after copies of all these files were "
        "put into a directory ostler-backup-DATE beside its state. What it recorded stays, unless --all is said.",
    .options = options,
    .notes =
        "Exit status: 0 when everything was taken out, 1 when something was not, 2 when the command is not understood.",
    .examples = "ostler reset\nostler reset --all --yes",
    .run = run,
};
