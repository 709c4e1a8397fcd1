#include "spool/append.h"

#include "base/own.h"
#include "base/path.h"
#include "small_disk.h"
#include "spool/record.h"
#include "spool/survey.h"
#include "temp_dir.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>

static int append_text(const char *dir, const char *text) {
    return spool_append(dir, &(struct iovec){(char *)text, strlen(text)}, 1);
}

/* A whole file; the caller frees. */
static char *read_file(const char *dir, const char *name, size_t *ret_n) {
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, dir, name), 0);
    AUTO(fd) int fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    struct stat st;
    CHECK_INT(fstat(fd, &st), 0);
    char *p = malloc((size_t)st.st_size + 1);
    CHECK(p != NULL);
    CHECK_INT(read(fd, p, (size_t)st.st_size), st.st_size);
    p[st.st_size] = '\0';
    *ret_n = (size_t)st.st_size;
    return p;
}

static void count_one(void *user, const struct survey_segment *s UNUSED) {
    ++*(int *)user;
}

static int survey(const char *path, void (*each)(void *user, const struct survey_segment *s), void *user) {
    AUTO(fd) int dir = own_dir(path);
    return dir < 0 ? dir : survey_sealed(dir, each, user);
}

static int count_sealed(const char *dir) {
    int n = 0;
    CHECK_INT(survey(dir, count_one, &n), 0);
    return n;
}

TEST(a_record_stands_between_newlines) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    const struct iovec parts[] = {{(char *)"{\"a\":", 5}, {(char *)"1", 1}, {(char *)"}", 1}};
    CHECK_INT(spool_append(t.path, parts, 3), 0);
    CHECK_INT(append_text(t.path, "{}"), 0);
    size_t n;
    AUTO(free) char *text = read_file(t.path, SPOOL_ACTIVE, &n);
    CHECK_STR(text, "\n{\"a\":1}\n\n{}\n");
}

TEST(a_missing_directory_is_made_private) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char dir[PATH_BYTES], active[PATH_BYTES];
    CHECK_INT(path_join(dir, t.path, "state/spool"), 0);
    CHECK_INT(append_text(dir, "{}"), 0);
    struct stat st;
    CHECK_INT(stat(dir, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0700);
    CHECK_INT(path_join(active, dir, SPOOL_ACTIVE), 0);
    CHECK_INT(stat(active, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
}

TEST(says_why_it_cannot_write) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char dir[PATH_BYTES];
    CHECK_INT(path_join(dir, t.path, "file"), 0);
    AUTO(fd) int fd = open(dir, O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0);
    CHECK_INT(append_text(dir, "{}"), -ENOTDIR);
    char too_long[PATH_BYTES * 2];
    memset(too_long, 'x', sizeof too_long);
    too_long[sizeof too_long - 1] = '\0';
    CHECK_INT(append_text(too_long, "{}"), -ENAMETOOLONG);
}

enum { WRITERS = 8, RECORDS = 200 };

/* Runs `body` in a child, which must exit 0. */
static pid_t in_child(void (*body)(const char *dir, int id), const char *dir, int id) {
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        body(dir, id);
        _exit(0);
    }
    return pid;
}

static void expect_exit(pid_t pid) {
    int status;
    CHECK(waitpid(pid, &status, 0) > 0);
    CHECK_INT(status, 0);
}

/* When open, a writer takes a token before each record and says so after it. */
static int tokens[2] = {-1, -1}, written[2] = {-1, -1};

static void write_many(const char *dir, int id) {
    char text[3000], token;
    for (int i = 0; i < RECORDS; i++) {
        if (tokens[0] >= 0 && read(tokens[0], &token, 1) != 1) _exit(2);
        int head = snprintf(text, sizeof text, "{\"w\":%d,\"i\":%d,\"pad\":\"", id, i);
        size_t n = (size_t)head + 1000 + (size_t)(i * 7 % 900);
        memset(text + head, 'a' + id, n - (size_t)head);
        memcpy(text + n, "\"}", 3);
        if (append_text(dir, text) != 0) _exit(1);
        if (tokens[0] >= 0 && write(written[1], "w", 1) != 1) _exit(3);
    }
}

/* Counts the whole records in `bytes` by writer; every line must be whole and in its writer's order. */
static void count_records(struct span bytes, int next[WRITERS]) {
    struct span record;
    for (size_t used; record_next(bytes, &record, &used) == 1; bytes = span_skip(bytes, used)) {
        int w, i, head;
        CHECK_INT(sscanf(record.p, "{\"w\":%d,\"i\":%d,\"pad\":\"%n", &w, &i, &head), 2);
        CHECK(w >= 0 && w < WRITERS);
        CHECK_INT(i, next[w]);
        next[w]++;
        CHECK_INT(record.n, head + 1000 + i * 7 % 900 + 2);
        for (size_t at = (size_t)head; at < record.n - 2; at++)
            CHECK_INT(record.p[at], 'a' + w);
    }
}

