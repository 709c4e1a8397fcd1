#include "app/backup.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "cli/backup_told.h"
#include "cli/screen.h"
#include "store/temp.h"

#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct backup {
    bool secrets, force, json, check;
    const char *file; /* "-" is standard output */
};

/* The directory of the file, and whether there is something under its name. */
static int look_at_target(const struct backup *b, char dir[PATH_BYTES], struct err *err) {
    char copy[PATH_BYTES];
    struct stat st;
    if ((size_t)snprintf(copy, sizeof copy, "%s", b->file) >= sizeof copy)
        return err_set(err, -ENAMETOOLONG, "the path %.64s… is too long", b->file);
    (void)snprintf(dir, PATH_BYTES, "%s", dirname(copy));
    if (lstat(b->file, &st) < 0)
        return errno == ENOENT ? 0 : err_sys(err, -errno, "%s cannot be written", b->file);
    if (!b->force) return err_set(err, -EEXIST, "%s exists already: --force replaces it", b->file);
    if (!S_ISREG(st.st_mode)) return err_set(err, -EINVAL, "%s is no plain file: it stays as it is", b->file);
    return 0;
}

/* Written beside its name, which it gets when it is complete and on the disk. */
static int write_file(const struct backup *b, const struct paths *paths, const struct backup_watch *watch,
                      struct backup_info *info, struct err *err) {
    char dir[PATH_BYTES];
    AUTO(temp) struct temp temp = TEMP_NONE;
    int r = look_at_target(b, dir, err);
    if (r < 0) return r;
    temp_sweep(dir);
    r = temp_make(dir, &temp, err);
    if (r == 0) r = backup_write(paths, b->secrets, temp.fd, watch, info, err);
    if (r == 0) r = temp_finish(&temp, info->created_ms * 1000000, err);
    if (r < 0) return r;
    return b->force ? temp_replace(&temp, b->file, err) : temp_place(&temp, b->file, err);
}

static int write_backup(const struct backup *b, struct err *err) {
    struct paths paths;
    struct backup_info info = {0};
    struct backup_told told = {0};
    bool to_stdout = strcmp(b->file, "-") == 0;
    if (to_stdout && isatty(STDOUT_FILENO))
        return err_set(err, -EINVAL, "a backup is no text for a terminal: redirect it, or name a file");
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    backup_told_begin(&told, "Backing up", -1);
    r = to_stdout ? backup_write(&paths, b->secrets, STDOUT_FILENO, &told.watch, &info, err)
                  : write_file(b, &paths, &told.watch, &info, err);
    backup_told_end(&told);
    if (r < 0 || to_stdout) return r;
    if (b->json) {
        backup_told_json(b->file, &info, NULL);
        return 0;
    }
    screen_print("Backed up ");
    backup_told_counts(&info);
    screen_print(" to ");
    screen_path(b->file);
    screen_print(b->secrets ? ", secrets included: keep it safe.\n"
                            : ", without password, logins and keys (--secrets adds them).\n");
    return 0;
}

static int check_backup(const struct backup *b, struct err *err) {
    struct backup_info info = {0};
    struct backup_told told = {0};
    struct stat st;
    AUTO(fd) int fd = strcmp(b->file, "-") == 0 ? dup(STDIN_FILENO) : file_open_plain(b->file, &st);
    if (fd < 0) return err_sys(err, fd, "%s cannot be read", b->file);
    backup_told_begin(&told, "Checking", fd);
    int r = backup_read(fd, b->file, NULL, &told.watch, &info, err);
    backup_told_end(&told);
    if (r < 0) return r;
    if (b->json) {
        backup_told_json(b->file, &info, NULL);
        return 0;
    }
    screen_path(b->file);
    screen_print(" is sound: ");
    backup_told_counts(&info);
    screen_print(" of ostler %s, %s secrets.\n", info.version, info.secrets ? "with" : "without");
    return 0;
}

static int run(int argc, char **argv) {
    struct backup b = {0};
    struct err err = {0};
    int option, status;
    while ((option = cmd_option(&cmd_backup, argc, argv, &status)) != -1) {
        if (option == 's') b.secrets = true;
        if (option == 'f') b.force = true;
        if (option == 'j') b.json = true;
        if (option == 'c') b.check = true;
    }
    if (status >= 0) return status;
    if (argc - optind != 1) return cmd_fail(&cmd_backup, CMD_USAGE, "name one file for the backup, or -");
    b.file = argv[optind];
    int r = b.check ? check_backup(&b, &err) : write_backup(&b, &err);
    if (r == -ECANCELED) return cmd_fail(&cmd_backup, BACKUP_CANCELED, "stopped; no backup was made");
    return r < 0 ? cmd_fail(&cmd_backup, CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static const struct cmd_opt options[] = {
    {"secrets", 's', .help = "also the password's hash, logins, the hook token and the TLS key"},
    {"force", 'f', .help = "replace a file that exists"},
    {"check", 'c', .help = "read a backup and say whether it is sound; writes nothing"},
    {"json", 'j', .help = "one object, for programs"},
    {0},
};

const struct cmd cmd_backup = {
    .name = "backup",
    .group = CMD_MORE,
    .summary = "put all of ostler's data into one file",
    .words = "FILE",
    .complete = "@file",
    .about =
        "Puts sessions and their history, what terminals printed, what is known of transcripts, the archive, events that "
        "wait in the spool, and the configuration into one file, which only you can read. A daemon may run meanwhile: "
        "the backup shows one moment of it, and no event is missing. - is standard output.\n\n"
        "ostler restore puts it back.",
    .options = options,
    .notes =
        "The file is a tar archive packed with zstd; its manifest.json has the SHA-256 of every part. It is complete "
        "under its name, or not there.",
    .examples = "ostler backup ~/ostler.backup\n"
                "ostler backup --check ~/ostler.backup\n"
                "ostler backup - | ssh elsewhere 'cat > ostler.backup'",
    .run = run,
};
