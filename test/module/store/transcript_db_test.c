/* Verdicts, paths, settings and backups, by one process. */
#include "transcript_fixture.h"

#include "store/transcript_int.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const struct scan_verdict corrupted = {
    .status = TRANSCRIPT_CORRUPTED,
    .stop_hook_inline = true,
    .depth = 3,
    .orphans = 2,
    .cycles = 1,
    .glued = 4,
    .messages = 99,
    .mark = {.device = UINT64_MAX, .inode = 1ULL << 63, .size = 12345, .mtime_ns = 1700000000123456789},
};

static void put(struct fixture *f, const char *path, const struct scan_verdict *v) {
    if (transcript_db_put(f->db, path, v, &f->err) < 0) fail_msg("%s", f->err.msg);
}

static bool known(struct fixture *f, const char *path, const struct file_mark *mark) {
    struct scan_verdict v;
    return transcript_db_get(f->db, path, mark, &v) == 1;
}

static void check_verdict(struct fixture *f, const struct scan_verdict *want) {
    struct scan_verdict v;
    CHECK_INT(transcript_db_get(f->db, "/p/a.jsonl", &want->mark, &v), 1);
    CHECK_INT(v.status, want->status);
    CHECK_INT(v.stop_hook_inline, want->stop_hook_inline);
    CHECK_INT(v.depth, want->depth);
    CHECK_INT(v.orphans, want->orphans);
    CHECK_INT(v.cycles, want->cycles);
    CHECK_INT(v.glued, want->glued);
    CHECK_INT(v.messages, want->messages);
    CHECK(file_mark_eq(&v.mark, &want->mark));
}

TEST(a_verdict_is_found_before_and_after_its_commit) {
    struct fixture f;
    fixture_open(&f);
    CHECK(!known(&f, "/p/a.jsonl", &corrupted.mark));
    put(&f, "/p/a.jsonl", &corrupted);
    check_verdict(&f, &corrupted);
    CHECK_INT(transcript_db_flush(f.db, NULL), 0);
    check_verdict(&f, &corrupted);
    fixture_reopen(&f);
    check_verdict(&f, &corrupted);
    CHECK(!known(&f, "/p/b.jsonl", &corrupted.mark));
    fixture_close(&f);
}

/* Lines that hold several records were healthy once; that somebody had a repair undone still counts. */
TEST(verdicts_from_before_glued_lines_were_looked_for_are_forgotten) {
    struct fixture f;
    fixture_open(&f);
    struct scan_verdict healthy = {.status = TRANSCRIPT_HEALTHY, .mark = corrupted.mark}, undone = corrupted;
    undone.left_alone = true;
    put(&f, "/p/a.jsonl", &undone);
    put(&f, "/p/b.jsonl", &healthy);
    CHECK_INT(transcript_db_flush(f.db, NULL), 0);
    fixture_reopen(&f);
    CHECK(known(&f, "/p/a.jsonl", &undone.mark) && known(&f, "/p/b.jsonl", &healthy.mark));
    fixture_exec(&f, "ALTER TABLE verdicts DROP COLUMN glued; PRAGMA user_version = 1");
    fixture_reopen(&f);
    CHECK(known(&f, "/p/a.jsonl", &undone.mark));
    CHECK(!known(&f, "/p/b.jsonl", &healthy.mark));
    fixture_close(&f);
}

TEST(each_field_of_the_mark_decides) {
    struct fixture f;
    fixture_open(&f);
    put(&f, "/p/a.jsonl", &corrupted);
    for (int flushed = 0; flushed < 2; flushed++) {
        struct file_mark other[4] = {corrupted.mark, corrupted.mark, corrupted.mark, corrupted.mark};
        other[0].device--;
        other[1].inode--;
        other[2].size++;
        other[3].mtime_ns++;
        for (size_t i = 0; i < ARRAY_LEN(other); i++)
            CHECK(!known(&f, "/p/a.jsonl", &other[i]));
        CHECK(known(&f, "/p/a.jsonl", &corrupted.mark));
        CHECK_INT(transcript_db_flush(f.db, NULL), 0);
    }
    fixture_close(&f);
}

TEST(the_last_verdict_on_a_file_counts) {
    struct fixture f;
    fixture_open(&f);
    struct scan_verdict healthy = {.status = TRANSCRIPT_HEALTHY, .messages = 5, .mark = {.size = 7}};
    for (int flushed = 0; flushed < 2; flushed++) {
        put(&f, "/p/a.jsonl", &corrupted);
        if (flushed) CHECK_INT(transcript_db_flush(f.db, NULL), 0);
        put(&f, "/p/a.jsonl", &healthy);
        check_verdict(&f, &healthy);
        CHECK_INT(transcript_db_flush(f.db, NULL), 0);
        check_verdict(&f, &healthy);
        CHECK_INT(fixture_number(&f, "SELECT count(*) FROM verdicts"), 1);
    }
    fixture_close(&f);
}

