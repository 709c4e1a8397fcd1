/* Real processes: who lives, and who has a child that is young enough. */
#include "platform/proc.h"

#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        (void)pause();
        _exit(0);
    }
    return pid;
}

static void end_child(pid_t pid) {
    (void)kill(pid, SIGKILL);
    CHECK_INT(waitpid(pid, NULL, 0), pid);
}

TEST(a_process_is_read) {
    struct proc p;
    CHECK_INT(proc_read(getpid(), &p), 0);
    CHECK_INT(p.pid, getpid());
    CHECK_INT(p.parent, getppid());
    CHECK(p.start > 0 && p.start <= proc_ticks_ago(0));
    pid_t child = start_child();
    end_child(child);
    CHECK(proc_read(child, &p) < 0);
}

TEST(children_count_from_a_moment_on) {
    CHECK(!proc_has_child(getpid(), 0));
    pid_t child = start_child();
    struct proc p;
    CHECK_INT(proc_read(child, &p), 0);
    CHECK(proc_has_child(getpid(), 0));
    CHECK(proc_has_child(getpid(), p.start));
    CHECK(!proc_has_child(getpid(), p.start + 1)); /* it is older than that: a helper, not the tool */
    end_child(child);
    CHECK(!proc_has_child(getpid(), 0));
    CHECK(!proc_has_child(child, 0));
}

TESTS(RUN(a_process_is_read), RUN(children_count_from_a_moment_on))
