/* Torn files, full disks, kill -9 and two at once. */
#include "transcript_fixture.h"

#include "base/mem.h"
#include "small_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 20 };

/* Noise, so that it does not shrink. Every version of the session is a beginning of it. */
static char *content(void) {
    char *bytes = xmalloc(BYTES);
    uint64_t random = 88172645463325252;
    for (size_t i = 0; i < BYTES; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        bytes[i] = (char)random;
    }
    return bytes;
}

static void write_content(const struct fixture *f, char path[PATH_BYTES]) {
    AUTO(free) char *bytes = content();
    write_file(fixture_path(f, "s.jsonl", path), bytes, BYTES);
}

static int keep_first(const struct fixture *f, struct transcript_db *db, size_t n, struct err *err) {
    char path[PATH_BYTES];
    struct file_mark mark = mark_of(fixture_path(f, "s.jsonl", path));
    mark.size = n;
    return archive_keep(db, f->archive, SPAN("s"), path, &mark, 1, err);
}

/* The archive holds a whole version; how long it is. */
static size_t check_whole(struct fixture *f, const char *bytes) {
    struct archived a;
    char to[PATH_BYTES];
    if (archive_get(f->db, SPAN("s"), &a, &f->err) < 0) fail_msg("%s", f->err.msg);
    if (archive_restore(&a, fixture_path(f, "restored", to), &f->err) < 0) fail_msg("%s", f->err.msg);
    CHECK(file_is(to, bytes, a.size));
    CHECK_INT(unlink(to), 0);
    return a.size;
}

static void check_torn(struct fixture *f, const struct archived *a, const char *words) {
    char dir[PATH_BYTES], to[PATH_BYTES];
    CHECK_INT(path_join(to, fixture_path(f, "project", dir), "s.jsonl"), 0);
    CHECK_INT(archive_restore(a, to, &f->err), -EUCLEAN);
    if (!strstr(f->err.msg, words) || !strstr(f->err.msg, "s.jsonl.zst is damaged"))
        fail_msg("%s", f->err.msg);
    CHECK_INT(count_files(dir), 0);
}

TEST(a_torn_archive_is_said_and_nothing_is_restored) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES];
    write_content(&f, path);
    CHECK_INT(keep_first(&f, f.db, BYTES, &f.err), 1);
    struct archived a;
    CHECK_INT(archive_get(f.db, SPAN("s"), &a, &f.err), 0);
    size_t n;
    AUTO(free) char *packed = read_file(a.file, &n);
    AUTO(free) char *longer = xcalloc(1, n + 1);
    memcpy(longer, packed, n);

    const size_t cuts[] = {0, 1, 5, 20, n / 2, n - 1};
    for (size_t i = 0; i < ARRAY_LEN(cuts); i++) {
        write_file(a.file, packed, cuts[i]);
        check_torn(&f, &a, "its end is missing");
    }
    write_file(a.file, longer, n + 1);
    check_torn(&f, &a, "something follows its end");
    for (size_t at = 0; at < n; at += n / 7) {
        longer[at] = (char)(longer[at] ^ 0x10);
        write_file(a.file, longer, n);
        check_torn(&f, &a, "damaged");
        longer[at] = (char)(longer[at] ^ 0x10);
    }
    write_file(a.file, packed, n);
    a.size--;
    check_torn(&f, &a, "more than was kept");
    a.size += 2;
    check_torn(&f, &a, "less than was kept");
    CHECK_INT(unlink(a.file), 0);
    CHECK_INT(archive_restore(&a, fixture_path(&f, "new", path), &f.err), -ENOENT);
    CHECK(strstr(f.err.msg, "cannot be read") != NULL);
    fixture_close(&f);
}

