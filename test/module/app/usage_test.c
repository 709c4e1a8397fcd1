/* What trees of processes take: out of made-up ones, and of a real one. */
#include "app/usage.h"

#include "test.h"

#include <unistd.h>

enum { TICKS = 100 };

static void add(struct usage *u, pid_t pid, pid_t parent, pid_t session, uint64_t cpu, uint64_t memory) {
    usage_add(u, &(struct proc_usage){.proc = {.pid = pid, .parent = parent, .start = (uint64_t)pid * 10},
                                      .session = session,
                                      .cpu = cpu,
                                      .memory_bytes = memory});
}

TEST(a_tree_is_what_it_started_and_what_is_in_its_session) {
    struct usage now = {.at_ms = 10000};
    add(&now, 1, 0, 1, 1000, 1);
    add(&now, 100, 1, 100, 5, 10); /* the terminal's shell */
    add(&now, 101, 100, 100, 5, 20);
    add(&now, 102, 101, 102, 5, 40); /* left the session, but not its parent */
    add(&now, 103, 1, 100, 5, 80);   /* lost its parent, but not the session */
    add(&now, 200, 1, 200, 5, 160);  /* somebody else's */
    struct usage_tree t = usage_of(&now, NULL, 100, 1000, TICKS, 1000);
    CHECK_INT(t.processes, 4);
    CHECK_INT(t.memory_bytes, 150);
    CHECK_INT(t.cpu_percent, 20); /* 20 ticks of 100 in a second of life */
    CHECK_INT(usage_of(&now, NULL, 100, 999, TICKS, 1000).processes, 0); /* another one with its number */
    CHECK_INT(usage_of(&now, NULL, 300, 0, TICKS, 1000).processes, 0);
    CHECK_INT(usage_of(&now, NULL, 0, 0, TICKS, 1000).processes, 0);
    usage_fini(&now);
}

TEST(between_two_looks_only_the_difference_counts) {
    struct usage before = {.at_ms = 10000}, now = {.at_ms = 12000};
    add(&before, 100, 1, 100, 1000, 0);
    add(&before, 101, 100, 100, 500, 0);
    add(&now, 100, 1, 100, 1100, 0);
    add(&now, 101, 100, 100, 500, 0);
    add(&now, 102, 100, 100, 60, 0); /* new */
    CHECK_INT(usage_of(&now, &before, 100, 0, TICKS, 1).cpu_percent, 80);
    usage_fini(&before);
    usage_fini(&now);
}

TEST(a_circle_of_parents_ends) {
    struct usage now = {.at_ms = 1};
    add(&now, 10, 11, 1, 0, 0);
    add(&now, 11, 10, 1, 0, 0);
    CHECK_INT(usage_of(&now, NULL, 99, 0, TICKS, 1).processes, 0);
    usage_fini(&now);
}

TEST(a_real_look_finds_us) {
    struct usage now = {0};
    CHECK_INT(usage_look(&now), 0);
    struct usage_tree t = usage_of(&now, NULL, getpid(), 0, proc_ticks_per_second(), 1000);
    CHECK(t.processes >= 1 && t.memory_bytes > 100000);
    usage_fini(&now);
}

TESTS(RUN(a_tree_is_what_it_started_and_what_is_in_its_session),
      RUN(between_two_looks_only_the_difference_counts), RUN(a_circle_of_parents_ends),
      RUN(a_real_look_finds_us))
