/* What transcript_db and archive share: the connection, its lock, its statements. */
#pragma once

#include "base/clock.h"
#include "base/map.h"
#include "store/db.h"
#include "store/transcript_db.h"

#include <pthread.h>

enum transcript_sql {
    TSQL_VERDICT_GET = SQL_COMMON_N_,
    TSQL_VERDICT_PUT,
    TSQL_VERDICT_FORGET,
    TSQL_PATH_GET,
    TSQL_PATH_PUT,
    TSQL_BACKUP_PUT,
    TSQL_BACKUP_NEXT,
    TSQL_BACKUP_FORGET,
    TSQL_SETTING_GET,
    TSQL_SETTING_PUT,
    TSQL_ARCHIVE_PUT,
    TSQL_ARCHIVE_NEXT,
    TSQL_ARCHIVE_FIND,
    TSQL_N_
};

/*
 * Verdicts wait in memory and not in an open transaction, because that would keep other processes from writing for as
 * long as nothing happens here.
 */
struct pending {
    char *path;
    struct scan_verdict verdict;
};

struct transcript_db {
    pthread_mutex_t lock; /* of everything below */
    struct db *db;
    const struct clock *clock; /* tests replace it */
    struct pending pending[TRANSCRIPT_DB_BATCH];
    size_t pending_count;
    struct map pending_by_path;
    usec_t pending_since; /* age of the oldest */
};

/* The path as another process would say it; -ENAMETOOLONG when it does not fit. */
int transcript_db_absolute(const char *path, char out[PATH_BYTES]);

/* Everything that uses `db` stands between these two. Entering commits verdicts that have waited long enough. */
void transcript_db_enter(struct transcript_db *t);
void transcript_db_leave(struct transcript_db *t);