TEST(what_is_not_about_the_content_is_not_kept) {
    struct fixture f;
    fixture_open(&f);
    const enum transcript_status statuses[] = {TRANSCRIPT_UNREADABLE, TRANSCRIPT_MISSING};
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
        put(&f, "/p/a.jsonl", &corrupted);
        CHECK_INT(transcript_db_flush(f.db, NULL), 0);
        struct scan_verdict v = corrupted;
        v.status = statuses[i];
        put(&f, "/p/a.jsonl", &v);
        CHECK(!known(&f, "/p/a.jsonl", &v.mark));
        CHECK_INT(transcript_db_flush(f.db, NULL), 0);
        CHECK(!known(&f, "/p/a.jsonl", &v.mark));
        CHECK_INT(fixture_number(&f, "SELECT count(*) FROM verdicts"), 0);
    }
    fixture_close(&f);
}

static usec_t now;

static usec_t fake_now(void *user UNUSED) {
    return now;
}

static const struct clock fake_clock = {.wall = fake_now, .mono = fake_now};

static void put_many(struct fixture *f, int from, int count) {
    for (int i = from; i < from + count; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/p/%d.jsonl", i);
        put(f, path, &corrupted);
    }
}

TEST(verdicts_are_committed_by_the_batch_or_by_age) {
    struct fixture f;
    fixture_open(&f);
    f.db->clock = &fake_clock;
    const char *count = "SELECT count(*) FROM verdicts";
    now = 5 * USEC_PER_SEC;
    put_many(&f, 0, TRANSCRIPT_DB_BATCH - 1);
    CHECK_INT(fixture_number(&f, count), 0);
    put_many(&f, 1000, 1);
    CHECK_INT(fixture_number(&f, count), TRANSCRIPT_DB_BATCH);

    put_many(&f, 2000, 1);
    now += 99 * USEC_PER_MSEC;
    put_many(&f, 2001, 1);
    CHECK_INT(fixture_number(&f, count), TRANSCRIPT_DB_BATCH);
    now += USEC_PER_MSEC;
    CHECK(!known(&f, "/p/none.jsonl", &corrupted.mark));
    CHECK_INT(fixture_number(&f, count), TRANSCRIPT_DB_BATCH + 2);

    put_many(&f, 3000, 1);
    now += 100 * USEC_PER_MSEC;
    put_many(&f, 3001, 1);
    CHECK_INT(fixture_number(&f, count), TRANSCRIPT_DB_BATCH + 4);
    put_many(&f, 4000, 3);
    fixture_reopen(&f);
    CHECK_INT(fixture_number(&f, count), TRANSCRIPT_DB_BATCH + 7);
    fixture_close(&f);
}

static const char *path_of(struct fixture *f, const char *session) {
    static char path[PATH_BYTES];
    return transcript_db_path(f->db, span_str(session), path) == 1 ? path : "";
}

TEST(a_session_is_found_where_it_was_seen_last) {
    struct fixture f;
    fixture_open(&f);
    CHECK_STR(path_of(&f, "abc"), "");
    put(&f, "/p/one/abc.jsonl", &corrupted);
    CHECK_STR(path_of(&f, "abc"), "/p/one/abc.jsonl");
    struct scan_verdict v = corrupted;
    v.status = TRANSCRIPT_UNREADABLE;
    put(&f, "/p/two/abc.jsonl", &v);
    CHECK_STR(path_of(&f, "abc"), "/p/two/abc.jsonl");
    v.status = TRANSCRIPT_MISSING;
    put(&f, "/p/three/abc.jsonl", &v);
    CHECK_STR(path_of(&f, "abc"), "/p/two/abc.jsonl");
    put(&f, "relative/abc.jsonl", &corrupted);
    put(&f, "/p/abc.jsonl.backup-1", &corrupted);
    put(&f, "/p/other", &corrupted);
    fixture_reopen(&f);
    CHECK_STR(path_of(&f, "abc"), "/p/two/abc.jsonl");
    CHECK_STR(path_of(&f, "other"), "");
    CHECK_STR(path_of(&f, "ab"), "");
    fixture_close(&f);
}

TEST(settings_are_kept) {
    struct fixture f;
    fixture_open(&f);
    int64_t value = -7;
    CHECK_INT(transcript_db_setting(f.db, "archive", &value), 0);
    CHECK_INT(value, -7);
    CHECK_INT(transcript_db_set(f.db, "archive", 1, NULL), 0);
    CHECK_INT(transcript_db_set(f.db, "other", INT64_MIN, NULL), 0);
    fixture_reopen(&f);
    CHECK_INT(transcript_db_setting(f.db, "archive", &value), 1);
    CHECK_INT(value, 1);
    CHECK_INT(transcript_db_setting(f.db, "other", &value), 1);
    CHECK_INT(value, INT64_MIN);
    fixture_close(&f);
}

