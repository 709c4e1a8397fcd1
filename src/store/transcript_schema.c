/* The transcripts' database. */
#include "base/compiler.h"
#include "store/transcript_int.h"

/*
 * Verdicts and paths are found by a hash (map_hash) of the file's path and of the session's id: that keeps the rows so
 * small that the verdicts on ten thousand files are two hundred pages, and a look at all of them reads each page once. Two
 * files with the same hash push each other out and no more: a verdict is good for one inode only, and a path ends in the
 * session's id.
 *
 * `status` is enum transcript_status. Times are Unix milliseconds, where the name does not say otherwise. `file` of an
 * archived transcript is relative to this database's directory when it is below it, so that both can be moved.
 */
static const char *const steps[] = {
    "CREATE TABLE verdicts("
    "  id INTEGER PRIMARY KEY,"
    "  device INTEGER NOT NULL,"
    "  inode INTEGER NOT NULL,"
    "  size INTEGER NOT NULL,"
    "  mtime_ns INTEGER NOT NULL,"
    "  status INTEGER NOT NULL,"
    "  stop_hook_inline INTEGER NOT NULL,"
    "  left_alone INTEGER NOT NULL,"
    "  depth INTEGER NOT NULL,"
    "  orphans INTEGER NOT NULL,"
    "  cycles INTEGER NOT NULL,"
    "  messages INTEGER NOT NULL"
    ") STRICT;"

    "CREATE TABLE paths("
    "  id INTEGER PRIMARY KEY,"
    "  path TEXT NOT NULL"
    ") STRICT;"

    "CREATE TABLE backups("
    "  path TEXT PRIMARY KEY NOT NULL,"
    "  made_at INTEGER NOT NULL"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE settings("
    "  name TEXT PRIMARY KEY NOT NULL,"
    "  value INTEGER NOT NULL"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE archive("
    "  session_id TEXT PRIMARY KEY NOT NULL,"
    "  path TEXT NOT NULL,"
    "  file TEXT NOT NULL,"
    "  size INTEGER NOT NULL,"
    "  packed INTEGER NOT NULL,"
    "  at INTEGER NOT NULL,"
    "  mtime_ns INTEGER NOT NULL"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX archive_at ON archive(at, session_id);",

    /* Two records on a line are a break since then: what was called healthy is looked at again. */
    "ALTER TABLE verdicts ADD COLUMN glued INTEGER NOT NULL DEFAULT 0;"
    "DELETE FROM verdicts WHERE NOT left_alone;",
};

#define ARCHIVE_ROW "SELECT session_id, path, file, size, packed, at, mtime_ns FROM archive "

static const char *const statements[TSQL_N_] = {
    SQL_COMMON,

    [TSQL_VERDICT_GET] =
        "SELECT device, inode, size, mtime_ns, status, stop_hook_inline, depth, orphans, cycles, "
        "messages, left_alone, glued FROM verdicts WHERE id = ?",
    [TSQL_VERDICT_PUT] = "INSERT OR REPLACE INTO verdicts(id, device, inode, size, mtime_ns, status, "
                         "stop_hook_inline, depth, orphans, cycles, messages, left_alone, glued) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [TSQL_VERDICT_FORGET] = "DELETE FROM verdicts WHERE id = ?",

    [TSQL_PATH_GET] = "SELECT path FROM paths WHERE id = ?",
    /* Most of the time it is where it was; then no page is touched. */
    [TSQL_PATH_PUT] = "INSERT INTO paths(id, path) VALUES (?, ?) ON CONFLICT(id) DO UPDATE "
                      "SET path = excluded.path WHERE path <> excluded.path",

    [TSQL_BACKUP_PUT] = "INSERT OR REPLACE INTO backups(path, made_at) VALUES (?, ?)",
    [TSQL_BACKUP_NEXT] = "SELECT path FROM backups WHERE made_at < ? AND path > ? ORDER BY path LIMIT 1",
    [TSQL_BACKUP_FORGET] = "DELETE FROM backups WHERE path = ?",

    [TSQL_SETTING_GET] = "SELECT value FROM settings WHERE name = ?",
    [TSQL_SETTING_PUT] = "INSERT OR REPLACE INTO settings(name, value) VALUES (?, ?)",

    [TSQL_ARCHIVE_PUT] = "INSERT OR REPLACE INTO archive(session_id, path, file, size, packed, at, mtime_ns) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?)",
    [TSQL_ARCHIVE_NEXT] =
        ARCHIVE_ROW "WHERE (at, session_id) < (?, ?) ORDER BY at DESC, session_id DESC LIMIT 1",
    /* Those that begin with ?1, an exact match before the others: no session id has a character above 'z'. */
    [TSQL_ARCHIVE_FIND] =
        ARCHIVE_ROW "WHERE session_id >= ?1 AND session_id < ?1 || '~' ORDER BY session_id LIMIT 2",
};

const struct db_schema transcript_schema = {
    .application_id = 0x6f737474, /* "ostt" */
    .busy_timeout_ms = 5000, /* a daemon and some command lines take turns; nobody waits on a loop thread */
    .when_full = "Until then what is found out about transcripts is not kept.",
    .steps = steps,
    .step_count = ARRAY_LEN(steps),
    .statements = statements,
    .statement_count = TSQL_N_,
};
