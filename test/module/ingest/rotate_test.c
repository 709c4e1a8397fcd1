/* Rotation: segments are sealed and deleted under writers, and nothing is lost. */
#include "follower.h"

#include <sys/file.h>
#include <sys/wait.h>

enum { WRITERS = 4, RECORDS = 300 };

/* Writers take a token before each record, the reader gives one back for each: so a few of them are at work at any
 * time. Tokens that are held make them wait. */
static int tokens[2];
static bool holding;
static int held;
enum { TOKENS = 3 };

static void give_token(struct follower *f UNUSED) {
    if (holding)
        held++;
    else
        CHECK_INT(write(tokens[1], "t", 1), 1);
}

static void write_many(const char *dir, int writer, const struct spool_limits *limits) {
    char text[400];
    for (int i = 0; i < RECORDS; i++) {
        char token;
        if (read(tokens[0], &token, 1) != 1) _exit(2);
        int n = snprintf(text, sizeof text, "{\"w\":%d,\"i\":%d,\"pad\":\"%*s\"}", writer, i,
                         1 + i * 13 % 300, "");
        if (spool_append_within(dir, &(struct iovec){text, (size_t)n}, 1, limits) != 0) _exit(1);
    }
    _exit(0);
}

static void start_writers(const char *dir, const struct spool_limits *limits, pid_t pids[WRITERS]) {
    CHECK_INT(pipe(tokens), 0);
    for (int i = 0; i < TOKENS; i++)
        give_token(NULL);
    for (int w = 0; w < WRITERS; w++) {
        pids[w] = fork();
        CHECK(pids[w] >= 0);
        if (pids[w] == 0) write_many(dir, w, limits);
    }
}

/* Each writer's records are there, each once, in its order, at growing positions. */
static void check_all(const struct follower *f, const pid_t pids[WRITERS]) {
    for (int w = 0; w < WRITERS; w++) {
        int status;
        CHECK_INT(waitpid(pids[w], &status, 0), pids[w]);
        CHECK_INT(status, 0);
    }
    (void)close(tokens[0]);
    (void)close(tokens[1]);
    int next[WRITERS] = {0};
    for (size_t k = 0; k < f->n; k++) {
        int w, i;
        CHECK_INT(sscanf(f->v[k].text, "{\"w\":%d,\"i\":%d,", &w, &i), 2);
        CHECK(w >= 0 && w < WRITERS);
        CHECK_INT(i, next[w]);
        next[w]++;
        CHECK(k == 0 || f->v[k].pos > f->v[k - 1].pos);
    }
    CHECK_INT(f->n, WRITERS * RECORDS);
}

static void forget_everything(struct follower *f) {
    uint64_t position = spool_mark_position(&f->mark);
    if (ingest_has_garbage(f->in, position)) ingest_forget(f->in, position);
}

/* Lets the writers come to rest and waits until the segment is sealed: with nobody in it, it must be. While they are at
 * work, one that the system stops in the middle of a record can prevent that for any length of time. */
static void seal_at_rest(struct follower *f, const char *dir) {
    char active[PATH_MAX];
    (void)snprintf(active, sizeof active, "%s/%s", dir, SPOOL_ACTIVE);
    holding = true;
    while (held < TOKENS && f->n < (size_t)WRITERS * RECORDS)
        (void)uv_run(&f->loop, UV_RUN_ONCE);
    while (access(active, F_OK) == 0)
        (void)uv_run(&f->loop, UV_RUN_ONCE);
    holding = false;
    for (; held; held--)
        give_token(f);
}

TEST(sealing_all_the_time_under_load_loses_nothing) {
    enum { BUSY = 40 };
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct ingest_limits limits = ingest_limits_default;
    limits.seal_bytes = 1; /* after every record that it catches up with */
    limits.poll_ms = 10;
    const struct spool_limits writers = {SPOOL_SEAL_ALONE_BYTES, SPOOL_CAP_BYTES};
    pid_t pids[WRITERS];
    start_writers(t.path, &writers, pids);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, &limits);
    f.on_record = give_token;
    f.on_turn = forget_everything;
    while (f.n < (size_t)WRITERS * RECORDS) {
        follower_await(&f, MIN(f.n + BUSY, (size_t)WRITERS * RECORDS));
        seal_at_rest(&f, t.path);
    }
    check_all(&f, pids);
    follower_drain(&f);
    struct ingest_stats stats;
    ingest_stats(f.in, &stats);
    CHECK(stats.sealed > 20);
    CHECK_INT(stats.torn, 0);
    CHECK_INT(stats.last_error, 0);
    CHECK_INT(count_files(t.path), 0);
    follower_close(&f);
}

TEST(hooks_and_daemon_may_both_seal) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct ingest_limits limits = ingest_limits_default;
    limits.seal_bytes = 700;
    const struct spool_limits writers = {.seal_alone_bytes = 500, .cap_bytes = SPOOL_CAP_BYTES};
    pid_t pids[WRITERS];
    start_writers(t.path, &writers, pids);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, &limits);
    f.on_record = give_token;
    f.on_turn = forget_everything;
    follower_await(&f, (size_t)WRITERS * RECORDS);
    check_all(&f, pids);
    follower_close(&f);
}

