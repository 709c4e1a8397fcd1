/* Restarts: from every mark the same records come at the same positions, each once. */
#include "follower.h"

enum { RECORDS = 60, RECORDS_BEFORE_A_SEAL = 7 };

/* A mark after every record. */
static struct ingest_limits one_at_a_time(void) {
    struct ingest_limits limits = ingest_limits_default;
    limits.turn_ns = 0;
    return limits;
}

static void write_spool(const char *dir) {
    for (int i = 0; i < RECORDS; i++) {
        append_number(dir, i);
        if (i % RECORDS_BEFORE_A_SEAL == RECORDS_BEFORE_A_SEAL - 1) seal_active(dir);
    }
}

struct history {
    struct spool_mark marks[RECORDS * 3];
    size_t records[RECORDS * 3]; /* delivered before that mark */
    size_t n;
};

static struct history history;

static void keep_mark(struct follower *f) {
    history.marks[history.n] = f->mark;
    history.records[history.n++] = f->n;
}

/* Reads everything and remembers each mark on the way. */
static void read_all(struct follower *f, const char *dir) {
    struct ingest_limits limits = one_at_a_time();
    history.n = 0;
    follower_open(f, dir, (struct spool_mark){0}, &limits);
    f->on_turn = keep_mark;
    follower_await(f, RECORDS);
    follower_drain(f);
    CHECK_INT(f->n, RECORDS);
    CHECK(history.n >= RECORDS);
}

static void check_rest(const char *dir, const struct follower *all, size_t at, bool forget) {
    struct follower f;
    follower_open(&f, dir, history.marks[at], NULL);
    size_t first = history.records[at];
    follower_drain(&f);
    CHECK_INT(f.n, RECORDS - first);
    for (size_t i = 0; i < f.n; i++) {
        CHECK_STR(f.v[i].text, all->v[first + i].text);
        CHECK_INT(f.v[i].pos, all->v[first + i].pos);
    }
    if (forget) ingest_forget(f.in, spool_mark_position(&history.marks[at]));
    follower_close(&f);
}

TEST(from_every_mark_the_rest_comes_once) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    write_spool(t.path);
    struct follower all;
    read_all(&all, t.path);
    for (size_t at = 0; at < history.n; at++)
        check_rest(t.path, &all, at, false);
    follower_close(&all);
}

TEST(from_every_mark_also_while_segments_are_deleted) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    write_spool(t.path);
    struct follower all;
    read_all(&all, t.path);
    size_t files = count_files(t.path);
    for (size_t at = 0; at < history.n; at++) {
        check_rest(t.path, &all, at, true);
        check_rest(t.path, &all, at, false);
    }
    CHECK(count_files(t.path) < files);
    CHECK_INT(count_files(t.path), 0);
    follower_close(&all);
}

static uint32_t random_state;

static uint32_t random_below(uint32_t n) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % n;
}

/* A daemon that dies again and again: what it had not committed is forgotten with it. */
static void live_and_die(const char *dir, uint32_t seed) {
    random_state = seed;
    struct spool_mark committed = {0};
    int written = 0, kept = 0;
    uint64_t last_pos = 0;
    while (kept < 200) {
        struct ingest_limits limits = one_at_a_time();
        limits.seal_bytes = 50 + random_below(400);
        struct follower f;
        follower_open(&f, dir, committed, &limits);
        size_t kept_here = 0;
        for (uint32_t steps = random_below(40); steps > 0; steps--) {
            if (written < 200 && random_below(2)) append_number(dir, written++);
            if (random_below(12) == 0) seal_active(dir);
            ingest_poke(f.in);
            (void)uv_run(&f.loop, UV_RUN_NOWAIT);
            if (random_below(5) == 0) {
                committed = f.mark;
                for (; kept_here < f.n; kept_here++) {
                    check_number(&f.v[kept_here], kept++);
                    CHECK(f.v[kept_here].pos > last_pos);
                    last_pos = f.v[kept_here].pos;
                }
            }
            if (random_below(5) == 0) ingest_forget(f.in, spool_mark_position(&committed));
        }
        follower_close(&f);
    }
    CHECK_INT(kept, 200);
}

TEST(a_daemon_that_dies_again_and_again_loses_and_repeats_nothing) {
    for (uint32_t seed = 1; seed <= 8; seed++) {
        AUTO(temp_dir) struct temp_dir t = temp_dir_make();
        live_and_die(t.path, seed);
    }
}

TEST(a_lost_tail_does_not_turn_back_time) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/active", t.path);
    struct follower f;
    follower_open(&f, t.path, (struct spool_mark){0}, NULL);
    for (int i = 0; i < RECORDS; i++)
        append_number(t.path, i);
    follower_await(&f, RECORDS);
    follower_drain(&f);
    struct spool_mark mark = f.mark;
    uint64_t last = f.v[RECORDS - 1].pos;
    follower_close(&f);

    CHECK_INT(truncate(path, SPOOL_FINGERPRINT_BYTES + 100), 0);
    struct follower g;
    follower_open(&g, t.path, mark, NULL);
    follower_drain(&g);
    CHECK_INT(g.n, 0);
    CHECK(spool_mark_position(&g.mark) == spool_mark_position(&mark));
    /* The short one was closed off, so that the next start, from the old mark, finds the same end. */
    CHECK_INT(count_files(t.path), 1);
    append_number(t.path, RECORDS);
    follower_await(&g, 1);
    check_number(&g.v[0], RECORDS);
    CHECK(g.v[0].pos > last);
    uint64_t pos = g.v[0].pos;
    follower_close(&g);

    struct follower h;
    follower_open(&h, t.path, mark, NULL);
    follower_await(&h, 1);
    CHECK_INT(h.v[0].pos, pos);
    follower_close(&h);
}

TEST(a_spool_deleted_while_nobody_looked_begins_behind_the_mark) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    append_text(t.path, "{\"i\":0,\"other\":\"spool\"}");
    const struct spool_mark mark = {.base = 1000, .off = 500, .fingerprint = 42};
    struct follower f;
    follower_open(&f, t.path, mark, NULL);
    follower_await(&f, 1);
    CHECK_INT(f.v[0].pos, 1501);
    CHECK_INT(f.mark.base, 1500);
    follower_close(&f);
}

TESTS(RUN(from_every_mark_the_rest_comes_once), RUN(from_every_mark_also_while_segments_are_deleted),
      RUN(a_daemon_that_dies_again_and_again_loses_and_repeats_nothing),
      RUN(a_lost_tail_does_not_turn_back_time),
      RUN(a_spool_deleted_while_nobody_looked_begins_behind_the_mark))
