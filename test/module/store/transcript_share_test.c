/* Several threads and processes on one transcripts.db, kill -9, and files that are none. */
#include "transcript_fixture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRITERS = 3, EACH = 600 };

static void put(struct transcript_db *db, int writer, int i) {
    char path[64];
    (void)snprintf(path, sizeof path, "/p/%d-%d.jsonl", writer, i);
    struct scan_verdict v = {.messages = (uint64_t)i, .mark = {.size = (uint64_t)i}};
    struct scan_verdict back;
    struct err err = {0};
    if (transcript_db_put(db, path, &v, &err) < 0 || transcript_db_get(db, path, &v.mark, &back) != 1 ||
        back.messages != v.messages) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
}

static struct transcript_db *open_or_die(const struct fixture *f) {
    struct transcript_db *db;
    struct err err = {0};
    if (transcript_db_open(f->file, &db, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        _exit(1);
    }
    return db;
}

static void write_some(const struct fixture *f, int writer) {
    struct transcript_db *db = open_or_die(f);
    for (int i = 0; i < EACH; i++) {
        put(db, writer, i);
        if (i % 40 == 0 && transcript_db_backup(db, "/p/x.jsonl.backup-1", i, NULL) < 0) _exit(2);
    }
    transcript_db_close(db);
}

TEST(processes_write_at_the_same_time) {
    struct fixture f;
    fixture_make(&f);
    pid_t pids[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        pids[i] = in_process(&f, write_some, i);
    for (int i = 0; i < WRITERS; i++)
        wait_success(pids[i]);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM verdicts"), WRITERS * EACH);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM paths"), WRITERS * EACH);
    fixture_close(&f);
}

static int gate[2];

static void open_together(const struct fixture *f, int arg UNUSED) {
    char byte;
    (void)close(gate[1]);
    (void)!read(gate[0], &byte, 1); /* the end, once everybody is there */
    transcript_db_close(open_or_die(f));
}

TEST(processes_make_the_file_at_the_same_time) {
    for (int round = 0; round < 10; round++) {
        struct fixture f;
        fixture_make(&f);
        CHECK_INT(pipe(gate), 0);
        pid_t pids[WRITERS];
        for (int i = 0; i < WRITERS; i++)
            pids[i] = in_process(&f, open_together, i);
        (void)close(gate[1]);
        for (int i = 0; i < WRITERS; i++)
            wait_success(pids[i]);
        (void)close(gate[0]);
        fixture_close(&f);
    }
}

struct thread_arg {
    struct transcript_db *db;
    int number;
};

static void *write_in_thread(void *user) {
    const struct thread_arg *arg = user;
    for (int i = 0; i < EACH; i++) {
        put(arg->db, arg->number, i);
        if (i % 100 == 0 && transcript_db_flush(arg->db, NULL) < 0) abort();
    }
    return NULL;
}

