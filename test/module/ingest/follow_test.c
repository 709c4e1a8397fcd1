/* Following: what is delivered, and where it lies. */
#include "follower.h"

#include <errno.h>

TEST(delivers_what_was_there_and_what_comes) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct follower f;
    append_text(t.path, "{\"a\":1}");
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    CHECK_INT(f.n, 0); /* not from within ingest_open() */
    follower_await(&f, 1);
    CHECK_STR(f.v[0].text, "{\"a\":1}");
    CHECK_INT(f.v[0].pos, 1);
    CHECK_INT(spool_mark_position(&f.mark), 9);
    append_text(t.path, "{\"b\":2}");
    follower_await(&f, 2);
    CHECK_STR(f.v[1].text, "{\"b\":2}");
    CHECK_INT(f.v[1].pos, 10);
    follower_close(&f);
}

TEST(the_file_systems_notice_is_enough) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct ingest_limits limits = ingest_limits_default;
    limits.poll_ms = 1000 * FOLLOWER_PATIENCE_MS;
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, &limits);
    follower_drain(&f);
    for (int i = 0; i < 20; i++) {
        append_number(t.path, i);
        follower_await(&f, (size_t)i + 1);
        check_number(&f.v[i], i);
    }
    follower_close(&f);
}

TEST(garbage_and_torn_records_are_lines_like_others) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/active", t.path);
    AUTO(fd) int fd = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    static const char bytes[] = "garbage\n\n\n\n\xff\xfe\0\x01\n\n{\"torn\":";
    CHECK_INT(write(fd, bytes, sizeof bytes - 1), sizeof bytes - 1);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 2);
    follower_drain(&f);
    struct ingest_stats stats;
    ingest_stats(f.in, &stats);
    CHECK(stats.partial);
    CHECK_INT(f.n, 2);
    append_text(t.path, "{\"whole\":1}");
    follower_await(&f, 4);
    CHECK_STR(f.v[0].text, "garbage");
    CHECK_STR(f.v[2].text, "{\"torn\":");
    CHECK_STR(f.v[3].text, "{\"whole\":1}");
    ingest_stats(f.in, &stats);
    CHECK(!stats.partial);
    CHECK_INT(stats.records, 4);
    follower_close(&f);
}

TEST(a_record_too_long_is_skipped_and_counted) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct ingest_limits limits = ingest_limits_default;
    limits.record_max = 1000;
    char *text = xmalloc(400001);
    memset(text, 'x', 400000);
    const size_t sizes[] = {1000, 1001, 400000};
    append_text(t.path, "{\"first\":1}");
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        CHECK_INT(spool_append(t.path, &(struct iovec){text, sizes[i]}, 1), 0);
    append_text(t.path, "{\"last\":1}");
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, &limits);
    follower_await(&f, 3);
    CHECK_INT(strlen(f.v[1].text), 1000);
    CHECK_STR(f.v[2].text, "{\"last\":1}");
    CHECK_INT(f.v[2].pos, 13 + 1002 + 1003 + 400002 + 1);
    struct ingest_stats stats;
    ingest_stats(f.in, &stats);
    CHECK_INT(stats.oversized, 2);
    CHECK_INT(stats.records, 3);
    follower_close(&f);
    free(text);
}

TEST(a_large_record_comes_whole) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    size_t n = SPOOL_RECORD_MAX;
    char *text = xmalloc(n);
    memset(text, 'x', n);
    CHECK_INT(spool_append(t.path, &(struct iovec){text, n}, 1), 0);
    append_text(t.path, "{}");
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 2);
    CHECK_INT(strlen(f.v[0].text), n);
    follower_close(&f);
    free(text);
}

static void pause_after_three(struct follower *f) {
    if (f->n == 3) ingest_pause(f->in, true);
}

