#include "store/migrate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

int migrate_check(struct db *db, struct err *err) {
    const struct db_schema *schema = db->schema;
    int64_t application = 0, version = 0, tables = 0, programs = 0;
    /* All at one moment: another ostler may be making the file. */
    int r = db_exec(db, "BEGIN", err);
    if (r == 0) r = db_number(db, "PRAGMA application_id", &application, err);
    if (r == 0) r = db_number(db, "PRAGMA user_version", &version, err);
    if (r == 0) r = db_number(db, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (r == 0)
        r = db_number(db, "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')", &programs,
                      err);
    db_rollback(db);
    if (r < 0) return r;
    /* A file may come from anywhere, as in a backup. What would run in it with our own statements is nothing of ours. */
    bool is_other =
        application != schema->application_id && (application != 0 || version != 0 || tables != 0);
    if (is_other || version < 0 || programs != 0)
        return err_set(err, -EMEDIUMTYPE,
                       "%s is a database of another program; move it away, or give ostler another place "
                       "with OSTLER_HOME.",
                       db->file);
    if (version > (int64_t)schema->step_count)
        return err_set(err, -ENOTSUP,
                       "%s was written by a newer ostler (schema %" PRId64
                       ", this one knows %zu); start that "
                       "version, or move the file away to begin with an empty one.",
                       db->file, version, schema->step_count);
    return 0;
}

static int take_step(struct db *db, size_t step, struct err *err) {
    char stamp[96];
    (void)snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %zu;",
                   db->schema->application_id, step + 1);
    int r = db_exec(db, db->schema->steps[step], err);
    return r < 0 ? r : db_exec(db, stamp, err);
}

int migrate(struct db *db, struct err *err) {
    for (;;) {
        /* Read under the lock: another ostler may be taking the same steps. */
        int64_t version = 0;
        int r = db_begin(db, err);
        if (r < 0) return r;
        r = db_number(db, "PRAGMA user_version", &version, err);
        bool done = r == 0 && version >= (int64_t)db->schema->step_count;
        if (r == 0 && !done) r = take_step(db, (size_t)version, err);
        if (r == 0) r = db_commit(db, err);
        if (r < 0) {
            db_rollback(db);
            return r;
        }
        if (done) return 0;
    }
}
