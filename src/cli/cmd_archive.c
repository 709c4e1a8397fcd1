#include "store/archive.h"

#include "app/mender.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "cli/cmd.h"
#include "cli/crew.h"
#include "cli/screen.h"
#include "cli/transcripts.h"
#include "repair/claude.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CANCELED = 130, ID_WIDTH = 36, OBJECT_BYTES_MAX = 64 << 10 };

/* The state that every action works on. */
struct archive {
    struct mender *mender;
    struct transcript_db *db;
    char dir[PATH_BYTES];
    bool json;
    const char *to; /* --to */
};

static int archive_open(struct archive *a, struct err *err) {
    struct paths paths;
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    if (path_join(a->dir, paths.state, "archive") < 0)
        return err_set(err, -ENAMETOOLONG, "the path of the state directory is too long");
    r = mender_open(paths.state, &a->mender, err);
    if (r == 0) a->db = mender_db(a->mender);
    return r;
}

static int64_t now_ms(void) {
    return usec_to_msec(clock_wall(&clock_system));
}

/* ---- on, off, status ------------------------------------------------------------------------------------------- */

static int turn(struct archive *a, int argc, char **argv) {
    bool on = strcmp(argv[0], "on") == 0;
    struct err err = {0};
    (void)argc;
    if (transcript_db_set(a->db, "archive", on, &err) < 0)
        return cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg);
    if (on) {
        screen_print("Transcripts are kept in ");
        screen_path(a->dir);
        screen_print(" from now on, whenever ostler looks at them.\n"
                     "ostler archive keep takes those that are there already.\n");
    } else {
        screen_print("Transcripts are no longer kept. Those that were stay: ostler archive ls\n");
    }
    return CMD_OK;
}

struct sum {
    uint64_t count, size, packed;
};

static int add_up(void *user, const struct archived *one) {
    struct sum *sum = user;
    sum->count++;
    sum->size += one->size;
    sum->packed += one->packed;
    return 0;
}

static int print_status_json(const struct archive *a, bool on, const struct sum *sum) {
    AUTO(buf) struct buf out = BUF_INIT(OBJECT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kbool(&w, "on", on);
    jwrite_kcstr(&w, "directory", a->dir);
    jwrite_ku64(&w, "transcripts", sum->count);
    jwrite_ku64(&w, "fileSize", sum->size);
    jwrite_ku64(&w, "archiveSize", sum->packed);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
    return CMD_OK;
}

static int tell_status(struct archive *a, int argc, char **argv) {
    int64_t on = 0;
    struct sum sum = {0};
    struct err err = {0};
    (void)argc, (void)argv;
    if (transcript_db_setting(a->db, "archive", &on) < 0)
        return cmd_fail(&cmd_archive, CMD_FAILED, "the setting cannot be read");
    if (archive_each(a->db, add_up, &sum, &err) < 0) return cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg);
    if (a->json) return print_status_json(a, on != 0, &sum);
    screen_print("The archive is %s. ", on ? "on" : "off");
    if (sum.count) {
        screen_print("%s kept, %s as %s in ",
                     screen_count(sum.count, "transcript is", "transcripts are").text,
                     screen_size(sum.size).text, screen_size(sum.packed).text);
        screen_path(a->dir);
        screen_print(".\n");
    } else {
        screen_print("Nothing is kept yet%s.\n", on ? ": ostler archive keep begins now" : "");
    }
    return CMD_OK;
}

/* ---- ls -------------------------------------------------------------------------------------------------------- */