TEST(a_paused_reader_waits) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    for (int i = 0; i < 10; i++)
        append_number(t.path, i);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    f.on_record = pause_after_three;
    follower_await(&f, 3);
    follower_drain(&f);
    CHECK_INT(f.n, 3);
    ingest_pause(f.in, false);
    follower_await(&f, 10);
    for (int i = 0; i < 10; i++)
        check_number(&f.v[i], i);
    follower_close(&f);
}

static void close_at_once(struct follower *f) {
    ingest_close(f->in);
}

TEST(closing_from_within_a_record_ends_it) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    append_number(t.path, 0);
    append_number(t.path, 1);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    f.on_record = close_at_once;
    follower_await(&f, 1);
    CHECK_INT(f.n, 1);
    CHECK_INT(f.turns, 0);
    uv_close((uv_handle_t *)&f.patience, NULL);
    (void)uv_run(&f.loop, UV_RUN_DEFAULT);
    CHECK_INT(uv_loop_close(&f.loop), 0);
    free(f.v[0].text);
    free(f.v);
}

TEST(a_turn_takes_its_share_only) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    static char text[10000];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 200; i++)
        CHECK_INT(spool_append(t.path, &(struct iovec){text, sizeof text}, 1), 0);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    follower_await(&f, 200);
    /* 2 MB at 256 KiB a turn. */
    CHECK(f.turns >= 6);
    follower_close(&f);
}

TEST(a_deleted_spool_is_made_again) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct ingest_limits limits = ingest_limits_default;
    limits.poll_ms = 20;
    char dir[PATH_MAX];
    (void)snprintf(dir, sizeof dir, "%s/spool", t.path);
    struct follower f;
    follower_open(&f, dir, (struct spool_mark){0}, &limits);
    append_number(dir, 0);
    follower_await(&f, 1);
    for (int i = 1; i < 5; i++) {
        temp_dir_remove(dir);
        if (i % 2) /* sometimes the reader is the first to notice, sometimes a writer */
            while (access(dir, F_OK) < 0)
                (void)uv_run(&f.loop, UV_RUN_ONCE);
        append_number(dir, i);
        follower_await(&f, (size_t)i + 1);
        check_number(&f.v[i], i);
        CHECK(f.v[i].pos > f.v[i - 1].pos);
    }
    follower_close(&f);
}

TEST(an_unreadable_spool_is_reported_and_recovers) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct ingest_limits limits = ingest_limits_default;
    limits.poll_ms = 20;
    char dir[PATH_MAX], aside[PATH_MAX];
    (void)snprintf(dir, sizeof dir, "%s/spool", t.path);
    (void)snprintf(aside, sizeof aside, "%s/aside", t.path);
    append_number(dir, 0);
    CHECK_INT(rename(dir, aside), 0);
    struct follower f;
    follower_open(&f, dir, (struct spool_mark){0}, &limits);
    CHECK_INT(rmdir(dir), 0);
    AUTO(fd) int file = open(dir, O_CREAT | O_WRONLY, 0600);
    CHECK(file >= 0);
    struct ingest_stats stats = {0};
    while (stats.last_error == 0) {
        (void)uv_run(&f.loop, UV_RUN_ONCE);
        ingest_stats(f.in, &stats);
    }
    CHECK_INT(stats.last_error, -ENOTDIR);
    CHECK_INT(unlink(dir), 0);
    CHECK_INT(rename(aside, dir), 0);
    follower_await(&f, 1);
    follower_drain(&f);
    ingest_stats(f.in, &stats);
    CHECK_INT(stats.last_error, 0);
    follower_close(&f);
}

TESTS(RUN(delivers_what_was_there_and_what_comes), RUN(the_file_systems_notice_is_enough),
      RUN(garbage_and_torn_records_are_lines_like_others), RUN(a_record_too_long_is_skipped_and_counted),
      RUN(a_large_record_comes_whole), RUN(a_paused_reader_waits), RUN(closing_from_within_a_record_ends_it),
      RUN(a_turn_takes_its_share_only), RUN(a_deleted_spool_is_made_again),
      RUN(an_unreadable_spool_is_reported_and_recovers))