TEST(concurrent_writers_do_not_mix) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    pid_t pids[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        pids[i] = in_child(write_many, t.path, i);
    for (int i = 0; i < WRITERS; i++)
        expect_exit(pids[i]);
    size_t n;
    AUTO(free) char *text = read_file(t.path, SPOOL_ACTIVE, &n);
    int next[WRITERS] = {0};
    count_records(span_of(text, n), next);
    for (int i = 0; i < WRITERS; i++)
        CHECK_INT(next[i], RECORDS);
}

static void add_name(void *user, const struct survey_segment *s) {
    uint64_t *numbers = user;
    size_t i = 0;
    while (numbers[i] && numbers[i] < s->number)
        i++;
    memmove(numbers + i + 1, numbers + i, 4000 * sizeof *numbers);
    numbers[i] = s->number;
}

static void let_write(int writers) {
    for (int i = 0; i < writers; i++)
        CHECK_INT(write(tokens[1], "t", 1), 1);
}

static void want_written(int records) {
    char token;
    for (int i = 0; i < records; i++)
        CHECK_INT(read(written[0], &token, 1), 1);
}

/* The clock stands still: the numbers must grow all the same. */
static bool seal(const char *dir) {
    char path[PATH_BYTES], name[SPOOL_SEALED_NAME_BYTES];
    CHECK_INT(path_join(path, dir, SPOOL_ACTIVE), 0);
    AUTO(fd) int fd = open(path, O_RDONLY);
    return fd >= 0 && spool_seal(dir, fd, 1000, name) == 1;
}

/* Seals whenever it can while three writers are at work. A writer that the system stops in the middle of a record can
 * prevent that for any number of records, so now and then they are made to wait: there it must work. */
static int seal_under_writers(const char *dir) {
    enum { AT_ONCE = 3, BUSY = 50, TOTAL = WRITERS * RECORDS };
    int sealed = 0;
    for (int done = 0; done < TOTAL;) {
        let_write(AT_ONCE);
        for (int i = 0; i < BUSY && done + AT_ONCE < TOTAL; i++, done++) {
            want_written(1);
            sealed += seal(dir);
            let_write(1);
        }
        int last = done + AT_ONCE < TOTAL ? AT_ONCE : TOTAL - done;
        want_written(last);
        done += last;
        if (done == TOTAL) break;
        let_write(1);
        want_written(1);
        done++;
        CHECK(seal(dir));
        sealed++;
    }
    return sealed;
}

TEST(sealing_under_writers_loses_nothing) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    CHECK_INT(pipe(tokens), 0);
    CHECK_INT(pipe(written), 0);
    for (int i = 0; i < WRITERS; i++)
        (void)in_child(write_many, t.path, i);
    int sealed = seal_under_writers(t.path);
    for (int i = 0; i < WRITERS; i++)
        expect_exit(-1);
    (void)close(written[0]);
    (void)close(written[1]);
    (void)close(tokens[0]);
    (void)close(tokens[1]);
    tokens[0] = tokens[1] = -1;
    CHECK(sealed > 20);
    CHECK(sealed < 4000);
    CHECK_INT(count_sealed(t.path), sealed);
    char path[PATH_BYTES], name[SPOOL_SEALED_NAME_BYTES];
    CHECK_INT(path_join(path, t.path, SPOOL_ACTIVE), 0);

    static uint64_t numbers[8192];
    memset(numbers, 0, sizeof numbers);
    CHECK_INT(survey(t.path, add_name, numbers), 0);
    int next[WRITERS] = {0};
    for (size_t i = 0; numbers[i]; i++) {
        segment_name(name, numbers[i]);
        size_t n;
        AUTO(free) char *text = read_file(t.path, name, &n);
        count_records(span_of(text, n), next);
    }
    if (access(path, F_OK) == 0) {
        size_t n;
        AUTO(free) char *text = read_file(t.path, SPOOL_ACTIVE, &n);
        count_records(span_of(text, n), next);
    }
    for (int i = 0; i < WRITERS; i++)
        CHECK_INT(next[i], RECORDS);
}

