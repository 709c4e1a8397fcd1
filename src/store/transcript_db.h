/*
 * What is known of transcripts, in a database of its own (transcripts.db): verdicts by file, the backups that we made,
 * the archive. Apart from the sessions' database, so that a walk through ten thousand files never holds up an event, and
 * so that the command line can use it without a daemon. Any thread may call these; several processes may have it open.
 */
#pragma once

#include "base/err.h"
#include "repair/verdict.h"

struct transcript_db;

int transcript_db_open(const char *file, struct transcript_db **ret, struct err *err);
/* Commits what is pending. */
void transcript_db_close(struct transcript_db *t);

/* The verdict on this file if it has not changed since: 1 and `*ret`, 0 when unknown or changed, or when the database
 * cannot be read. */
int transcript_db_get(struct transcript_db *t, const char *path, const struct file_mark *mark,
                      struct scan_verdict *ret);
/* Keeps it, if it is about the content (a missing or unreadable file makes an older verdict forgotten). Written as it goes:
 * with others, after at most TRANSCRIPT_DB_BATCH of them or 100 ms, whichever comes first, as the next call finds it;
 * a transcript_db_flush() commits at once. On failure all that waited is forgotten, because it can be found again. */
enum { TRANSCRIPT_DB_BATCH = 256 };
int transcript_db_put(struct transcript_db *t, const char *path, const struct scan_verdict *v,
                      struct err *err);
int transcript_db_flush(struct transcript_db *t, struct err *err);

/* Where a session's transcript (a file <session id>.jsonl that a verdict was put for) was seen last: 1, or 0 when
 * unknown. */
int transcript_db_path(struct transcript_db *t, struct span session_id, char out[PATH_BYTES]);

/* A backup that we made; committed at once. */
int transcript_db_backup(struct transcript_db *t, const char *backup, int64_t made_ms, struct err *err);
/* Deletes the backups that we made before `before_ms` and still find, and forgets them; one that cannot be deleted stays
 * known. Returns how many files went. */
int transcript_db_prune(struct transcript_db *t, int64_t before_ms, struct err *err);

/* A setting that has to be known without a daemon: 1, or 0 when it was never set, and then `*ret` is left alone. */
int transcript_db_setting(struct transcript_db *t, const char *name, int64_t *ret);
int transcript_db_set(struct transcript_db *t, const char *name, int64_t value, struct err *err);
