/* Real processes that are asked to end, and those that will not. */
#include "app/kill.h"

#include "child.h"

enum { NEVER_MS = 1000000000, SOON_MS = 30 };

struct fixture {
    uv_loop_t loop;
    struct kills kills;
};

static void fixture_open(struct fixture *f, uint64_t grace_ms) {
    CHECK_INT(uv_loop_init(&f->loop), 0);
    kills_open(&f->kills, &f->loop);
    f->kills.grace_ms = grace_ms;
}

/* Returns when nothing is left to wait for. */
static void fixture_run(struct fixture *f) {
    CHECK_INT(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    CHECK(list_empty(&f->kills.running));
}

static void fixture_close(struct fixture *f) {
    kills_close(&f->kills);
    fixture_run(f);
    CHECK_INT(uv_loop_close(&f->loop), 0);
}

static void ignore_term(void) {
    (void)signal(SIGTERM, SIG_IGN);
}

TEST(who_is_asked_ends) {
    struct fixture f;
    fixture_open(&f, NEVER_MS);
    struct child c = child_start(NULL);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), 0);
    fixture_run(&f);                                         /* its end is noticed, not waited for */
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), -ESRCH); /* not reaped yet, but dead */
    CHECK_INT(child_reap(&c), SIGTERM);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), -ESRCH);
    fixture_close(&f);
}

TEST(who_does_not_listen_is_killed) {
    struct fixture f;
    fixture_open(&f, SOON_MS);
    struct child c = child_start(ignore_term);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), 0);
    fixture_run(&f);
    CHECK_INT(child_reap(&c), SIGKILL);
    fixture_close(&f);
}

TEST(a_number_alone_may_be_anybodys) {
    struct fixture f;
    fixture_open(&f, NEVER_MS);
    struct child c = child_start(NULL);
    CHECK_INT(kill_start(&f.kills, c.pid, 0), -ESRCH);
    CHECK(list_empty(&f.kills.running));
    fixture_close(&f);
    CHECK(proc_alive(c.pid, c.start));
    child_end(&c);
}

TEST(somebody_else_with_the_pid_is_left_alone) {
    struct fixture f;
    fixture_open(&f, SOON_MS);
    struct child c = child_start(NULL);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start + 1), -ESRCH);
    CHECK(list_empty(&f.kills.running));
    fixture_close(&f);
    CHECK(proc_alive(c.pid, c.start));
    child_end(&c);
}

static uint64_t start_of(pid_t pid) {
    struct proc p;
    CHECK_INT(proc_read(pid, &p), 0);
    return p.start;
}

TEST(what_is_not_ours_is_not_ended) {
    struct fixture f;
    fixture_open(&f, SOON_MS);
    uint64_t first = start_of(1), self = start_of(getpid());
    if (first)
        CHECK_INT(kill_start(&f.kills, 1, first), -EPERM); /* it may have begun in the first tick of all */
    CHECK_INT(kill_start(&f.kills, getpid(), self), -EPERM);
    CHECK_INT(kill_start(&f.kills, 0, self), -ESRCH);
    CHECK_INT(kill_start(&f.kills, -1, self), -ESRCH);
    CHECK_INT(kill_start(&f.kills, INT64_C(1) << 32 | getpid(), self), -ESRCH);
    CHECK(list_empty(&f.kills.running));
    fixture_close(&f);
}

static struct child target;

/* As another user. */
static void try_it(void) {
    struct fixture f;
    if (setuid(65534) < 0) _exit(2);
    fixture_open(&f, SOON_MS);
    _exit(kill_start(&f.kills, target.pid, target.start) == -EPERM && list_empty(&f.kills.running) ? 0 : 1);
}

TEST(another_users_process_is_not_ours) {
    if (geteuid() != 0) skip();
    struct child c = child_start(NULL);
    target = c;
    pid_t other = fork();
    if (other == 0) try_it();
    int status;
    CHECK_INT(waitpid(other, &status, 0), other);
    CHECK_INT(status, 0);
    CHECK(proc_alive(c.pid, c.start));
    child_end(&c);
}

TEST(asking_twice_is_asking_once) {
    struct fixture f;
    fixture_open(&f, SOON_MS);
    struct child c = child_start(ignore_term);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), 0);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), 0);
    CHECK(f.kills.running.next == f.kills.running.prev);
    fixture_run(&f);
    CHECK_INT(child_reap(&c), SIGKILL);
    fixture_close(&f);
}

TEST(several_at_a_time) {
    struct fixture f;
    fixture_open(&f, SOON_MS);
    struct child meek = child_start(NULL), stubborn = child_start(ignore_term);
    CHECK_INT(kill_start(&f.kills, meek.pid, meek.start), 0);
    CHECK_INT(kill_start(&f.kills, stubborn.pid, stubborn.start), 0);
    fixture_run(&f);
    CHECK_INT(child_reap(&meek), SIGTERM);
    CHECK_INT(child_reap(&stubborn), SIGKILL);
    fixture_close(&f);
}

TEST(closing_calls_it_off) {
    struct fixture f;
    fixture_open(&f, NEVER_MS);
    struct child c = child_start(ignore_term), d = child_start(ignore_term);
    CHECK_INT(kill_start(&f.kills, c.pid, c.start), 0);
    CHECK_INT(kill_start(&f.kills, d.pid, d.start), 0);
    fixture_close(&f);
    CHECK(proc_alive(c.pid, c.start) && proc_alive(d.pid, d.start));
    child_end(&c);
    child_end(&d);
}

TESTS(RUN(who_is_asked_ends), RUN(who_does_not_listen_is_killed), RUN(a_number_alone_may_be_anybodys),
      RUN(somebody_else_with_the_pid_is_left_alone), RUN(what_is_not_ours_is_not_ended),
      RUN(another_users_process_is_not_ours), RUN(asking_twice_is_asking_once), RUN(several_at_a_time),
      RUN(closing_calls_it_off))
