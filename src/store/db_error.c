/* What SQLite's result codes mean to a person. */
#include "store/db.h"

#include <errno.h>
#include <string.h>

static int disk_full(const struct db *db, struct err *err) {
    return err_set(err, -ENOSPC,
                   "The disk that holds %s is full; free some space, and ostler goes on by itself. %s",
                   db->file, db->schema->when_full);
}

static int io_error(const struct db *db, const char *words, struct err *err) {
    int code = db->handle ? sqlite3_system_errno(db->handle) : 0;
    if (code == ENOSPC || code == EDQUOT) return disk_full(db, err);
    return err_set(err, code ? -code : -EIO,
                   "The database %s cannot be read or written (%s%s%s); check the disk.", db->file, words,
                   code ? ": " : "", code ? strerror(code) : "");
}

static int not_writable(const struct db *db, int rc, struct err *err) {
    if (rc == SQLITE_READONLY_DBMOVED)
        return err_set(err, -ESTALE, "The database %s was moved or deleted while in use; restart ostler.",
                       db->file);
    return err_set(err, -EROFS,
                   "The database %s cannot be written to; make the file, its directory and its file system "
                   "writable for ostler.",
                   db->file);
}

int db_error(struct db *db, int rc, struct err *err) {
    const char *words = sqlite3_errstr(rc);
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set(
            err, -EBUSY,
            "The database %s is locked by another program (`fuser -v %s` names it); close that, and "
            "ostler goes on by itself.",
            db->file, db->file);
    case SQLITE_READONLY:
    case SQLITE_PERM: return not_writable(db, rc, err);
    case SQLITE_FULL: return disk_full(db, err);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: return io_error(db, words, err);
    case SQLITE_NOTADB:
        return err_set(err, -EMEDIUMTYPE,
                       "%s is not a database; move it away, and ostler starts with a new one.", db->file);
    case SQLITE_CORRUPT:
        return err_set(
            err, -EUCLEAN,
            "The database %s is damaged (%s); move it away together with its -wal file, and ostler "
            "starts with a new one.",
            db->file, words);
    case SQLITE_NOMEM:
        return err_set(err, -ENOMEM, "There is not enough memory to use the database %s.", db->file);
    default:
        return err_set(err, -EIO, "The database %s refused a statement: %s.", db->file,
                       db->handle ? sqlite3_errmsg(db->handle) : words);
    }
}
