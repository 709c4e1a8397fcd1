/* The queue with real files and a real database: who is told what, and who waits how long. */
#include "mend_fixture.h"

enum { LONG_MS = 30000 };

TEST(what_became_of_it_is_told) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, HEALTHY_TEXT);
    write_session(&f, 2, BROKEN_TEXT);
    look(&f, 1, MEND_VISIBLE);
    await(&f, 1);
    CHECK(f.told[0].session == 1 && f.told[0].has_path && !f.told[0].waits);
    CHECK_INT(f.told[0].outcome.scan.status, TRANSCRIPT_HEALTHY);
    CHECK_INT(f.told[0].outcome.scan.depth, 2);
    CHECK_INT(f.told[0].outcome.mend.status, MEND_ALREADY_HEALTHY);
    look(&f, 2, MEND_VISIBLE);
    await(&f, 2);
    CHECK_INT(f.told[1].session, 2);
    CHECK_INT(f.told[1].outcome.mend.status, MEND_REPAIRED);
    CHECK_INT(f.told[1].outcome.mend.orphans_fixed, 1);
    CHECK_INT(f.told[1].outcome.scan.status, TRANSCRIPT_HEALTHY);
    AUTO(free) char *text = tree_read(&f.dir, name_of(2).file);
    CHECK(strstr(text, "\"parentUuid\":\"r\"   ,\"type\":\"assistant\"") != NULL);
    /* Asked for again, it is known. */
    look(&f, 2, MEND_VISIBLE);
    await(&f, 3);
    CHECK(f.told[2].outcome.cached && f.told[2].outcome.mend.status == MEND_ALREADY_HEALTHY);
    fixture_close(&f);
}

TEST(what_is_missing) {
    struct fixture f;
    fixture_open(&f, true);
    struct waiter w;
    look(&f, 1, MEND_BACKGROUND);
    await(&f, 1);
    CHECK(!f.told[0].has_path && !f.told[0].waits);
    CHECK_INT(f.told[0].outcome.scan.status, TRANSCRIPT_MISSING);
    CHECK_INT(f.told[0].outcome.mend.status, MEND_FAILED);
    (void)wait_for(&f, 1, LONG_MS, &w);
    await_waiter(&f, &w, 0);
    CHECK_INT(w.told.outcome.scan.status, TRANSCRIPT_MISSING);
    fixture_close(&f);
}

TEST(a_path_is_believed_only_where_it_can_be_true) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, HEALTHY_TEXT);
    char outside[PATH_BYTES], up[PATH_BYTES];
    struct tree_path other = tree_at(&f.dir, name_of(1).file);
    (void)snprintf(outside, sizeof outside, "%s/%s.jsonl", f.dir.path, name_of(2).id);
    (void)snprintf(up, sizeof up, "%s/claude/projects/../../%s.jsonl", f.dir.path, name_of(2).id);
    tree_write(&f.dir, outside + strlen(f.dir.path) + 1, BROKEN_TEXT);
    const char *const paths[] = {outside, up, other.p, "", "relative.jsonl"};
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        mend_queue_look(&f.q, span_str(name_of(2).id), paths[i], MEND_ACTIVE);
        await(&f, i + 1);
        CHECK_INT(f.told[i].outcome.scan.status, TRANSCRIPT_MISSING);
    }
    AUTO(free) char *text = tree_read(&f.dir, outside + strlen(f.dir.path) + 1);
    CHECK_STR(text, BROKEN_TEXT);
    fixture_close(&f);
}

TEST(those_who_wait_are_answered) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, BROKEN_TEXT);
    struct waiter first, second, none;
    (void)wait_for(&f, 1, LONG_MS, &first);
    (void)wait_for(&f, 1, LONG_MS, &second);
    mend_wait_cancel(wait_for(&f, 1, LONG_MS, &none));
    await_waiter(&f, &first, 0);
    await_waiter(&f, &second, 0);
    CHECK_INT(first.told.outcome.mend.orphans_fixed, 1);
    CHECK_INT(second.told.outcome.mend.orphans_fixed, 1);
    await_rest(&f);
    CHECK_INT(none.calls, 0);
    CHECK_INT(f.n, 1); /* one look for all of them */
    fixture_close(&f);
}

