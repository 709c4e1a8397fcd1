/* A database that is locked, full or read-only: it is said, nothing is lost, and it goes on by itself. */
#include "fixture.h"

#include "small_disk.h"
#include "store/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void exec_sql(sqlite3 *db, const char *sql) {
    CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

/* A batch with one event and the mark at its position. */
static struct store_batch *one_event(struct session *s, uint64_t pos) {
    struct store_batch *b = store_batch_new();
    append_event(b, s, pos);
    store_batch_mark(b, &(struct spool_mark){.off = pos}, pos);
    return b;
}

TEST(a_locked_database_is_tried_until_it_is_free) {
    struct fixture f;
    fixture_open(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    sqlite3 *other = fixture_peek(&f);
    exec_sql(other, "BEGIN EXCLUSIVE");

    struct outcome o = {0};
    store_submit(f.store, one_event(s, 1), fixture_on_done, &o);
    fixture_wait(&f, &o, 0);
    CHECK_INT(o.result, -EBUSY);
    CHECK(strstr(o.message, "locked by another program") != NULL);
    CHECK(strstr(o.message, f.file) != NULL);
    fixture_wait(&f, &o, 1);
    CHECK_INT(o.result, -EBUSY);

    exec_sql(other, "COMMIT");
    fixture_wait_success(&f, &o);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), 1);
    state_fini(&st);
    fixture_close(&f);
}

TEST(closing_gives_up_what_cannot_be_committed) {
    struct fixture f;
    fixture_open(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    fixture_commit(&f, one_event(s, 1));
    sqlite3 *other = fixture_peek(&f);
    exec_sql(other, "BEGIN EXCLUSIVE");
    struct outcome o = {0};
    store_submit(f.store, one_event(s, 2), fixture_on_done, &o);
    fixture_wait(&f, &o, 0);
    fixture_close_store(&f);
    exec_sql(other, "COMMIT");
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), 1);
    CHECK_INT(fixture_number(&f, "SELECT spool_off FROM meta"), 1);
    state_fini(&st);
    fixture_close(&f);
    CHECK_INT(o.result, -EBUSY);
}

TEST(closing_commits_what_was_submitted) {
    struct fixture f;
    fixture_open(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    struct outcome o = {.result = 1};
    store_submit(f.store, one_event(s, 1), fixture_on_done, &o);
    fixture_close_store(&f);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), 1);
    state_fini(&st);
    fixture_close(&f);
    CHECK_INT(o.calls, 1);
    CHECK_INT(o.result, 0);
}

static int64_t wal_bytes(const struct fixture *f) {
    char wal[PATH_BYTES + 8];
    (void)snprintf(wal, sizeof wal, "%s-wal", f->file);
    struct stat st;
    CHECK_INT(stat(wal, &st), 0);
    return st.st_size;
}

TEST(a_checkpoint_empties_the_log) {
    struct fixture f;
    fixture_open(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    fixture_commit(&f, one_event(s, 1));
    CHECK(wal_bytes(&f) > 0);
    struct outcome o = {0};
    store_checkpoint(f.store, fixture_on_done, &o);
    fixture_wait(&f, &o, 0);
    CHECK_INT(o.result, 0);
    CHECK_INT(wal_bytes(&f), 0);
    state_fini(&st);
    fixture_close(&f);
}

TEST(a_reader_that_holds_up_a_checkpoint_does_not_hold_up_commits) {
    struct fixture f;
    fixture_open(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    fixture_commit(&f, one_event(s, 1));
    sqlite3 *reader = fixture_peek(&f);
    exec_sql(reader, "BEGIN; SELECT count(*) FROM events");
    fixture_commit(&f, one_event(s, 2));

    struct outcome checkpoint = {0};
    store_checkpoint(f.store, fixture_on_done, &checkpoint);
    fixture_wait(&f, &checkpoint, 0);
    CHECK_INT(checkpoint.result, -EBUSY);
    fixture_commit(&f, one_event(s, 3));
    exec_sql(reader, "COMMIT");
    fixture_wait_success(&f, &checkpoint);
    CHECK_INT(sqlite3_close(reader), SQLITE_OK);
    CHECK_INT(wal_bytes(&f), 0);
    state_fini(&st);
    fixture_close(&f);
}

/* The connection itself refuses to write, as it does on a read-only file. */
TEST(a_read_only_database_is_said_and_nothing_is_half_written) {
    struct fixture f;
    fixture_make(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    struct db *db;
    CHECK_INT(db_open(f.file, &session_schema, &db, NULL), 0);
    CHECK_INT(db_exec(db, "PRAGMA query_only = 1", NULL), 0);
    struct store_batch *b = one_event(s, 1);
    struct err err = {0};
    CHECK_INT(batch_commit(db, b, &err), -EROFS);
    CHECK(strstr(err.msg, "writable") != NULL);
    CHECK_INT(db_exec(db, "PRAGMA query_only = 0", NULL), 0);
    CHECK_INT(batch_commit(db, b, &err), 0);
    CHECK_INT(fixture_number(&f, "SELECT spool_off FROM meta"), 1);
    store_batch_free(b);
    db_close(db);
    state_fini(&st);
    fixture_close(&f);
}

static void fill_disk(const char *file) {
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    static const char block[4096];
    while (write(fd, block, sizeof block) > 0) {}
    CHECK_INT(errno, ENOSPC);
    (void)close(fd);
}

TEST(a_full_disk_is_said_and_freeing_it_is_enough) {
    struct fixture f;
    fixture_make(&f);
    if (!small_disk_mount(f.dir, "size=2m")) {
        fixture_close(&f);
        skip();
    }
    fixture_open_store(&f);
    struct state st;
    state_init(&st);
    struct session *s = state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    fixture_commit(&f, one_event(s, 1));
    char filler[PATH_BYTES];
    CHECK_INT(path_join(filler, f.dir, "filler"), 0);
    fill_disk(filler);

    struct store_batch *b = store_batch_new();
    for (uint64_t pos = 2; pos <= 2000; pos++)
        append_event(b, s, pos);
    store_batch_mark(b, &(struct spool_mark){.off = 2000}, 2000);
    struct outcome o = {0};
    store_submit(f.store, b, fixture_on_done, &o);
    fixture_wait(&f, &o, 0);
    CHECK_INT(o.result, -ENOSPC);
    CHECK(strstr(o.message, "is full") != NULL);
    CHECK_INT(unlink(filler), 0);
    fixture_wait_success(&f, &o);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), 2000);
    CHECK_INT(fixture_number(&f, "SELECT spool_off FROM meta"), 2000);
    state_fini(&st);
    fixture_close_store(&f);
    CHECK_INT(umount2(f.dir, MNT_DETACH), 0);
    fixture_close(&f);
}

TESTS(RUN(a_locked_database_is_tried_until_it_is_free), RUN(closing_gives_up_what_cannot_be_committed),
      RUN(closing_commits_what_was_submitted), RUN(a_checkpoint_empties_the_log),
      RUN(a_reader_that_holds_up_a_checkpoint_does_not_hold_up_commits),
      RUN(a_read_only_database_is_said_and_nothing_is_half_written),
      RUN(a_full_disk_is_said_and_freeing_it_is_enough))
