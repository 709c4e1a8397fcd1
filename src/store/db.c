#include "store/db.h"

#include "base/mem.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/path.h"
#include "base/str.h"
#include "spool/in_place.h"
#include "store/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows are small and every active session has a place of its own in the tables, so small pages write least: each
 * batch touches a page for each of them. A log of 16 MB lets the same page be overwritten many times before it is
 * copied and fsynced once. The cache is small because the whole daemon is. Commits are not fsynced (the spool has
 * the bytes, and what is known of transcripts is found again), checkpoints are. */
static const char pragmas[] = "PRAGMA synchronous = NORMAL;"
                              "PRAGMA secure_delete = OFF;"
                              "PRAGMA cache_size = -2048;"
                              "PRAGMA mmap_size = 0;"
                              "PRAGMA temp_store = MEMORY;"
                              "PRAGMA trusted_schema = OFF;"
                              "PRAGMA wal_autocheckpoint = 4000;"
                              "PRAGMA journal_size_limit = 33554432;";

/* SQLite gives the -wal and -shm files the mode of the database file, so that one is made first. The name itself must survive a
 * power cut, or a later fsync of the content is worth nothing. */
static int make_file(const char *file, struct err *err) {
    AUTO(fd) int fd = own_open(file, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd == -EEXIST || (fd == -EROFS && own_look(file) == 0)) return 0;
    if (fd < 0)
        return err_set(err, fd,
                       "The database %s cannot be created; ostler needs a directory that it may write to: %s",
                       file, own_why(fd));
    char dir[PATH_BYTES];
    (void)snprintf(dir, sizeof dir, "%s", file);
    AUTO(fd) int dir_fd = open(dirname(dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir_fd >= 0) (void)fsync(dir_fd);
    return 0;
}

int db_check_own(const char *file, struct err *err) {
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        char part[PATH_BYTES];
        if ((size_t)snprintf(part, sizeof part, "%s%s", file, suffixes[i]) >= sizeof part)
            return err_set(err, -ENAMETOOLONG, "The path of the database %s is too long.", file);
        int r = own_look(part);
        if (r == -ENOENT && i > 0) continue;
        if (r < 0) return err_set(err, r, "The database %s cannot be opened: %s", part, own_why(r));
        (void)chmod(part, 0600);
    }
    return 0;
}

/* The path that leads to the file without a link: SQLite then follows none. */
static char *unlinked_path(const char *file) {
    AUTO(free) char *copy = xstrdup(file);
    AUTO(free) char *dir = realpath(dirname(copy), NULL);
    const char *slash = strrchr(file, '/');
    return dir && slash ? str_format("%s%s", dir, slash) : xstrdup(file);
}

/* Two that make the same file at once stand in each other's way here, and SQLite waits for neither. */
static int step_patiently(struct db *db, sqlite3_stmt *stmt) {
    enum { PAUSE_MS = 5 };
    int rc;
    for (int waited = 0; (rc = sqlite3_step(stmt)) == SQLITE_BUSY; waited += PAUSE_MS) {
        if (waited >= db->schema->busy_timeout_ms) break;
        (void)sqlite3_reset(stmt);
        (void)sqlite3_sleep(PAUSE_MS);
    }
    return rc;
}

static int set_wal(struct db *db, struct err *err) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, "PRAGMA journal_mode = WAL", -1, &stmt, NULL);
    if (rc == SQLITE_OK) rc = step_patiently(db, stmt);
    int r = 0;
    if (rc != SQLITE_ROW) {
        r = db_error(db, rc, err);
    } else if (strcmp((const char *)sqlite3_column_text(stmt, 0), "wal") != 0) {
        r = err_set(err, -ENOTSUP,
                    "The file system of %s cannot hold a database log; put OSTLER_HOME on a local disk.",
                    db->file);
    }
    (void)sqlite3_finalize(stmt);
    return r;
}

static int set_up(struct db *db, struct err *err) {
    (void)sqlite3_busy_timeout(db->handle, db->schema->busy_timeout_ms);
    if (sqlite3_db_readonly(db->handle, "main")) return db_error(db, SQLITE_READONLY, err);
    int r = migrate_check(db, err);
    if (r < 0) return r;
    r = db_exec(db, "PRAGMA page_size = 4096;", err);
    if (r == 0) r = set_wal(db, err);
    if (r == 0) r = db_exec(db, pragmas, err);
    return r < 0 ? r : migrate(db, err);
}

static struct db *new_db(const char *file, const struct db_schema *schema) {
    struct db *db = xcalloc(1, sizeof *db);
    db->schema = schema;
    db->file = xstrdup(file);
    db->stmts = xcalloc(schema->statement_count, sizeof(sqlite3_stmt *));
    return db;
}

static int open_file(struct db *db, int flags, struct err *err) {
    AUTO(free) char *path = unlinked_path(db->file);
    int rc = sqlite3_open_v2(
        path, &db->handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW, NULL);
    return rc == SQLITE_OK ? 0 : db_error(db, rc, err);
}