static void note_backup(struct fixture *f, const char *name, int64_t made_ms, bool exists) {
    char path[PATH_BYTES];
    if (exists) write_file(fixture_path(f, name, path), "x", 1);
    if (transcript_db_backup(f->db, fixture_path(f, name, path), made_ms, &f->err) < 0)
        fail_msg("%s", f->err.msg);
}

static bool exists(const struct fixture *f, const char *name) {
    char path[PATH_BYTES];
    struct stat st;
    return lstat(fixture_path(f, name, path), &st) == 0;
}

TEST(only_old_backups_of_ours_are_deleted) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES];
    note_backup(&f, "a.jsonl.backup-1", 1000, true);
    note_backup(&f, "b.jsonl.backup-2", 1999, true);
    note_backup(&f, "c.jsonl.backup-3", 2000, true); /* young enough */
    note_backup(&f, "d.jsonl.backup-4", 1000, false);
    note_backup(&f, "e.jsonl.backup-", 1000, true);
    note_backup(&f, "f.jsonl", 1000, true);
    note_backup(&f, "g.backup-5", 1000, true);
    note_backup(&f, "h.jsonl.backup-5x", 1000, true);
    note_backup(&f, "i.jsonl.backup-6", 1000, false);
    CHECK_INT(symlink("f.jsonl", fixture_path(&f, "i.jsonl.backup-6", path)), 0);
    note_backup(&f, "j.jsonl.backup-7", 1000, false);
    CHECK_INT(mkdir(fixture_path(&f, "j.jsonl.backup-7", path), 0700), 0);
    write_file(fixture_path(&f, "k.jsonl.backup-8", path), "x", 1); /* nobody told us */
    fixture_reopen(&f);

    CHECK_INT(transcript_db_prune(f.db, 2000, &f.err), 2);
    const char *const gone[] = {"a.jsonl.backup-1", "b.jsonl.backup-2"};
    const char *const left[] = {"c.jsonl.backup-3", "e.jsonl.backup-",   "f.jsonl",
                                "g.backup-5",       "h.jsonl.backup-5x", "i.jsonl.backup-6",
                                "j.jsonl.backup-7", "k.jsonl.backup-8"};
    for (size_t i = 0; i < ARRAY_LEN(gone); i++)
        CHECK(!exists(&f, gone[i]));
    for (size_t i = 0; i < ARRAY_LEN(left); i++)
        CHECK(exists(&f, left[i]));
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM backups"), 1);
    CHECK_INT(transcript_db_prune(f.db, 2000, &f.err), 0);
    CHECK_INT(transcript_db_prune(f.db, 2001, &f.err), 1);
    fixture_close(&f);
}

TEST(a_backup_that_cannot_be_deleted_stays_known) {
    struct fixture f;
    fixture_open(&f);
    /* A name too long for any file system fails like a disk that refuses, for root too. */
    char name[400];
    (void)snprintf(name, sizeof name, "%0300d.jsonl.backup-1", 0);
    note_backup(&f, name, 1000, false);
    note_backup(&f, "z.jsonl.backup-2", 1000, true);
    CHECK_INT(transcript_db_prune(f.db, 2000, &f.err), 1);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM backups"), 1);
    fixture_close(&f);
}

TEST(a_backup_is_committed_at_once_under_its_whole_path) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES], here[PATH_BYTES];
    CHECK(getcwd(here, sizeof here) != NULL);
    write_file(fixture_path(&f, "a.jsonl.backup-1", path), "x", 1);
    CHECK_INT(chdir(f.dir.path), 0);
    CHECK_INT(transcript_db_backup(f.db, "a.jsonl.backup-1", 1, &f.err), 0);
    CHECK_INT(chdir(here), 0);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM backups"), 1);
    CHECK_INT(transcript_db_prune(f.db, 2, &f.err), 1);
    CHECK(!exists(&f, "a.jsonl.backup-1"));
    fixture_close(&f);
}

TEST(a_path_that_is_too_long_is_refused) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES + 1];
    (void)snprintf(path, sizeof path, "/%01023d", 0);
    CHECK_INT(transcript_db_put(f.db, path, &corrupted, &f.err), -ENAMETOOLONG);
    CHECK_INT(transcript_db_backup(f.db, path, 1, &f.err), -ENAMETOOLONG);
    fixture_close(&f);
}

TESTS(RUN(a_verdict_is_found_before_and_after_its_commit),
      RUN(verdicts_from_before_glued_lines_were_looked_for_are_forgotten),
      RUN(each_field_of_the_mark_decides), RUN(the_last_verdict_on_a_file_counts),
      RUN(what_is_not_about_the_content_is_not_kept), RUN(verdicts_are_committed_by_the_batch_or_by_age),
      RUN(a_session_is_found_where_it_was_seen_last), RUN(settings_are_kept),
      RUN(only_old_backups_of_ours_are_deleted), RUN(a_backup_that_cannot_be_deleted_stays_known),
      RUN(a_backup_is_committed_at_once_under_its_whole_path), RUN(a_path_that_is_too_long_is_refused))