TEST(who_waits_wants_all_that_can_be_done) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, STOP_HOOK_TEXT);
    struct waiter w;
    look(&f, 1, MEND_BACKGROUND); /* which leaves the stop hook alone, and is under way */
    (void)wait_for(&f, 1, LONG_MS, &w);
    await_waiter(&f, &w, 0);
    CHECK_INT(w.told.outcome.mend.stop_hooks_fixed, 1);
    CHECK(!w.told.outcome.scan.stop_hook_inline);
    CHECK_INT(f.n, 2);
    CHECK(f.told[0].outcome.scan.stop_hook_inline);
    fixture_close(&f);
}

/* An agent that goes on writing */

struct writer {
    uv_timer_t timer;
    const struct fixture *f;
    int session;
};

static void on_write(uv_timer_t *timer) {
    const struct writer *w = CONTAINER_OF(timer, struct writer, timer);
    touch(w->f, w->session, 0);
}

static void writer_start(struct writer *w, struct fixture *f, int session) {
    w->f = f;
    w->session = session;
    touch(f, session, 0);
    CHECK_INT(uv_timer_init(&f->loop, &w->timer), 0);
    CHECK_INT(uv_timer_start(&w->timer, on_write, 10, 10), 0);
}

TEST(what_is_being_written_to_is_left_alone_until_it_settles) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, BROKEN_TEXT);
    struct writer writer;
    struct waiter w;
    writer_start(&writer, &f, 1);
    (void)wait_for(&f, 1, MEND_RETRY_MS * 3, &w);
    await_waiter(&f, &w, -ETIMEDOUT);
    CHECK_INT(f.n, 1); /* though it was tried more than once */
    CHECK(f.told[0].waits && f.told[0].has_path);
    CHECK_INT(f.told[0].outcome.scan.status, TRANSCRIPT_CORRUPTED);
    AUTO(free) char *before = tree_read(&f.dir, name_of(1).file);
    CHECK_STR(before, BROKEN_TEXT);
    uv_close((uv_handle_t *)&writer.timer, NULL);
    touch(&f, 1, 3600);
    await(&f, 2); /* by itself */
    CHECK_INT(f.told[1].outcome.mend.orphans_fixed, 1);
    fixture_close(&f);
}

TEST(asked_for_again_it_is_tried_at_once) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, BROKEN_TEXT);
    touch(&f, 1, 0);
    look(&f, 1, MEND_BACKGROUND);
    await(&f, 1);
    CHECK(f.told[0].waits);
    touch(&f, 1, 3600);
    struct waiter w;
    (void)wait_for(&f, 1, LONG_MS, &w);
    CHECK(list_empty(&f.q.later) && f.q.running == 1);
    await_waiter(&f, &w, 0);
    CHECK_INT(w.told.outcome.mend.orphans_fixed, 1);
    CHECK(!w.told.waits);
    fixture_close(&f);
}

TEST(a_healthy_one_need_not_settle) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, HEALTHY_TEXT);
    touch(&f, 1, 0);
    struct waiter w;
    (void)wait_for(&f, 1, LONG_MS, &w);
    await_waiter(&f, &w, 0);
    CHECK_INT(w.told.outcome.scan.status, TRANSCRIPT_HEALTHY);
    fixture_close(&f);
}

/* The end */

TEST(whoever_waits_when_it_closes_is_told) {
    struct fixture f;
    fixture_open(&f, true);
    write_session(&f, 1, BROKEN_TEXT);
    write_session(&f, 2, BROKEN_TEXT);
    touch(&f, 1, 0);
    struct waiter later, running, after;
    (void)wait_for(&f, 1, LONG_MS, &later);
    await(&f, 1);
    (void)wait_for(&f, 2, LONG_MS, &running);
    mend_queue_close(&f.q);
    CHECK(later.calls == 1 && later.result == -ECANCELED);
    CHECK(running.calls == 1 && running.result == -ECANCELED);
    (void)wait_for(&f, 2, LONG_MS, &after);
    uv_close((uv_handle_t *)&f.patience, NULL);
    (void)uv_run(&f.loop, UV_RUN_DEFAULT);
    CHECK(after.calls == 1 && after.result == -ECANCELED);
    CHECK(later.calls == 1 && running.calls == 1);
    CHECK_INT(f.n, 1);
    CHECK_INT(uv_loop_close(&f.loop), 0);
    mend_queue_free(&f.q);
    temp_dir_remove(f.dir.path);
}