TEST(threads_share_one_handle) {
    struct fixture f;
    fixture_open(&f);
    pthread_t threads[WRITERS];
    struct thread_arg args[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        args[i] = (struct thread_arg){f.db, i};
        CHECK_INT(pthread_create(&threads[i], NULL, write_in_thread, &args[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(transcript_db_flush(f.db, NULL), 0);
    CHECK_INT(fixture_number(&f, "SELECT count(*) FROM verdicts"), WRITERS * EACH);
    fixture_close(&f);
}

static void set_something(const struct fixture *f, int value) {
    struct transcript_db *db = open_or_die(f);
    if (transcript_db_set(db, "archive", value, NULL) < 0) _exit(1);
    transcript_db_close(db);
}

TEST(verdicts_that_wait_keep_nobody_from_writing) {
    struct fixture f;
    fixture_open(&f);
    put(f.db, 0, 0);
    wait_success(in_process(&f, set_something, 5));
    int64_t value = 0;
    CHECK_INT(transcript_db_setting(f.db, "archive", &value), 1);
    CHECK_INT(value, 5);
    fixture_close(&f);
}

static void write_and_flush_until_killed(const struct fixture *f, int out) {
    struct transcript_db *db = open_or_die(f);
    for (int i = 0;; i++) {
        put(db, 0, i);
        if (i % 10 == 9 && (transcript_db_flush(db, NULL) < 0 || write(out, "", 1) != 1)) _exit(1);
    }
}

TEST(what_was_flushed_survives_kill_9) {
    struct fixture f;
    fixture_make(&f);
    int fds[2], flushed = 0, status;
    CHECK_INT(pipe(fds), 0);
    pid_t pid = in_process(&f, write_and_flush_until_killed, fds[1]);
    (void)close(fds[1]);
    char byte;
    while (flushed < 30 && read(fds[0], &byte, 1) == 1)
        flushed++;
    CHECK_INT(kill(pid, SIGKILL), 0);
    while (read(fds[0], &byte, 1) == 1)
        flushed++;
    (void)close(fds[0]);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK(WIFSIGNALED(status));
    fixture_reopen(&f);
    for (int i = 0; i < flushed * 10; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/p/0-%d.jsonl", i);
        struct scan_verdict v;
        CHECK_INT(transcript_db_get(f.db, path, &(struct file_mark){.size = (uint64_t)i}, &v), 1);
    }
    fixture_close(&f);
}

TEST(only_the_owner_can_read_it) {
    struct fixture f;
    mode_t before = umask(0);
    fixture_open(&f);
    put(f.db, 0, 0);
    CHECK_INT(transcript_db_flush(f.db, NULL), 0);
    const char *const names[] = {"transcripts.db", "transcripts.db-wal", "transcripts.db-shm"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char path[PATH_BYTES];
        struct stat st;
        CHECK_INT(stat(fixture_path(&f, names[i], path), &st), 0);
        CHECK_INT(st.st_mode & 0777, 0600);
    }
    (void)umask(before);
    fixture_close(&f);
}

static void check_refused(struct fixture *f, int code, const char *words) {
    struct transcript_db *db = NULL;
    CHECK_INT(transcript_db_open(f->file, &db, &f->err), code);
    CHECK(db == NULL);
    if (!strstr(f->err.msg, words)) fail_msg("%s", f->err.msg);
}

TEST(a_file_that_is_none_of_ours_is_refused) {
    struct fixture f;
    fixture_make(&f);
    const char text[] = "not a database, and longer than the head of one: "
                        "0123456789012345678901234567890123456789012345678901234567890123456789";
    write_file(f.file, text, sizeof text);
    check_refused(&f, -EMEDIUMTYPE, "is not a database");
    CHECK(file_is(f.file, text, sizeof text));
    CHECK_INT(unlink(f.file), 0);
    fixture_exec(&f, "CREATE TABLE verdicts(path)");
    check_refused(&f, -EMEDIUMTYPE, "another program");
    CHECK_INT(unlink(f.file), 0);
    /* The sessions' database has another number. */
    fixture_exec(&f, "PRAGMA application_id = 0x6f73746c; PRAGMA user_version = 1; CREATE TABLE meta(id)");
    check_refused(&f, -EMEDIUMTYPE, "another program");
    CHECK_INT(unlink(f.file), 0);
    fixture_reopen(&f);
    fixture_exec(&f, "PRAGMA user_version = 77");
    transcript_db_close(f.db);
    f.db = NULL;
    check_refused(&f, -ENOTSUP, "newer ostler");
    fixture_close(&f);
}

TEST(a_damaged_database_is_said_and_knows_nothing) {
    struct fixture f;
    fixture_open(&f);
    for (int i = 0; i < EACH; i++)
        put(f.db, 0, i);
    transcript_db_close(f.db);
    f.db = NULL;
    size_t n;
    AUTO(free) char *bytes = read_file(f.file, &n);
    CHECK(n > 8 * 4096);
    memset(bytes + 4096, 0xa5, n - 4096);
    write_file(f.file, bytes, n);

    fixture_reopen(&f);
    struct scan_verdict v = {.mark = {.size = 1}};
    char path[PATH_BYTES];
    CHECK_INT(transcript_db_get(f.db, "/p/0-1.jsonl", &v.mark, &v), 0);
    CHECK_INT(transcript_db_path(f.db, SPAN("0-1"), path), 0);
    CHECK_INT(transcript_db_put(f.db, "/p/0-1.jsonl", &v, &f.err), 0);
    CHECK_INT(transcript_db_flush(f.db, &f.err), -EUCLEAN);
    CHECK(strstr(f.err.msg, "is damaged") != NULL);
    struct archived a;
    CHECK_INT(archive_get(f.db, SPAN("x"), &a, &f.err), -EUCLEAN);
    CHECK_INT(transcript_db_prune(f.db, 1, &f.err), -EUCLEAN);
    fixture_close(&f);
}

TESTS(RUN(processes_write_at_the_same_time), RUN(processes_make_the_file_at_the_same_time),
      RUN(threads_share_one_handle), RUN(verdicts_that_wait_keep_nobody_from_writing),
      RUN(what_was_flushed_survives_kill_9), RUN(only_the_owner_can_read_it),
      RUN(a_file_that_is_none_of_ours_is_refused), RUN(a_damaged_database_is_said_and_knows_nothing))
