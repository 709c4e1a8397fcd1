#include "store/snapshot.h"

#include "base/mem.h"
#include "store/check.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/temp.h"

#include <errno.h>

enum { PAGES_A_STEP = 1024, PATIENCE_MS = 10000 };

struct snapshot {
    struct db db; /* without a schema: it is only read */
    uint64_t page_bytes, pages;
};

static const struct db_schema no_schema = {.when_full = "Nothing was changed."};

/* Opens it to be read, without bringing anything up to date. */
static int open_to_read(const char *file, const struct db_schema *schema, struct db *ret, struct err *err) {
    int r = db_check_own(file, err);
    if (r < 0) return r;
    *ret = (struct db){.schema = schema, .file = xstrdup(file)};
    int rc = sqlite3_open_v2(file, &ret->handle,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (rc != SQLITE_OK) return db_error(ret, rc, err);
    (void)sqlite3_busy_timeout(ret->handle, PATIENCE_MS);
    return 0;
}

static void close_db(struct db *db) {
    (void)sqlite3_close(db->handle);
    free(db->file);
}

/* The first read within a transaction holds what is read from then on. */
static int hold(struct snapshot *s, struct err *err) {
    int64_t bytes = 0, pages = 0;
    int r = db_exec(&s->db, "BEGIN", err);
    if (r == 0) r = db_number(&s->db, "SELECT count(*) FROM sqlite_schema", &pages, err);
    if (r == 0) r = db_number(&s->db, "PRAGMA page_size", &bytes, err);
    if (r == 0) r = db_number(&s->db, "PRAGMA page_count", &pages, err);
    s->page_bytes = (uint64_t)bytes;
    s->pages = (uint64_t)pages;
    return r;
}

int snapshot_open(const char *file, struct snapshot **ret, struct err *err) {
    struct snapshot *s = xcalloc(1, sizeof *s);
    int r = open_to_read(file, &no_schema, &s->db, err);
    if (r == 0) r = hold(s, err);
    if (r < 0) {
        snapshot_close(s);
        return r;
    }
    *ret = s;
    return 0;
}

void snapshot_close(struct snapshot *s) {
    if (!s) return;
    close_db(&s->db);
    free(s);
}

uint64_t snapshot_size(const struct snapshot *s) {
    return s->page_bytes * s->pages;
}

int snapshot_number(struct snapshot *s, const char *sql, int64_t *ret, struct err *err) {
    return db_number(&s->db, sql, ret, err);
}

static int copy_pages(struct snapshot *s, struct db *to, bool (*tell)(void *user, uint64_t done), void *user,
                      struct err *err) {
    sqlite3_backup *b = sqlite3_backup_init(to->handle, "main", s->db.handle, "main");
    if (!b) return db_error(to, sqlite3_errcode(to->handle), err);
    bool go_on = true;
    while (go_on && sqlite3_backup_step(b, PAGES_A_STEP) == SQLITE_OK) {
        uint64_t left = (uint64_t)sqlite3_backup_remaining(b);
        go_on = !tell || tell(user, (s->pages - MIN(left, s->pages)) * s->page_bytes);
    }
    int finished = sqlite3_backup_finish(b);
    if (!go_on) return -ECANCELED;
    return finished == SQLITE_OK ? 0 : db_error(to, finished, err);
}

int snapshot_copy(struct snapshot *s, const char *dir, bool (*tell)(void *user, uint64_t done), void *user,
                  int *ret_fd, struct err *err) {
    AUTO(temp) struct temp temp = TEMP_NONE;
    temp_sweep(dir);
    int r = temp_make(dir, &temp, err);
    if (r < 0) return r;
    struct db to = {.schema = &no_schema, .file = xstrdup(temp.path)};
    int rc = sqlite3_open_v2(temp.path, &to.handle,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    r = rc == SQLITE_OK ? 0 : db_error(&to, rc, err);
    /* Nobody else ever sees this file, and what a crash leaves of it is worth nothing. */
    if (r == 0) r = db_exec(&to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;", err);
    if (r == 0) r = copy_pages(s, &to, tell, user, err);
    close_db(&to);
    if (r < 0) return r;
    (void)unlink(temp.path);
    temp.path[0] = '\0';
    *ret_fd = TAKE_FD(temp.fd);
    return 0;
}

int snapshot_verify(const char *file, const struct db_schema *schema, struct err *err) {
    int r = store_check(file, err);
    if (r < 0) return r;
    struct db db = {0};
    r = open_to_read(file, schema, &db, err);
    if (r == 0) r = migrate_check(&db, err);
    close_db(&db);
    return r;
}
