#include "app/restore.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "cli/backup_told.h"
#include "cli/roster.h"
#include "cli/screen.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Their keepers outlive every daemon, and would be left behind with the directory that they know. */
static int check_terminals(const struct paths *paths, struct err *err) {
    AUTO(roster) struct roster roster = {0};
    struct err ignored = {0};
    struct daemon_process other;
    if (daemon_running(paths, &other) == 0)
        return err_set(err, -EBUSY, "a daemon runs here (pid %lld): ostler stop first", (long long)other.pid);
    if (roster_load(&roster, &ignored) < 0) return 0;
    for (size_t i = 0; i < roster.n; i++)
        if (roster_is_live(&roster.entries[i]))
            return err_set(err, -EBUSY, "terminals still run here: end them first (ostler ls, ostler kill)");
    return 0;
}

static void tell(const char *file, const struct restored *done) {
    screen_print("Restored ");
    backup_told_counts(&done->info);
    screen_print(" from ");
    screen_path(file);
    screen_print(".\n");
    if (done->aside[0]) {
        screen_print("What was here before is in ");
        screen_path(done->aside);
        screen_print(": delete it when you are sure.\n");
    }
    if (!done->info.secrets)
        screen_print(
            "Password and logins are not in it: ostler password set makes one where the board needs it.\n");
}

static int run(int argc, char **argv) {
    bool json = false;
    struct restore_options options = {0};
    int option, status;
    while ((option = cmd_option(&cmd_restore, argc, argv, &status)) != -1) {
        if (option == 'r') options.replace = true;
        if (option == 'j') json = true;
    }
    if (status >= 0) return status;
    if (argc - optind != 1) return cmd_fail(&cmd_restore, CMD_USAGE, "name the backup to restore");
    const char *file = argv[optind];
    struct paths paths;
    struct restored done = {0};
    struct backup_told told = {0};
    struct err err = {0};
    struct stat st;
    AUTO(fd) int fd = strcmp(file, "-") == 0 ? dup(STDIN_FILENO) : file_open_plain(file, &st);
    int r = fd < 0 ? err_sys(&err, fd, "%s cannot be read", file) : paths_resolve(&paths, &err);
    if (r == 0) r = check_terminals(&paths, &err);
    if (r == 0) {
        backup_told_begin(&told, "Restoring", fd);
        options.watch = &told.watch;
        r = restore(&paths, fd, file, &options, &done, &err);
        backup_told_end(&told);
    }
    if (r == -ECANCELED) return cmd_fail(&cmd_restore, BACKUP_CANCELED, "stopped; nothing was changed");
    if (r < 0) return cmd_fail(&cmd_restore, CMD_FAILED, "%s", err.msg);
    if (json)
        backup_told_json(file, &done.info, done.aside);
    else
        tell(file, &done);
    return CMD_OK;
}

static const struct cmd_opt options[] = {
    {"replace", 'r', .help = "move what is here aside, and put the backup in its place"},
    {"json", 'j', .help = "one object, for programs"},
    {0},
};

const struct cmd cmd_restore = {
    .name = "restore",
    .group = CMD_MORE,
    .summary = "put a backup's data in place",
    .words = "FILE",
    .complete = "@file",
    .about =
        "Puts what ostler backup has written back in its place: into an empty home, or with --replace instead of what is "
        "here, which is moved aside. The whole file is unpacked beside it and checked before anything is changed; a damaged one, "
        "and one of a newer ostler, changes nothing. No daemon may run here meanwhile.\n\n"
        "Terminals that ran when the backup was made are shown as ended, with what they printed; the board can start them "
        "again.",
    .options = options,
    .examples = "ostler restore ~/ostler.backup\n"
                "OSTLER_HOME=~/look ostler restore ~/ostler.backup",
    .run = run,
};
