#include "app/mender.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "cli/cmd.h"
#include "cli/crew.h"
#include "cli/repair_report.h"
#include "cli/screen.h"
#include "cli/transcripts.h"
#include "store/transcript_db.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CANCELED = 130,   /* what shells say of a Ctrl-C */
    SETTLE_TRIES = 6, /* how often a transcript that is being written is looked at again */
    SETTLE_PAUSE_MS = 300,
};

/* One run of scan, fix or all. */
struct repair {
    struct repair_report report;
    struct transcripts files;
    struct mender *mender; /* NULL: no state directory, so nothing is remembered */
    bool active, dry_run;
    bool is_walk; /* `all`: live sessions are none of its business until they pause */
};

static int64_t now_ms(void) {
    return usec_to_msec(clock_wall(&clock_system));
}

/* ---- one transcript -------------------------------------------------------------------------------------------- */

static int mend_directly(const struct repair *r, const struct transcript_item *file,
                         const struct progress *progress, struct mender_outcome *o) {
    struct mend_options options = {
        .root = file->root, .stop_hook = r->active, .dry_run = r->dry_run, .now_ms = now_ms()};
    int rc = transcript_mend(file->path, &options, progress, &o->mend, &o->err);
    o->scan = r->dry_run ? o->mend.before : o->mend.after;
    return rc;
}

/* What would be done. Nothing of Claude Code's is touched, not even its history; only the verdict is kept, and one that is
 * still good is taken. */
static int rehearse(const struct repair *r, const struct transcript_item *file,
                    const struct progress *progress, struct mender_outcome *o) {
    struct transcript_db *db = r->mender ? mender_db(r->mender) : NULL;
    bool is_known = db && transcript_db_get(db, file->path, &file->mark, &o->scan) == 1;
    bool is_well = o->scan.status == TRANSCRIPT_HEALTHY && !(o->scan.stop_hook_inline && r->active);
    if (is_known && is_well) {
        o->mend = (struct mend_verdict){.status = MEND_ALREADY_HEALTHY, .depth = o->scan.depth};
        return 0;
    }
    int rc = mend_directly(r, file, progress, o);
    if (rc == 0 && db) (void)transcript_db_put(db, file->path, &o->scan, NULL);
    return rc;
}

static int mend(const struct repair *r, const struct transcript_item *file, const struct progress *progress,
                struct mender_outcome *o) {
    if (r->dry_run) return rehearse(r, file, progress, o);
    if (!r->mender) return mend_directly(r, file, progress, o);
    struct mender_options options = {.root = file->root, .stop_hook = r->active, .only_settled = r->is_walk};
    /* A writer that pauses is waited for; one that goes on gets another chance another time. */
    for (int i = 0;; i++) {
        options.now_ms = now_ms();
        int rc = mender_file(r->mender, file->path, &options, progress, o);
        if (rc != -EAGAIN || i == SETTLE_TRIES || crew_is_stopped()) return rc;
        struct timespec pause = {.tv_nsec = SETTLE_PAUSE_MS * 1000000L};
        (void)nanosleep(&pause, NULL);
    }
}

/* What failed without a verdict is one all the same. */
static void fail(struct mender_outcome *o, int rc) {
    o->mend.status = MEND_FAILED;
    o->scan.status = TRANSCRIPT_UNREADABLE;
    if (rc == -EAGAIN)
        (void)err_set(&o->err, rc, "somebody is writing it right now: try again when the agent pauses");
    else if (!o->err.msg[0])
        (void)err_sys(&o->err, rc, "it cannot be mended");
}

static void *work(void *user, size_t item, const struct progress *progress) {
    struct repair *r = user;
    const struct transcript_item *file = &r->files.items[item];
    struct mender_outcome *o = xcalloc(1, sizeof *o);
    int rc = r->report.is_scan ? transcript_scan(file->path, file->root, progress, &o->scan, &o->err)
                               : mend(r, file, progress, o);
    if (rc == -ECANCELED) {
        free(o);
        return NULL;
    }
    if (rc < 0) fail(o, rc);
    return o;
}

static uint64_t size(void *user, size_t item) {
    return ((struct repair *)user)->files.items[item].mark.size;
}

static void tell(void *user, size_t item, void *result) {
    struct repair *r = user;
    repair_report_file(&r->report, r->files.items[item].path, result);
    free(result);
}

/* ---- all of them ----------------------------------------------------------------------------------------------- */

static int carry_out(struct repair *r) {
    struct crew_job job = {.verb = r->report.is_scan ? "Scanning" : "Mending",
                           .count = r->files.count,
                           .size = size,
                           .work = work,
                           .tell = tell,
                           .user = r};
    int rc = crew_run(&job);
    if (rc == -ECANCELED) {
        (void)fflush(stdout);
        (void)cmd_fail(&cmd_repair, CANCELED, "stopped after %zu of %zu transcripts%s",
                       (size_t)r->report.files, r->files.count,
                       r->report.is_scan ? "" : "; none is half mended");
        return CANCELED;
    }
    repair_report_end(&r->report);
    return repair_report_is_well(&r->report) ? CMD_OK : CMD_FAILED;
}

/* Without its state ostler mends all the same; it only forgets. */
static void open_mender(struct repair *r) {
    struct paths paths;
    struct err err = {0};
    log_set_level(LOG_WARN); /* what goes well is said by the report */
    int rc = paths_resolve(&paths, &err);
    if (rc == 0) rc = mender_open(paths.state, &r->mender, &err);
    if (rc < 0) (void)cmd_fail(&cmd_repair, 0, "warning: nothing will be remembered: %s", err.msg);
}

