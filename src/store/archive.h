/*
 * Transcripts kept past their CLI's own deletion: one zstd file a session in <state>/archive, and a row in
 * transcript_db. A newer version of the same session takes the place of the older, unless it is shorter: transcripts
 * only grow, so a shorter one has lost something.
 */
#pragma once

#include "store/transcript_db.h"

struct archived {
    char session_id[64];
    char path[PATH_BYTES]; /* where it came from */
    char file[PATH_BYTES]; /* the compressed copy */
    uint64_t size, packed; /* bytes, as it was and as it is kept */
    int64_t at_ms;         /* when it was kept last */
    int64_t mtime_ns;      /* of the transcript */
};

/* Keeps this version of a transcript, the first `mark->size` bytes of it: 1 kept, 0 it is kept already (or a longer one
 * is). Written beside, fsynced and renamed. -EINVAL when the session id cannot be a file's name, -ESTALE when the file
 * became shorter or was replaced meanwhile. */
int archive_keep(struct transcript_db *t, const char *dir, struct span session_id, const char *path,
                 const struct file_mark *mark, int64_t now_ms, struct err *err);

/* Every archived transcript, the newest first; stops when it returns non-zero, and returns that. */
typedef int archive_each_fn(void *user, const struct archived *a);
int archive_each(struct transcript_db *t, archive_each_fn *fn, void *user, struct err *err);

/* One of them; the session id may be an unambiguous beginning. -ENOENT, -EEXIST when several begin so. */
int archive_get(struct transcript_db *t, struct span session_id, struct archived *ret, struct err *err);

/* Unpacks it to `to`, with its old modification time. Never over an existing file: -EEXIST. -EUCLEAN when the copy is
 * damaged. */
int archive_restore(const struct archived *a, const char *to, struct err *err);