TEST(a_torn_or_lost_archive_is_made_again) {
    struct fixture f;
    fixture_open(&f);
    AUTO(free) char *bytes = content();
    char path[PATH_BYTES];
    write_content(&f, path);
    CHECK_INT(keep_first(&f, f.db, BYTES, &f.err), 1);
    struct archived a;
    CHECK_INT(archive_get(f.db, SPAN("s"), &a, &f.err), 0);
    CHECK_INT(truncate(a.file, (off_t)a.packed / 2), 0);
    CHECK_INT(keep_first(&f, f.db, BYTES, &f.err), 1);
    CHECK_INT(check_whole(&f, bytes), BYTES);
    CHECK_INT(unlink(a.file), 0);
    CHECK_INT(keep_first(&f, f.db, 1000, &f.err), 1); /* better than nothing */
    CHECK_INT(check_whole(&f, bytes), 1000);
    fixture_close(&f);
}

/* As after a kill between the file's new name and the row's commit. */
TEST(a_file_that_is_newer_than_its_row_is_believed) {
    struct fixture f;
    fixture_open(&f);
    AUTO(free) char *bytes = content();
    char path[PATH_BYTES];
    write_content(&f, path);
    CHECK_INT(keep_first(&f, f.db, 5000, &f.err), 1);
    fixture_exec(&f, "UPDATE archive SET size = 4000, packed = packed - 1000, mtime_ns = 77");
    struct archived a;
    CHECK_INT(archive_get(f.db, SPAN("s"), &a, &f.err), 0);
    CHECK_INT(a.mtime_ns, mark_of(path).mtime_ns);
    CHECK_INT(check_whole(&f, bytes), 5000);
    CHECK_INT(keep_first(&f, f.db, 4999, &f.err), 0);
    CHECK_INT(keep_first(&f, f.db, 5000, &f.err), 1);
    CHECK_INT(fixture_number(&f, "SELECT size FROM archive"), 5000);
    fixture_close(&f);
}

TEST(leftovers_go_with_the_next_keep_but_not_the_work_of_others) {
    struct fixture f;
    fixture_open(&f);
    char path[PATH_BYTES], dead[PATH_BYTES], alive[PATH_BYTES], project[PATH_BYTES];
    write_content(&f, path);
    CHECK_INT(keep_first(&f, f.db, 10, &f.err), 1);
    write_file(fixture_path(&f, "archive/.unfinished/.ostler-dead", dead), "half", 4);
    write_file(fixture_path(&f, "archive/.unfinished/.ostler-live", alive), "half", 4);
    AUTO(fd) int fd = open(alive, O_RDWR | O_CLOEXEC);
    CHECK_INT(flock(fd, LOCK_EX), 0);
    CHECK_INT(keep_first(&f, f.db, 20, &f.err), 1);
    CHECK_INT(access(dead, F_OK), -1);
    CHECK_INT(access(alive, F_OK), 0);

    CHECK_INT(mkdir(fixture_path(&f, "project", project), 0700), 0);
    write_file(fixture_path(&f, "project/.ostler-dead", dead), "half", 4);
    write_file(fixture_path(&f, "project/other.jsonl", alive), "other", 5);
    struct archived a;
    CHECK_INT(archive_get(f.db, SPAN("s"), &a, &f.err), 0);
    CHECK_INT(archive_restore(&a, fixture_path(&f, "project/s.jsonl", path), &f.err), 0);
    CHECK_INT(count_files(project), 2);
    fixture_close(&f);
}

struct growing {
    int out;
    size_t from, step;
};

static struct growing growing;

/* Keeps one version after the other and writes a byte for each that was reported kept. */
static void keep_growing(const struct fixture *f, int count) {
    struct transcript_db *db;
    if (transcript_db_open(f->file, &db, NULL) < 0) _exit(1);
    for (int i = 1; i <= count; i++) {
        struct err err = {0};
        int r = keep_first(f, db, growing.from + (size_t)i * growing.step, &err);
        if (r < 0) {
            (void)fprintf(stderr, "%s\n", err.msg);
            _exit(2);
        }
        if (growing.out >= 0 && write(growing.out, "", 1) != 1) _exit(3);
    }
    transcript_db_close(db);
}

