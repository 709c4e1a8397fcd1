/* The order in which transcripts are looked after, as it is told. With one thread, files are done as they were taken. */
#include "mend_fixture.h"

static void one_thread_open(struct fixture *f) {
    CHECK_INT(setenv("UV_THREADPOOL_SIZE", "1", 1), 0); /* read when the pool is used first */
    fixture_open(f, true);
}

static void check_order(struct fixture *f, const int *sessions, size_t n) {
    await(f, n);
    for (size_t i = 0; i < n; i++)
        CHECK_INT(f->told[i].session, sessions[i]);
    await_rest(f);
    CHECK_INT(f->n, n);
}

TEST(the_most_urgent_first) {
    struct fixture f;
    one_thread_open(&f);
    static const enum mend_priority wanted[] = {MEND_DISK,       MEND_DISK,    MEND_DISK,    MEND_BACKGROUND,
                                                MEND_BACKGROUND, MEND_VISIBLE, MEND_VISIBLE, MEND_ACTIVE,
                                                MEND_ACTIVE,     MEND_DISK};
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        write_session(&f, (int)i, i % 2 ? BROKEN_TEXT : HEALTHY_TEXT);
        look(&f, (int)i, wanted[i]);
    }
    /* Two of those that nobody asked for and one more are under way at once; then what is urgent. */
    static const int expected[] = {0, 1, 3, 7, 8, 5, 6, 4, 2, 9};
    check_order(&f, expected, ARRAY_LEN(expected));
    for (size_t i = 0; i < f.n; i++)
        CHECK_INT(f.told[i].outcome.mend.status,
                  f.told[i].session % 2 ? MEND_REPAIRED : MEND_ALREADY_HEALTHY);
    fixture_close(&f);
}

TEST(moved_to_the_front) {
    struct fixture f;
    one_thread_open(&f);
    for (int i = 0; i < 12; i++) {
        write_session(&f, i, HEALTHY_TEXT);
        look(&f, i, MEND_DISK);
    }
    look(&f, 9, MEND_BACKGROUND);
    look(&f, 10, MEND_DISK); /* no more urgent than it was */
    look(&f, 7, MEND_VISIBLE);
    struct waiter w;
    (void)wait_for(&f, 11, 30000, &w);
    static const int expected[] = {0, 1, 9, 11, 7, 2, 3, 4, 5, 6, 8, 10};
    check_order(&f, expected, ARRAY_LEN(expected));
    CHECK_INT(w.calls, 1);
    fixture_close(&f);
}

TEST(asked_for_at_more_urgency_while_under_way_it_is_done_again) {
    struct fixture f;
    one_thread_open(&f);
    write_session(&f, 1, STOP_HOOK_TEXT);
    look(&f, 1, MEND_DISK);
    look(&f, 1, MEND_DISK);
    look(&f, 1, MEND_ACTIVE);
    look(&f, 1, MEND_VISIBLE);
    static const int expected[] = {1, 1};
    check_order(&f, expected, ARRAY_LEN(expected));
    CHECK(f.told[0].outcome.scan.stop_hook_inline && f.told[0].outcome.mend.status == MEND_ALREADY_HEALTHY);
    CHECK(!f.told[1].outcome.scan.stop_hook_inline && f.told[1].outcome.mend.stop_hooks_fixed == 1);
    fixture_close(&f);
}

TEST(a_walk_over_the_disk) {
    enum { FILES = 40 };
    struct fixture f;
    one_thread_open(&f);
    for (int i = 0; i < FILES; i++)
        write_session(&f, i, i % 4 ? HEALTHY_TEXT : BROKEN_TEXT);
    tree_write(&f.dir, "claude/projects/p/notes.txt", "no transcript");
    mend_queue_walk(&f.q);
    while (f.q.walk)
        turn(&f);
    look(&f, FILES - 1, MEND_VISIBLE); /* somebody comes */
    await(&f, FILES);
    bool early = false, seen[FILES] = {false};
    for (size_t i = 0; i < f.n; i++) {
        CHECK(!seen[f.told[i].session]);
        seen[f.told[i].session] = true;
        CHECK_INT(f.told[i].outcome.mend.orphans_fixed, f.told[i].session % 4 == 0);
        early |= i <= MEND_AT_ONCE && f.told[i].session == FILES - 1;
    }
    CHECK(early);
    await_rest(&f);
    /* What is known to be well is passed over. */
    mend_queue_walk(&f.q);
    await_rest(&f);
    CHECK_INT(f.n, FILES);
    write_session(&f, 5, BROKEN_TEXT);
    mend_queue_walk(&f.q);
    await_rest(&f);
    CHECK_INT(f.n, FILES + 1);
    CHECK_INT(f.told[FILES].session, 5);
    fixture_close(&f);
}

TESTS(RUN(the_most_urgent_first), RUN(moved_to_the_front),
      RUN(asked_for_at_more_urgency_while_under_way_it_is_done_again), RUN(a_walk_over_the_disk))
