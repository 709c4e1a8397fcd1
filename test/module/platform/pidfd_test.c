/* Real processes: held, signalled, and told apart from others with their pid. */
#include "platform/pidfd.h"

#include "base/cleanup.h"
#include "child.h"

#include <poll.h>

static void await_end(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    CHECK_INT(poll(&p, 1, 20000), 1);
}

static bool lives(const struct child *c) {
    return proc_alive(c->pid, c->start);
}

TEST(a_held_process_tells_its_end) {
    struct child c = child_start(NULL);
    AUTO(fd) int fd = pidfd_hold(c.pid, c.start);
    AUTO(fd) int any = pidfd_hold(c.pid, 0);
    CHECK(fd >= 0 && any >= 0);
    CHECK_INT(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0), 0);
    CHECK_INT(pidfd_signal(fd, c.pid, c.start, SIGTERM), 0);
    await_end(fd);
    CHECK_INT(pidfd_signal(any, c.pid, c.start, SIGTERM), -ESRCH); /* dead, though not reaped */
    CHECK_INT(pidfd_hold(c.pid, c.start), -ESRCH);
    CHECK_INT(child_reap(&c), SIGTERM);
    CHECK_INT(pidfd_signal(fd, c.pid, c.start, SIGTERM), -ESRCH);
    CHECK_INT(pidfd_hold(c.pid, 0), -ESRCH);
}

TEST(another_start_is_another_process) {
    struct child c = child_start(NULL);
    CHECK_INT(pidfd_hold(c.pid, c.start + 1), -ESRCH);
    CHECK_INT(pidfd_hold(c.pid, c.start - 1), -ESRCH);
    CHECK_INT(pidfd_signal(-1, c.pid, c.start + 1, SIGKILL), -ESRCH);
    CHECK(lives(&c));
    child_end(&c);
}

TEST(numbers_that_are_no_process) {
    CHECK_INT(pidfd_hold(0, 0), -ESRCH);
    CHECK_INT(pidfd_hold(-5, 0), -ESRCH);
    CHECK_INT(pidfd_hold(INT64_C(1) << 32 | 1, 0), -ESRCH);
    CHECK_INT(pidfd_signal(-1, INT64_C(1) << 32 | 2, 0, SIGKILL), -ESRCH);
}

TEST(without_a_free_descriptor_nothing_is_said_of_it) {
    struct child c = child_start(NULL);
    struct rlimit was = no_more_files();
    int held = pidfd_hold(c.pid, c.start);
    int signalled = pidfd_signal(-1, c.pid, c.start, SIGKILL);
    bool alive = proc_alive(c.pid, c.start + 1);
    files_again(&was);
    CHECK_INT(held, -EMFILE);
    CHECK_INT(signalled, -EMFILE); /* who it is could not be seen, so it was not done */
    CHECK(alive);
    CHECK(lives(&c));
    child_end(&c);
}

/* A process with a child, which says its pid through a pipe. */
static int told[2];

static void have_a_child(void) {
    pid_t pid = fork();
    while (pid == 0)
        (void)pause();
    if (write(told[1], &pid, sizeof pid) != sizeof pid) _exit(1);
}

static void lead_a_group(void) {
    (void)setpgid(0, 0);
    have_a_child();
}

struct family {
    struct child parent;
    pid_t child;
    int child_fd;
};

static struct family start_family(void (*prepare)(void)) {
    struct family f;
    CHECK_INT(pipe2(told, O_CLOEXEC), 0);
    /* Grandchildren come to us when their parent is gone. */
    CHECK_INT(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    f.parent = child_start(prepare);
    CHECK_INT(read(told[0], &f.child, sizeof f.child), sizeof f.child);
    (void)close(told[0]);
    (void)close(told[1]);
    f.child_fd = pidfd_hold(f.child, 0);
    CHECK(f.child_fd >= 0);
    return f;
}

static void end_grandchild(struct family *f, int want) {
    (void)kill(f->child, SIGKILL);
    struct child c = {.pid = f->child};
    CHECK_INT(child_reap(&c), want);
    (void)close(f->child_fd);
}

static void check_leader(bool by_fd) {
    struct family f = start_family(lead_a_group);
    AUTO(fd) int fd = by_fd ? pidfd_hold(f.parent.pid, f.parent.start) : -1;
    CHECK_INT(pidfd_signal(fd, f.parent.pid, f.parent.start, SIGTERM), 0);
    CHECK_INT(child_reap(&f.parent), SIGTERM);
    await_end(f.child_fd);
    end_grandchild(&f, SIGTERM);
}

TEST(a_groups_leader_takes_its_group_along) {
    check_leader(true);
    check_leader(false);
}

static void check_member(bool by_fd) {
    struct family f = start_family(have_a_child);
    AUTO(fd) int fd = by_fd ? pidfd_hold(f.parent.pid, f.parent.start) : -1;
    CHECK_INT(pidfd_signal(fd, f.parent.pid, f.parent.start, SIGTERM), 0);
    CHECK_INT(child_reap(&f.parent), SIGTERM);
    CHECK_INT(poll(&(struct pollfd){.fd = f.child_fd, .events = POLLIN}, 1, 0), 0);
    end_grandchild(&f, SIGKILL);
}

TEST(a_groups_member_goes_alone) {
    check_member(true);
    check_member(false);
}

/* Ends its own group's leader, and should be there afterwards to say so. */
static void lead_who_ends_me(void) {
    (void)setpgid(0, 0);
    pid_t leader = getpid();
    if (fork() > 0) return;
    int fd = pidfd_hold(leader, 0);
    int r = pidfd_signal(fd, leader, 0, SIGTERM);
    if (r == 0) await_end(fd);
    _exit(write(told[1], &r, sizeof r) == sizeof r ? 0 : 1);
}

TEST(our_own_group_is_never_signalled) {
    CHECK_INT(pipe2(told, O_CLOEXEC), 0);
    int r = -1;
    struct child c = {.pid = fork()};
    if (c.pid == 0) {
        lead_who_ends_me();
        for (;;)
            (void)pause();
    }
    (void)close(told[1]);
    CHECK_INT(read(told[0], &r, sizeof r), sizeof r);
    CHECK_INT(r, 0);
    CHECK_INT(child_reap(&c), SIGTERM);
    (void)close(told[0]);
}

TEST(init_and_ourselves_are_not_to_be_signalled) {
    CHECK_INT(pidfd_signal(-1, 1, 0, SIGCONT), -EPERM);
    CHECK_INT(pidfd_signal(-1, 0, 0, SIGCONT), -EPERM);
    CHECK_INT(pidfd_signal(-1, -1, 0, SIGCONT), -EPERM);
    AUTO(fd) int self = pidfd_hold(getpid(), 0);
    CHECK(self >= 0);
    CHECK_INT(pidfd_signal(self, getpid(), 0, SIGTERM), -EPERM);
}

TESTS(RUN(a_held_process_tells_its_end), RUN(another_start_is_another_process),
      RUN(numbers_that_are_no_process), RUN(without_a_free_descriptor_nothing_is_said_of_it),
      RUN(a_groups_leader_takes_its_group_along), RUN(a_groups_member_goes_alone),
      RUN(our_own_group_is_never_signalled), RUN(init_and_ourselves_are_not_to_be_signalled))