TEST(kill_9_leaves_a_whole_version) {
    enum { ROUNDS = 12, STEP = 1009 };
    struct fixture f;
    fixture_make(&f);
    AUTO(free) char *bytes = content();
    char path[PATH_BYTES];
    write_content(&f, path);
    size_t size = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int fds[2], status;
        CHECK_INT(pipe(fds), 0);
        growing = (struct growing){.out = fds[1], .from = size, .step = STEP};
        pid_t pid = in_process(&f, keep_growing, (int)((BYTES - size) / STEP));
        (void)close(fds[1]);
        size_t kept = 0;
        char byte;
        while (kept < 2 + (size_t)round && read(fds[0], &byte, 1) == 1)
            kept++;
        CHECK_INT(kill(pid, SIGKILL), 0);
        while (read(fds[0], &byte, 1) == 1)
            kept++;
        (void)close(fds[0]);
        CHECK_INT(waitpid(pid, &status, 0), pid);
        CHECK(WIFSIGNALED(status));

        fixture_reopen(&f);
        size_t now = check_whole(&f, bytes);
        CHECK(now >= size + kept * STEP);
        CHECK_INT((now - size) % STEP, 0);
        size = now;
        transcript_db_close(f.db);
        f.db = NULL;
    }
    fixture_reopen(&f);
    CHECK_INT(keep_first(&f, f.db, BYTES, &f.err), 1);
    CHECK_INT(count_files(f.archive), 2);
    char unfinished[PATH_BYTES];
    CHECK_INT(count_files(fixture_path(&f, "archive/.unfinished", unfinished)), 0);
    fixture_close(&f);
}

TEST(the_longest_of_two_at_once_stays) {
    struct fixture f;
    fixture_open(&f);
    AUTO(free) char *bytes = content();
    char path[PATH_BYTES];
    write_content(&f, path);
    pid_t pids[2];
    growing = (struct growing){.out = -1, .step = 20000};
    pids[0] = in_process(&f, keep_growing, 40);
    growing.from = 7;
    pids[1] = in_process(&f, keep_growing, 40);
    wait_success(pids[0]);
    wait_success(pids[1]);
    CHECK_INT(check_whole(&f, bytes), 40 * 20000 + 7);
    CHECK_INT(fixture_number(&f, "SELECT size FROM archive"), 40 * 20000 + 7);
    CHECK_INT(count_files(f.archive), 2);
    fixture_close(&f);
}

TEST(a_full_disk_is_said_and_the_old_version_stays) {
    struct fixture f;
    fixture_open(&f);
    AUTO(free) char *bytes = content();
    char path[PATH_BYTES];
    write_content(&f, path);
    CHECK_INT(mkdir(f.archive, 0700), 0);
    if (!small_disk_mount(f.archive, "size=256k")) {
        fixture_close(&f);
        skip();
    }
    CHECK_INT(keep_first(&f, f.db, 100000, &f.err), 1);
    CHECK_INT(keep_first(&f, f.db, BYTES, &f.err), -ENOSPC);
    CHECK(strstr(f.err.msg, "s.jsonl.zst cannot be written") != NULL);
    CHECK_INT(check_whole(&f, bytes), 100000);
    char unfinished[PATH_BYTES];
    CHECK_INT(count_files(fixture_path(&f, "archive/.unfinished", unfinished)), 0);
    CHECK_INT(umount2(f.archive, MNT_DETACH), 0);
    fixture_close(&f);
}

TESTS(RUN(a_torn_archive_is_said_and_nothing_is_restored), RUN(a_torn_or_lost_archive_is_made_again),
      RUN(a_file_that_is_newer_than_its_row_is_believed),
      RUN(leftovers_go_with_the_next_keep_but_not_the_work_of_others), RUN(kill_9_leaves_a_whole_version),
      RUN(the_longest_of_two_at_once_stays), RUN(a_full_disk_is_said_and_the_old_version_stays))