static int mend_and_close(struct repair *r) {
    open_mender(r);
    int status = carry_out(r);
    if (r->mender) {
        mender_flush(r->mender);
        if (r->is_walk && !r->dry_run) (void)mender_prune(r->mender, now_ms());
        mender_close(r->mender);
    }
    return status;
}

static int add_words(struct repair *r, int argc, char **argv) {
    struct err err = {0};
    if (optind == argc)
        return cmd_fail(
            &cmd_repair, CMD_USAGE,
            "%s which transcript? Name a file, a directory or a session; ostler repair all takes every one",
            argv[0]);
    for (int i = optind; i < argc; i++)
        if (transcripts_add(&r->files, argv[i], &err) < 0)
            return cmd_fail(&cmd_repair, CMD_FAILED, "%s", err.msg);
    return CMD_OK;
}

static int scan(struct repair *r, int argc, char **argv) {
    r->report.is_scan = true;
    int status = add_words(r, argc, argv);
    return status != CMD_OK ? status : carry_out(r);
}

static int fix(struct repair *r, int argc, char **argv) {
    int status = add_words(r, argc, argv);
    return status != CMD_OK ? status : mend_and_close(r);
}

static int mend_all(struct repair *r, int argc UNUSED, char **argv UNUSED) {
    struct err err = {0};
    char projects[PATH_BYTES];
    if (transcripts_add_all(&r->files, projects, &err) < 0)
        return cmd_fail(&cmd_repair, CMD_FAILED, "%s", err.msg);
    if (r->files.count == 0 && !r->report.json) {
        screen_print("No transcripts in ");
        screen_path(projects);
        screen_print(".\n");
        return CMD_OK;
    }
    r->is_walk = true;
    return mend_and_close(r);
}

/* With a database the daemon learns to leave that version alone; without one it is put back all the same. */
static int put_back(struct repair *r, const char *path, char backup[PATH_BYTES], struct err *err) {
    char kept[PATH_BYTES];
    open_mender(r);
    if (!r->mender) return transcript_undo(path, NULL, now_ms(), backup, kept, err);
    int rc = mender_undo(r->mender, path, NULL, now_ms(), backup, err);
    mender_close(r->mender);
    return rc;
}

static int undo(struct repair *r, int argc, char **argv) {
    struct err err = {0};
    char path[PATH_BYTES], backup[PATH_BYTES];
    if (argc - optind != 1) return cmd_fail(&cmd_repair, CMD_USAGE, "undo takes one transcript");
    if (transcripts_one(argv[optind], path, &err) < 0 || put_back(r, path, backup, &err) < 0)
        return cmd_fail(&cmd_repair, CMD_FAILED, "%s", err.msg);
    screen_print("Restored ");
    screen_path(path);
    screen_print("\n    from ");
    screen_path(backup);
    screen_print("\nWhat it held until now is its newest backup: the same command undoes this.\n"
                 "Until the file changes the daemon leaves it alone; ostler repair fix mends it again.\n");
    return CMD_OK;
}

/* The command line of an action, and then what it does. */
static int run_with(int (*action)(struct repair *r, int argc, char **argv), int argc, char **argv) {
    bool given[UINT8_MAX + 1] = {false};
    int option, status;
    while ((option = cmd_option(&cmd_repair, argc, argv, &status)) != -1)
        given[option] = true;
    if (status >= 0) return status;
    struct repair r = {.active = given['a'], .dry_run = given['n']};
    r.report = (struct repair_report){.json = given['j'], .dry_run = given['n']};
    r.report.only_changes = action == mend_all && !given['v'];
    status = action(&r, argc, argv);
    transcripts_fini(&r.files);
    return status;
}

static int run_all(int argc, char **argv) {
    return run_with(mend_all, argc, argv);
}

static int run_fix(int argc, char **argv) {
    return run_with(fix, argc, argv);
}

static int run_scan(int argc, char **argv) {
    return run_with(scan, argc, argv);
}

static int run_undo(int argc, char **argv) {
    return run_with(undo, argc, argv);
}

static const struct cmd_opt options[] = {
    {"active", 'a',
     .help = "mend also what only disturbs a session that is resumed now: the stop hook's place"},
    {"dry-run", 'n', .help = "say what would be mended, and change nothing"},
    {"verbose", 'v', .help = "one line for healthy transcripts too"},
    {"json", 'j', .help = "one object a line"},
    {0},
};

static const struct cmd_action actions[] = {
    {"scan", "PATH…", "@file", "j", "says what is broken and changes nothing", run_scan},
    {"fix", "PATH…", "@file", "jan", "mends these transcripts", run_fix},
    {"all", NULL, NULL, "jnv",
     "mends every transcript of Claude Code; those that did not change since the last time are not read again",
     run_all},
    {"undo", "FILE", "@file", NULL,
     "puts the newest backup back; what the file held becomes a backup, so that an undo can be undone",
     run_undo},
    {0},
};

const struct cmd cmd_repair = {
    .name = "repair",
    .group = CMD_TRANSCRIPTS,
    .summary = "mend transcripts that a crash broke",
    .about =
        "Mends transcripts of Claude Code that a crash broke, so that their sessions can be resumed with all they "
        "said. Only broken links are changed, and records that share a line get lines of their own, after a backup was "
        "written beside the file. The daemon does the same by itself.\n"
        "\n"
        "PATH is a transcript, a directory (its *.jsonl and those one level below), or a session's id.",
    .options = options,
    .actions = actions,
    .notes =
        "Exit status: 0 when all is healthy or mended (scan: or can be mended), 1 when something cannot be read or "
        "mended, 2 when the command is not understood, 130 after Ctrl-C.",
    .examples = "ostler repair scan ~/.claude/projects\n"
                "ostler repair all --dry-run",
};
