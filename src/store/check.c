#include "store/check.h"

#include "base/compiler.h"
#include "store/db.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

enum { PATIENCE_MS = 2000 };

static int check(sqlite3 *db, const char *file, struct err *err) {
    sqlite3_stmt *stmt = NULL;
    (void)sqlite3_busy_timeout(db, PATIENCE_MS);
    int rc = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
    int r = 0;
    if (rc != SQLITE_ROW)
        r = err_set(err, rc == SQLITE_BUSY ? -EBUSY : -EUCLEAN, "%s cannot be read: %s", file,
                    sqlite3_errmsg(db));
    else if (strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") != 0)
        r = err_set(err, -EUCLEAN, "%s is damaged: %s", file, (const char *)sqlite3_column_text(stmt, 0));
    (void)sqlite3_finalize(stmt);
    return r;
}

int store_check(const char *file, struct err *err) {
    int looked = db_check_own(file, err);
    if (looked < 0) return looked;
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL);
    int r = rc == SQLITE_OK ? check(db, file, err)
                            : err_set(err, -EIO, "%s cannot be opened: %s", file, sqlite3_errstr(rc));
    (void)sqlite3_close(db);
    return r;
}

const char *store_sqlite_version(void) {
    return sqlite3_libversion();
}

const char *store_zstd_version(void) {
    return ZSTD_versionString();
}
