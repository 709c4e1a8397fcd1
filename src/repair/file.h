/*
 * Transcripts as files: opened, scanned, backed up, patched, put back. Any thread may call these; different files at
 * the same time are no matter, and two that mend the same file take turns (a lock on it).
 *
 * Files are read in chunks and never mapped: one that somebody truncates meanwhile must not kill us.
 *
 * Only plain files of this user's are opened. With a `root` they lie beneath that directory, and no link is followed on the way: so are
 * those opened that nobody named, and those that a hook did. Without, a person has named this very file: a link that they named is
 * followed once. A file with a second name (a hard link) is read, never written: both would change.
 */
#pragma once

#include "base/err.h"
#include "repair/verdict.h"

/* Called now and then during long work with what is done of how much, in bytes. false: stop, the call fails with
 * -ECANCELED and nothing was changed. */
typedef bool progress_fn(void *user, uint64_t done, uint64_t total);

struct progress {
    progress_fn *fn; /* NULL: nobody wants to know */
    void *user;
};

/* Looks at a file and changes nothing. MISSING and UNREADABLE are verdicts, with the reason in `err`; the return value
 * is 0 for them too. Only -ECANCELED and -ENOMEM are failures. */
int transcript_scan(const char *path, const char *root, const struct progress *progress,
                    struct scan_verdict *ret, struct err *err);

/* What stat() says of a transcript that could be opened; -errno for any other. */
struct stat;
int transcript_stat(const char *path, const char *root, struct stat *ret);

struct mend_options {
    const char *root; /* see above; NULL: none */
    bool stop_hook;   /* also mend what `resumeIssue` names */
    bool dry_run;     /* say what would be done, change nothing, make no backup */
    int64_t now_ms;   /* for the backup's name */
};

/* Mends what can be mended. Verdict and reason as above: 0 with MEND_FAILED when it could not be done, and then the file
 * is as it was. */
int transcript_mend(const char *path, const struct mend_options *options, const struct progress *progress,
                    struct mend_verdict *ret, struct err *err);

/* Puts the newest backup of the file back in its place, byte by byte, and leaves its name in `ret_backup`; lines that came
 * since stay. What the file held becomes a backup itself (`ret_kept`), so that an undo can be undone. -ENOENT: there is
 * none. */
int transcript_undo(const char *path, const char *root, int64_t now_ms, char ret_backup[PATH_BYTES],
                    char ret_kept[PATH_BYTES], struct err *err);