static void print_json(const struct archived *one) {
    AUTO(buf) struct buf out = BUF_INIT(OBJECT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "sessionId", one->session_id);
    jwrite_kcstr(&w, "filePath", one->path);
    jwrite_kcstr(&w, "archivePath", one->file);
    jwrite_ku64(&w, "fileSize", one->size);
    jwrite_ku64(&w, "archiveSize", one->packed);
    jwrite_ki64(&w, "archivedAt", one->at_ms);
    jwrite_ki64(&w, "modifiedAt", one->mtime_ns / 1000000);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

static void print_row(const struct archived *one) {
    time_t seconds = (time_t)(one->at_ms / 1000);
    struct tm tm;
    char when[32] = "-";
    if (localtime_r(&seconds, &tm)) (void)strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
    screen_print("%-16s %8s %8s ", when, screen_size(one->size).text, screen_size(one->packed).text);
    screen_column(span_str(one->session_id), ID_WIDTH);
    (void)putchar(' ');
    screen_path(one->path);
    (void)putchar('\n');
}

struct listing {
    bool json, has_head;
};

static int list_one(void *user, const struct archived *one) {
    struct listing *l = user;
    if (l->json) {
        print_json(one);
        return 0;
    }
    if (!l->has_head)
        screen_print("%-16s %8s %8s %-*s %s\n", "KEPT", "SIZE", "PACKED", ID_WIDTH, "SESSION", "TRANSCRIPT");
    l->has_head = true;
    print_row(one);
    return 0;
}

static int list(struct archive *a, int argc, char **argv) {
    struct listing l = {.json = a->json};
    struct err err = {0};
    (void)argc, (void)argv;
    if (archive_each(a->db, list_one, &l, &err) < 0) return cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg);
    if (!l.json && !l.has_head) screen_print("Nothing is kept yet. ostler archive on begins with it.\n");
    return CMD_OK;
}

/* ---- keep ------------------------------------------------------------------------------------------------------ */

struct keeping {
    struct archive *archive;
    struct transcripts files;
    bool by_name; /* the person named them, so each gets a line */
    uint64_t kept, known, failed, bytes;
};

struct kept {
    int rc; /* of archive_keep() */
    struct err err;
};

static void *keep(void *user, size_t item, const struct progress *progress) {
    struct keeping *k = user;
    const struct transcript_item *one = &k->files.items[item];
    struct kept *result = xcalloc(1, sizeof *result);
    (void)progress;
    result->rc = archive_keep(k->archive->db, k->archive->dir, claude_session_of(span_str(one->path)),
                              one->path, &one->mark, now_ms(), &result->err);
    return result;
}

static uint64_t keep_size(void *user, size_t item) {
    return ((struct keeping *)user)->files.items[item].mark.size;
}

static void keep_tell(void *user, size_t item, void *result) {
    struct keeping *k = user;
    const struct transcript_item *one = &k->files.items[item];
    struct kept *r = result;
    *(r->rc < 0 ? &k->failed : r->rc ? &k->kept : &k->known) += 1;
    if (r->rc > 0) k->bytes += one->mark.size;
    if (k->by_name || r->rc < 0) {
        screen_print("%-9s ", r->rc < 0 ? "failed" : r->rc ? "kept" : "unchanged");
        screen_path(one->path);
        if (r->rc < 0) screen_print(": %s", r->err.msg);
        (void)putchar('\n');
    }
    free(r);
}

static int keep_all(struct keeping *k) {
    struct crew_job job = {.verb = "Keeping",
                           .count = k->files.count,
                           .size = keep_size,
                           .work = keep,
                           .tell = keep_tell,
                           .user = k};
    int rc = crew_run(&job);
    screen_print("%s kept", screen_count(k->kept, "transcript", "transcripts").text);
    if (k->kept) screen_print(" (%s)", screen_size(k->bytes).text);
    if (k->known) screen_print(", %" PRIu64 " kept already", k->known);
    if (k->failed) screen_print(", %" PRIu64 " that could not be", k->failed);
    screen_print(".\n");
    if (rc == -ECANCELED) return cmd_fail(&cmd_archive, CANCELED, "stopped; the rest is not kept");
    return k->failed ? CMD_FAILED : CMD_OK;
}

