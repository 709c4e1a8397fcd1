/*
 * One transcript looked after, from end to end: known already? else scanned, mended, its backup recorded, the verdict kept,
 * the file archived if that is wanted. The daemon's queue and the command line both work through this. Any thread may call it.
 */
#pragma once

#include "repair/file.h"

struct mender;

/* Opens <state>/transcripts.db. */
int mender_open(const char *state_dir, struct mender **ret, struct err *err);
void mender_close(struct mender *m);

struct mender_options {
    const char *
        root; /* the directory that it lies beneath, see repair/file.h; NULL: a person named this very file */
    bool stop_hook; /* mend `resumeIssue` too */
    bool only_look; /* a verdict, no repair */
    bool
        only_settled; /* nothing is changed while somebody writes: -EAGAIN when it changed less than half a second ago */
    int64_t now_ms;
};

/* What became of it. */
struct mender_outcome {
    struct scan_verdict scan; /* as it is now */
    struct mend_verdict mend; /* `status` ALREADY_HEALTHY when there was nothing to do */
    bool cached;              /* nothing had to be read */
    struct err err;           /* why not, when it failed */
};

int mender_file(struct mender *m, const char *path, const struct mender_options *options,
                const struct progress *progress, struct mender_outcome *ret);

/* Puts the newest backup back (transcript_undo()), and leaves that version of the file alone from then on, unless
 * somebody asks for it by name. */
int mender_undo(struct mender *m, const char *path, const char *root, int64_t now_ms,
                char ret_backup[PATH_BYTES], struct err *err);

/* Commits verdicts; at the end of a walk. */
void mender_flush(struct mender *m);

/* Whether copies are kept at present. */
bool mender_archives(struct mender *m);

struct transcript_db *mender_db(struct mender *m);
/* Deletes our backups older than 30 days. Returns how many. */
int mender_prune(struct mender *m, int64_t now_ms);
