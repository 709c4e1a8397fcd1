/* Which files are opened, which are refused, and that a refused one stays as it was. */
#include "fixture.h"

#include "small_disk.h"
#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int mode_of(const struct fixture *f, const char *suffix) {
    char path[PATH_BYTES + 8];
    (void)snprintf(path, sizeof path, "%s%s", f->file, suffix);
    struct stat st;
    CHECK_INT(stat(path, &st), 0);
    return (int)(st.st_mode & 0777);
}

TEST(only_the_owner_can_read_the_files) {
    struct fixture f;
    mode_t before = umask(0);
    fixture_open(&f);
    struct store_batch *b = store_batch_new();
    store_batch_mark(b, &(struct spool_mark){.off = 1}, 1);
    fixture_commit(&f, b);
    CHECK_INT(mode_of(&f, ""), 0600);
    CHECK_INT(mode_of(&f, "-wal"), 0600);
    CHECK_INT(mode_of(&f, "-shm"), 0600);
    fixture_close_store(&f);
    CHECK_INT(chmod(f.file, 0644), 0);
    fixture_open_store(&f);
    CHECK_INT(mode_of(&f, ""), 0600);
    (void)umask(before);
    fixture_close(&f);
}

static void write_file(const struct fixture *f, const char *text) {
    FILE *file = fopen(f->file, "we");
    CHECK(file != NULL);
    CHECK(fputs(text, file) >= 0);
    CHECK_INT(fclose(file), 0);
}

TEST(a_file_that_is_no_database_is_refused_and_left_alone) {
    struct fixture f;
    fixture_make(&f);
    const char *const texts[] = {"hello\n",
                                 "not a database, and longer than the header of one: "
                                 "0123456789012345678901234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        write_file(&f, texts[i]);
        struct err err = {0};
        CHECK_INT(fixture_try_open(&f, &err), -EMEDIUMTYPE);
        CHECK(strstr(err.msg, "is not a database; move it away") != NULL);
        char back[256] = "";
        FILE *file = fopen(f.file, "re");
        CHECK_INT(fread(back, 1, sizeof back - 1, file), strlen(texts[i]));
        CHECK_INT(fclose(file), 0);
        CHECK_STR(back, texts[i]);
    }
    fixture_close(&f);
}

static void make_database(const struct fixture *f, const char *sql) {
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open(f->file, &db), SQLITE_OK);
    CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
}

TEST(the_database_of_another_program_is_refused) {
    struct fixture f;
    fixture_make(&f);
    make_database(&f, "CREATE TABLE sessions(id); INSERT INTO sessions VALUES (1)");
    struct err err = {0};
    CHECK_INT(fixture_try_open(&f, &err), -EMEDIUMTYPE);
    CHECK(strstr(err.msg, "another program") != NULL);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM sqlite_schema"), 1);
    fixture_close(&f);
}

TEST(a_newer_schema_is_refused) {
    struct fixture f;
    fixture_open(&f);
    fixture_close_store(&f);
    make_database(&f, "PRAGMA user_version = 1000");
    struct err err = {0};
    CHECK_INT(fixture_try_open(&f, &err), -ENOTSUP);
    CHECK(strstr(err.msg, "newer ostler (schema 1000") != NULL);
    CHECK_INT(fixture_number(&f, "PRAGMA user_version"), 1000);
    fixture_close(&f);
}

TEST(a_file_that_somebody_prepared_is_refused) {
    static const char *const prepared[] = {
        "PRAGMA user_version = -1",
        "CREATE TRIGGER t AFTER INSERT ON sessions BEGIN DELETE FROM sessions; END",
        "CREATE VIEW v AS SELECT 1",
    };
    for (size_t i = 0; i < ARRAY_LEN(prepared); i++) {
        struct fixture f;
        fixture_open(&f);
        fixture_close_store(&f);
        make_database(&f, prepared[i]);
        struct err err = {0};
        CHECK_INT(fixture_try_open(&f, &err), -EMEDIUMTYPE);
        fixture_close(&f);
    }
}

TEST(an_empty_file_becomes_a_database) {
    struct fixture f;
    fixture_make(&f);
    write_file(&f, "");
    fixture_open_store(&f);
    CHECK_INT(fixture_number(&f, "PRAGMA page_size"), 4096);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM meta"), 1);
    fixture_close(&f);
}

TEST(a_directory_that_is_not_there_is_said) {
    struct fixture f;
    fixture_make(&f);
    CHECK_INT(path_join(f.file, f.dir, "none/ostler.db"), 0);
    struct err err = {0};
    CHECK_INT(fixture_try_open(&f, &err), -ENOENT);
    CHECK(strstr(err.msg, "cannot be created") != NULL);
    fixture_close(&f);
}

TEST(a_locked_database_cannot_be_opened_and_says_so) {
    struct fixture f;
    fixture_open(&f);
    fixture_close_store(&f);
    sqlite3 *other = fixture_peek(&f);
    CHECK_INT(
        sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT", NULL, NULL, NULL), 0);
    struct err err = {0};
    CHECK_INT(fixture_try_open(&f, &err), -EBUSY);
    CHECK(strstr(err.msg, "locked by another program") != NULL);
    CHECK_INT(sqlite3_close(other), SQLITE_OK);
    fixture_open_store(&f);
    fixture_close(&f);
}

TEST(a_read_only_file_system_is_said_and_read) {
    struct fixture f;
    fixture_make(&f);
    if (!small_disk_mount(f.dir, "size=2m")) {
        fixture_close(&f);
        skip();
    }
    fixture_open_store(&f);
    fixture_close_store(&f);
    CHECK_INT(mount("tmpfs", f.dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
    struct err err = {0};
    struct db *db;
    CHECK_INT(db_open(f.file, &session_schema, &db, &err), -EROFS);
    CHECK(strstr(err.msg, "writable") != NULL);
    fixture_open_store(&f); /* and what is there can be loaded */
    fixture_close_store(&f);
    CHECK_INT(mount("tmpfs", f.dir, "tmpfs", MS_REMOUNT, NULL), 0);
    fixture_open_store(&f);
    fixture_close_store(&f);
    CHECK_INT(umount2(f.dir, MNT_DETACH), 0);
    fixture_close(&f);
}

TESTS(RUN(only_the_owner_can_read_the_files), RUN(a_file_that_is_no_database_is_refused_and_left_alone),
      RUN(the_database_of_another_program_is_refused), RUN(a_newer_schema_is_refused),
      RUN(a_file_that_somebody_prepared_is_refused), RUN(an_empty_file_becomes_a_database),
      RUN(a_directory_that_is_not_there_is_said), RUN(a_locked_database_cannot_be_opened_and_says_so),
      RUN(a_read_only_file_system_is_said_and_read))