static int keep_some(struct archive *a, int argc, char **argv) {
    struct keeping k = {.archive = a, .by_name = optind < argc};
    struct err err = {0};
    char projects[PATH_BYTES];
    int r = k.by_name ? 0 : transcripts_add_all(&k.files, projects, &err);
    for (int i = optind; r == 0 && i < argc; i++)
        r = transcripts_add(&k.files, argv[i], &err);
    int status = r < 0 ? cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg) : keep_all(&k);
    transcripts_fini(&k.files);
    return status;
}

/* ---- restore --------------------------------------------------------------------------------------------------- */

static int restore(struct archive *a, int argc, char **argv) {
    struct archived one;
    struct err err = {0};
    if (argc - optind != 1) return cmd_fail(&cmd_archive, CMD_USAGE, "restore takes one session's id");
    if (archive_get(a->db, span_str(argv[optind]), &one, &err) < 0)
        return cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg);
    const char *to = a->to ? a->to : one.path;
    /* The directory of a session that is long gone may be gone as well. */
    int r = a->to ? 0 : path_make_parent(to);
    if (r < 0) (void)err_sys(&err, r, "the directory of %s cannot be made", to);
    if (r == 0) r = archive_restore(&one, to, &err);
    if (r < 0) (void)cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg);
    if (r == -EEXIST && !a->to) screen_print_to(stderr, "Restore it elsewhere with --to FILE.\n");
    if (r < 0) return CMD_FAILED;
    screen_path(to);
    screen_print(" is back, %s.\n", screen_size(one.size).text);
    return CMD_OK;
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

/* The command line of an action, and then what it does. */
static int run_with(int (*action)(struct archive *a, int argc, char **argv), int argc, char **argv) {
    struct archive a = {0};
    int option, status;
    while ((option = cmd_option(&cmd_archive, argc, argv, &status)) != -1) {
        if (option == 'j') a.json = true;
        if (option == 't') a.to = optarg;
    }
    if (status >= 0) return status;
    struct err err = {0};
    if (archive_open(&a, &err) < 0) return cmd_fail(&cmd_archive, CMD_FAILED, "%s", err.msg);
    status = action(&a, argc, argv);
    mender_close(a.mender);
    return status;
}

static int run_keep(int argc, char **argv) {
    return run_with(keep_some, argc, argv);
}

static int run_ls(int argc, char **argv) {
    return run_with(list, argc, argv);
}

static int run_switch(int argc, char **argv) {
    return run_with(turn, argc, argv);
}

static int run_restore(int argc, char **argv) {
    return run_with(restore, argc, argv);
}

static int run_status(int argc, char **argv) {
    return run_with(tell_status, argc, argv);
}

static const struct cmd_opt options[] = {
    {"to", 't', .value = "FILE", .help = "restore to this file; one that exists is never overwritten",
     .complete = "@file"},
    {"json", 'j', .help = "one object a line, for programs"},
    {0},
};

static const struct cmd_action actions[] = {
    {"on", NULL, NULL, NULL, "keep transcripts from now on whenever they are looked at", run_switch},
    {"off", NULL, NULL, NULL, "do not; what is kept stays", run_switch},
    {"status", NULL, NULL, "j", "is it on, and how much is kept?", run_status},
    {"ls", NULL, NULL, "j", "what is kept, the newest first", run_ls},
    {"keep", "[PATH…]", "@file", NULL,
     "keep these now: a transcript, a directory, a session's id; all of Claude Code's without one", run_keep},
    {"restore", "ID", NULL, "t",
     "put a session's transcript back where it was; the beginning of its id is enough", run_restore},
    {0},
};

const struct cmd cmd_archive = {
    .name = "archive",
    .group = CMD_TRANSCRIPTS,
    .summary = "keep transcripts past their CLI's own deletion",
    .about =
        "Keeps transcripts past the day on which their CLI deletes them, compressed, among ostler's own files. Off "
        "until it is switched on; what is kept stays when it is switched off.",
    .options = options,
    .actions = actions,
    .examples = "ostler archive on\n"
                "ostler archive restore 7f3ab --to old.jsonl",
};