TEST(a_segment_is_not_sealed_under_a_writer) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    CHECK_INT(append_text(t.path, "{}"), 0);
    char path[PATH_BYTES], name[SPOOL_SEALED_NAME_BYTES];
    CHECK_INT(path_join(path, t.path, SPOOL_ACTIVE), 0);
    AUTO(fd) int writer = open(path, O_WRONLY | O_APPEND), reader = open(path, O_RDONLY);
    CHECK_INT(flock(writer, LOCK_SH), 0);
    CHECK_INT(spool_seal(t.path, reader, 1000, name), 0);
    CHECK_INT(flock(writer, LOCK_UN), 0);
    CHECK_INT(spool_seal(t.path, reader, 1000, name), 1);
    CHECK_STR(name, "00000000000000001000.seg");
    CHECK_INT(access(path, F_OK), -1);
    /* It is not the active one any more. */
    CHECK_INT(spool_seal(t.path, reader, 1000, name), 0);
    CHECK_INT(append_text(t.path, "{}"), 0);
    CHECK_INT(spool_seal(t.path, reader, 1000, name), 0);
    CHECK_INT(count_sealed(t.path), 1);
}

TEST(a_lock_that_never_comes_free_holds_nobody_up) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    CHECK_INT(append_text(t.path, "{\"n\":1}"), 0);
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, t.path, SPOOL_ACTIVE), 0);
    AUTO(fd) int stuck = open(path, O_RDONLY);
    CHECK_INT(flock(stuck, LOCK_EX), 0);
    struct timespec from, to;
    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    CHECK_INT(append_text(t.path, "{\"n\":2}"), 0);
    (void)clock_gettime(CLOCK_MONOTONIC, &to);
    CHECK(to.tv_sec - from.tv_sec < 10);
    size_t n;
    AUTO(free) char *text = read_file(t.path, SPOOL_ACTIVE, &n);
    CHECK_STR(text, "\n{\"n\":1}\n\n{\"n\":2}\n");
}

TEST(a_writer_alone_seals_and_keeps_the_cap) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    const struct spool_limits limits = {.seal_alone_bytes = 1000, .cap_bytes = 3000};
    char text[500];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 20; i++)
        CHECK_INT(spool_append_within(t.path, &(struct iovec){text, sizeof text}, 1, &limits), 0);
    /* Segments of two records (1004 bytes, 1084 with a note); two of them fit under the cap. */
    CHECK_INT(count_sealed(t.path), 2);
    size_t n;
    AUTO(free) char *active = read_file(t.path, SPOOL_ACTIVE, &n);
    CHECK(strstr(active, "\"via\":\"spool\"") != NULL);
    CHECK(strstr(active, "\"dropped_segments\":1,\"dropped_bytes\":1") != NULL);
}

static void fill_disk(const char *dir) {
    char text[4000];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 1000; i++) {
        int r = spool_append(dir, &(struct iovec){text, sizeof text}, 1);
        if (r == -ENOSPC) return;
        CHECK_INT(r, 0);
    }
    fail_msg("the disk never filled up");
}

TEST(a_full_disk_tears_one_record_only) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    if (!small_disk_mount(t.path, "size=64k")) skip();
    fill_disk(t.path);
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, t.path, SPOOL_ACTIVE), 0);
    CHECK_INT(mount("tmpfs", t.path, "tmpfs", MS_REMOUNT, "size=1m"), 0);
    CHECK_INT(append_text(t.path, "{\"whole\":true}"), 0);
    size_t n, used;
    AUTO(free) char *text = read_file(t.path, SPOOL_ACTIVE, &n);
    CHECK_INT(umount(t.path), 0);
    struct span rest = span_of(text, n), record = SPAN_NONE;
    int whole = 0, torn = 0;
    for (; record_next(rest, &record, &used) == 1; rest = span_skip(rest, used)) {
        if (record.n == 4000)
            whole++;
        else if (!span_eq_str(record, "{\"whole\":true}"))
            torn++;
    }
    CHECK_SPAN(record, "{\"whole\":true}");
    CHECK_INT(rest.n, 0);
    CHECK(whole > 5);
    CHECK(torn <= 1);
}

TESTS(RUN(a_record_stands_between_newlines), RUN(a_missing_directory_is_made_private),
      RUN(says_why_it_cannot_write), RUN(concurrent_writers_do_not_mix),
      RUN(sealing_under_writers_loses_nothing), RUN(a_segment_is_not_sealed_under_a_writer),
      RUN(a_lock_that_never_comes_free_holds_nobody_up), RUN(a_writer_alone_seals_and_keeps_the_cap),
      RUN(a_full_disk_tears_one_record_only))
