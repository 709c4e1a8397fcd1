#define LOG_TAG "repair"
#include "app/mender.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "repair/claude.h"
#include "store/archive.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* An agent writes a few lines that belong together within a moment of each other, and not always in their order. */
enum { SETTLED_MS = 500 };
#define BACKUP_AGE_MS (INT64_C(30) * 24 * 60 * 60 * 1000)

struct mender {
    struct transcript_db *db;
    char archive[PATH_BYTES];
};

int mender_open(const char *state_dir, struct mender **ret, struct err *err) {
    char file[PATH_BYTES];
    struct mender *m = xcalloc(1, sizeof *m);
    int r = path_make_dirs(state_dir);
    if (r < 0) {
        (void)err_sys(err, r, "The directory %s cannot be made", state_dir);
    } else {
        r = path_join(file, state_dir, "transcripts.db");
        if (r == 0) r = path_join(m->archive, state_dir, "archive");
        if (r == 0) r = transcript_db_open(file, &m->db, err);
    }
    if (r < 0) {
        free(m);
        return r;
    }
    *ret = m;
    return 0;
}

void mender_close(struct mender *m) {
    if (!m) return;
    transcript_db_close(m->db);
    free(m);
}

struct transcript_db *mender_db(struct mender *m) {
    return m->db;
}

void mender_flush(struct mender *m) {
    struct err err;
    if (transcript_db_flush(m->db, &err) < 0) log_warn("%s", err.msg);
}

int mender_prune(struct mender *m, int64_t now_ms) {
    struct err err;
    int n = transcript_db_prune(m->db, now_ms - BACKUP_AGE_MS, &err);
    if (n < 0) log_warn("%s", err.msg);
    return n;
}

bool mender_archives(struct mender *m) {
    int64_t wanted = 0;
    return transcript_db_setting(m->db, "archive", &wanted) > 0 && wanted;
}

static void keep_copy(struct mender *m, const char *path, struct span session_id,
                      const struct file_mark *mark, int64_t now_ms) {
    struct err err;
    if (!mender_archives(m)) return;
    if (archive_keep(m->db, m->archive, session_id, path, mark, now_ms, &err) < 0) log_warn("%s", err.msg);
}

/* Everything that follows a verdict on a file that is there. */
static void remember(struct mender *m, const char *path, const struct mender_outcome *o, int64_t now_ms) {
    struct err err;
    struct span session_id = claude_session_of(span_str(path));
    if (o->mend.backup[0] && transcript_db_backup(m->db, o->mend.backup, now_ms, &err) < 0)
        log_warn("%s", err.msg);
    if (transcript_db_put(m->db, path, &o->scan, &err) < 0) log_warn("%s", err.msg);
    if (o->scan.status == TRANSCRIPT_MISSING || o->scan.status == TRANSCRIPT_UNREADABLE) return;
    keep_copy(m, path, session_id, &o->scan.mark, now_ms);
}

static bool is_well(const struct scan_verdict *v, const struct mender_options *options) {
    return v->status == TRANSCRIPT_HEALTHY && !(v->stop_hook_inline && options->stop_hook);
}

/* A verdict that is known already, if there is nothing left to do about it. */
static bool take_known(struct mender *m, const char *path, const struct stat *st,
                       const struct mender_options *options, struct mender_outcome *ret) {
    struct file_mark mark = claude_mark(st);
    if (transcript_db_get(m->db, path, &mark, &ret->scan) != 1) return false;
    bool leave = options->only_look || (options->only_settled && ret->scan.left_alone);
    if (!leave && !is_well(&ret->scan, options)) return false;
    ret->cached = true;
    ret->mend.before = ret->mend.after = ret->scan;
    ret->mend.depth = ret->scan.depth;
    keep_copy(m, path, claude_session_of(span_str(path)), &mark, options->now_ms);
    return true;
}

static bool is_settled(const struct stat *st) {
    int64_t changed_ms = st->st_mtim.tv_sec * INT64_C(1000) + st->st_mtim.tv_nsec / 1000000;
    int64_t age = usec_to_msec(clock_wall(&clock_system)) - changed_ms;
    return age < 0 || age >= SETTLED_MS;
}

int mender_file(struct mender *m, const char *path, const struct mender_options *options,
                const struct progress *progress, struct mender_outcome *ret) {
    struct stat st;
    *ret = (struct mender_outcome){.mend = {.status = MEND_ALREADY_HEALTHY}};
    bool is_there = transcript_stat(path, options->root, &st) == 0;
    if (is_there && take_known(m, path, &st, options, ret)) return 0;
    int r;
    bool look = options->only_look || (options->only_settled && is_there && !is_settled(&st));
    if (look) {
        r = transcript_scan(path, options->root, progress, &ret->scan, &ret->err);
        if (r < 0) return r;
        bool there = ret->scan.status == TRANSCRIPT_HEALTHY || ret->scan.status == TRANSCRIPT_CORRUPTED;
        if (!options->only_look && there && !is_well(&ret->scan, options)) return -EAGAIN;
    } else {
        struct mend_options mend = {
            .root = options->root, .stop_hook = options->stop_hook, .now_ms = options->now_ms};
        r = transcript_mend(path, &mend, progress, &ret->mend, &ret->err);
        if (r < 0) return r;
        ret->scan = ret->mend.status == MEND_FAILED ? ret->mend.before : ret->mend.after;
    }
    remember(m, path, ret, options->now_ms);
    return 0;
}

int mender_undo(struct mender *m, const char *path, const char *root, int64_t now_ms,
                char ret_backup[PATH_BYTES], struct err *err) {
    char kept[PATH_BYTES];
    struct scan_verdict v;
    int r = transcript_undo(path, root, now_ms, ret_backup, kept, err);
    if (r < 0) return r;
    struct err later;
    if (transcript_db_backup(m->db, kept, now_ms, &later) < 0) log_warn("%s", later.msg);
    r = transcript_scan(path, root, NULL, &v, err);
    if (r < 0) return r;
    v.left_alone = true;
    return transcript_db_put(m->db, path, &v, err);
}