TEST(segments_that_hooks_sealed_before_are_read_in_order) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    const struct spool_limits limits = {.seal_alone_bytes = 100, .cap_bytes = SPOOL_CAP_BYTES};
    for (int i = 0; i < 50; i++) {
        char text[64];
        int n = snprintf(text, sizeof text, "{\"i\":%d,\"time\":%d}", i, i * 1000);
        CHECK_INT(spool_append_within(t.path, &(struct iovec){text, (size_t)n}, 1, &limits), 0);
    }
    CHECK(count_files(t.path) > 5);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 50);
    for (int i = 0; i < 50; i++)
        check_number(&f.v[i], i);
    follower_close(&f);
}

TEST(a_segment_renamed_under_the_reader_is_read_to_its_end) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct follower f;
    append_number(t.path, 0);
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 1);
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/active", t.path);
    AUTO(fd) int writer = open(path, O_WRONLY | O_APPEND);
    seal_active(t.path);
    /* A writer that is still in there: the next segment must wait for it. */
    CHECK_INT(flock(writer, LOCK_SH), 0);
    append_number(t.path, 2);
    follower_drain(&f);
    CHECK_INT(f.n, 1);
    static const char late[] = "\n{\"i\":1,\"late\":true}\n";
    CHECK_INT(write(writer, late, sizeof late - 1), sizeof late - 1);
    CHECK_INT(flock(writer, LOCK_UN), 0);
    follower_await(&f, 3);
    for (int i = 0; i < 3; i++)
        check_number(&f.v[i], i);
    follower_close(&f);
}

TEST(a_torn_record_at_the_end_of_a_segment_is_counted) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_MAX];
    append_number(t.path, 0);
    (void)snprintf(path, sizeof path, "%s/active", t.path);
    AUTO(fd) int writer = open(path, O_WRONLY | O_APPEND);
    CHECK_INT(write(writer, "\n{\"torn", 7), 7);
    seal_active(t.path);
    append_number(t.path, 1);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 2);
    check_number(&f.v[1], 1);
    struct ingest_stats stats;
    ingest_stats(f.in, &stats);
    CHECK_INT(stats.torn, 1);
    follower_close(&f);
}

TEST(forgets_only_what_is_wholly_durable) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    uint64_t ends[3];
    for (int i = 0; i < 3; i++) {
        append_number(t.path, i);
        follower_await(&f, (size_t)i + 1);
        seal_active(t.path);
        follower_drain(&f);
        ends[i] = spool_mark_position(&f.mark);
    }
    CHECK_INT(count_files(t.path), 3);
    CHECK(!ingest_has_garbage(f.in, ends[0] - 1));
    ingest_forget(f.in, ends[0] - 1);
    CHECK_INT(count_files(t.path), 3);
    CHECK(ingest_has_garbage(f.in, ends[0]));
    ingest_forget(f.in, ends[1] - 1);
    CHECK_INT(count_files(t.path), 2);
    ingest_forget(f.in, ends[2]);
    CHECK_INT(count_files(t.path), 0);
    CHECK(!ingest_has_garbage(f.in, UINT64_MAX));
    follower_close(&f);
}

TEST(the_active_segment_is_never_forgotten) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct follower f;
    append_number(t.path, 0);
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 1);
    ingest_forget(f.in, UINT64_MAX);
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/active", t.path);
    CHECK_INT(access(path, F_OK), 0);
    follower_close(&f);
}

TEST(bytes_that_nobody_read_are_not_deleted) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct follower f;
    char path[PATH_MAX];
    append_number(t.path, 0);
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 1);
    (void)snprintf(path, sizeof path, "%s/active", t.path);
    AUTO(fd) int writer = open(path, O_WRONLY | O_APPEND);
    seal_active(t.path);
    follower_drain(&f);
    /* Locked: not now. */
    CHECK_INT(flock(writer, LOCK_SH), 0);
    ingest_forget(f.in, UINT64_MAX);
    CHECK_INT(count_files(t.path), 1);
    /* A writer without the lock, behind the end that was taken for certain: its record comes all the same. */
    static const char late[] = "\n{\"i\":1,\"late\":true}\n";
    CHECK_INT(write(writer, late, sizeof late - 1), sizeof late - 1);
    CHECK_INT(flock(writer, LOCK_UN), 0);
    ingest_forget(f.in, UINT64_MAX);
    CHECK_INT(count_files(t.path), 0);
    follower_await(&f, 2);
    check_number(&f.v[1], 1);
    CHECK(f.v[1].pos > f.v[0].pos);
    follower_close(&f);
}

TESTS(RUN(sealing_all_the_time_under_load_loses_nothing), RUN(hooks_and_daemon_may_both_seal),
      RUN(segments_that_hooks_sealed_before_are_read_in_order),
      RUN(a_segment_renamed_under_the_reader_is_read_to_its_end),
      RUN(a_torn_record_at_the_end_of_a_segment_is_counted), RUN(forgets_only_what_is_wholly_durable),
      RUN(the_active_segment_is_never_forgotten), RUN(bytes_that_nobody_read_are_not_deleted))