TEST(without_a_database_nobody_waits) {
    struct fixture f;
    fixture_open(&f, false);
    write_session(&f, 1, BROKEN_TEXT);
    struct waiter w;
    look(&f, 1, MEND_ACTIVE);
    mend_queue_walk(&f.q);
    (void)wait_for(&f, 1, LONG_MS, &w);
    await_waiter(&f, &w, -ECANCELED);
    CHECK_INT(f.n, 1); /* who looks is told that there is nothing to be had */
    AUTO(free) char *text = tree_read(&f.dir, name_of(1).file);
    CHECK_STR(text, BROKEN_TEXT);
    fixture_close(&f);
}

/* Large files */

enum { HUGE_BYTES = 70 << 20 };

static void write_huge(const struct fixture *f, int session) {
    AUTO(file) FILE *out = fopen(tree_at(&f->dir, name_of(session).file).p, "we");
    CHECK(out != NULL);
    size_t bytes = 0;
    for (int i = 0; bytes < HUGE_BYTES; i++) {
        int n = fprintf(out, "{\"parentUuid\":%d,\"uuid\":%d,\"message\":{\"content\":\"%01000d\"}}\n", i,
                        i + 1, i);
        CHECK(n > 0);
        bytes += (size_t)n;
    }
    CHECK_INT(fclose(TAKE(out)), 0);
    touch(f, session, 3600);
}

TEST(a_small_one_does_not_wait_for_large_ones) {
    struct fixture f;
    fixture_open(&f, true);
    write_huge(&f, 1);
    CHECK_INT(link(tree_at(&f.dir, name_of(1).file).p, tree_at(&f.dir, name_of(2).file).p), 0);
    write_session(&f, 3, HEALTHY_TEXT);
    look(&f, 1, MEND_ACTIVE);
    look(&f, 2, MEND_ACTIVE);
    look(&f, 3, MEND_ACTIVE);
    await(&f, 1);
    CHECK_INT(f.told[0].session, 3);
    /* And one that comes while they are at it. */
    while (!f.q.running_large)
        turn(&f);
    write_session(&f, 4, BROKEN_TEXT);
    struct waiter w;
    (void)wait_for(&f, 4, LONG_MS, &w);
    await_waiter(&f, &w, 0);
    CHECK_INT(f.n, 2);
    await(&f, 4);
    CHECK_INT(f.told[2].session + f.told[3].session, 1 + 2);
    CHECK(f.told[2].outcome.scan.depth == f.told[3].outcome.scan.depth &&
          f.told[2].outcome.scan.depth > 60000);
    CHECK_INT(f.told[2].outcome.scan.status, TRANSCRIPT_HEALTHY);
    fixture_close(&f);
}

TEST(a_large_one_is_given_up_when_it_closes) {
    struct fixture f;
    fixture_open(&f, true);
    write_huge(&f, 1);
    struct waiter w;
    (void)wait_for(&f, 1, LONG_MS, &w);
    while (!f.q.running_large)
        turn(&f);
    fixture_close(&f);
    CHECK(w.calls == 1 && w.result == -ECANCELED);
    CHECK_INT(f.n, 0);
}

TESTS(RUN(what_became_of_it_is_told), RUN(what_is_missing), RUN(a_path_is_believed_only_where_it_can_be_true),
      RUN(those_who_wait_are_answered), RUN(who_waits_wants_all_that_can_be_done),
      RUN(what_is_being_written_to_is_left_alone_until_it_settles), RUN(asked_for_again_it_is_tried_at_once),
      RUN(a_healthy_one_need_not_settle), RUN(whoever_waits_when_it_closes_is_told),
      RUN(without_a_database_nobody_waits), RUN(a_small_one_does_not_wait_for_large_ones),
      RUN(a_large_one_is_given_up_when_it_closes))