/* SQLite maps its index of the log into memory. On a full disk that copies what is written, a write there would end the program with
 * SIGBUS, so the file is made as one that is not copied. SQLite takes it as it is. */
static void make_index(const char *file) {
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "%s-shm", file);
    if (n <= 0 || n >= PATH_BYTES) return;
    AUTO(fd) int fd = own_open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) in_place(fd);
}

int db_open(const char *file, const struct db_schema *schema, struct db **ret, struct err *err) {
    int r = make_file(file, err);
    if (r == 0) r = db_check_own(file, err);
    if (r < 0) return r;
    make_index(file);
    struct db *db = new_db(file, schema);
    r = open_file(db, SQLITE_OPEN_READWRITE, err);
    if (r == 0) r = set_up(db, err);
    if (r < 0) {
        db_close(db);
        return r;
    }
    *ret = db;
    return 0;
}

/* The log that SQLite keeps beside the file, with commits in it that the file has not got yet. */
static bool has_log(const char *file) {
    char log[PATH_BYTES];
    struct stat st;
    int n = snprintf(log, sizeof log, "%s-wal", file);
    return n > 0 && n < PATH_BYTES && stat(log, &st) == 0 && st.st_size > 0;
}

/* Its index of the log is a file, for which there is no room: who has the database alone keeps it in memory. */
static int open_alone(struct db *db, struct err *err) {
    int r = open_file(db, SQLITE_OPEN_READWRITE, err);
    if (r < 0) return r;
    if (sqlite3_db_readonly(db->handle, "main")) return db_error(db, SQLITE_READONLY, err);
    r = db_exec(db, "PRAGMA locking_mode = EXCLUSIVE;", err);
    if (r == 0) r = migrate_check(db, err);
    if (r == 0) r = db_exec(db, pragmas, err);
    return r < 0 ? r : migrate(db, err);
}

/* Without a log the file is all there is, and nobody can change it. */
static int open_to_read(struct db *db, struct err *err) {
    char uri[3 * PATH_BYTES], *at = uri;
    AUTO(free) char *path = unlinked_path(db->file);
    at += snprintf(uri, sizeof uri, "file:");
    for (const char *p = path; *p && at < uri + sizeof uri - 32; p++)
        at += snprintf(at, 4, strchr("?#%", *p) ? "%%%02X" : "%c", (unsigned)(unsigned char)*p);
    (void)snprintf(at, 32, "?mode=ro%s", has_log(db->file) ? "" : "&immutable=1");
    int rc = sqlite3_open_v2(uri, &db->handle,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                                 SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW,
                             NULL);
    if (rc != SQLITE_OK) return db_error(db, rc, err);
    int64_t version = 0;
    int r = migrate_check(db, err);
    if (r == 0) r = db_number(db, "PRAGMA user_version", &version, err);
    if (r < 0 || version == (int64_t)db->schema->step_count) return r;
    return db_error(db, SQLITE_READONLY, err); /* of an older ostler, and it cannot be brought up to date */
}

int db_open_makeshift(const char *file, const struct db_schema *schema, struct db **ret, struct err *err) {
    static int (*const ways[])(struct db *, struct err *) = {open_alone, open_to_read};
    int r = db_check_own(file, err);
    if (r < 0) return r;
    r = -ENOENT;
    for (size_t i = 0; i < ARRAY_LEN(ways) && r < 0; i++) {
        struct db *db = new_db(file, schema);
        db->makeshift = true;
        r = ways[i](db, err);
        if (r < 0)
            db_close(db);
        else
            *ret = db;
    }
    return r;
}

void db_close(struct db *db) {
    if (!db) return;
    for (size_t i = 0; i < db->schema->statement_count; i++)
        (void)sqlite3_finalize(db->stmts[i]);
    (void)sqlite3_close(db->handle);
    free(db->stmts);
    free(db->file);
    free(db);
}

int db_exec(struct db *db, const char *sql, struct err *err) {
    int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? 0 : db_error(db, rc, err);
}

int db_number(struct db *db, const char *sql, int64_t *ret, struct err *err) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
    int r = rc == SQLITE_ROW ? 0 : db_error(db, rc, err);
    if (r == 0) *ret = sqlite3_column_int64(stmt, 0);
    (void)sqlite3_finalize(stmt);
    return r;
}

int db_begin(struct db *db, struct err *err) {
    struct query q = db_query(db, SQL_BEGIN);
    return query_run(&q, err);
}

int db_commit(struct db *db, struct err *err) {
    struct query q = db_query(db, SQL_COMMIT);
    return query_run(&q, err);
}

void db_rollback(struct db *db) {
    if (!sqlite3_get_autocommit(db->handle)) (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

int db_checkpoint(struct db *db, struct err *err) {
    int rc = sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return rc == SQLITE_OK ? 0 : db_error(db, rc, err);
}
