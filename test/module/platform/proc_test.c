/* Real processes: who lives, and who has a child that is young enough. */
#include "platform/proc.h"

#include "child.h"
#include "temp_dir.h"

TEST(a_process_is_read) {
    struct proc p;
    CHECK_INT(proc_read(getpid(), &p), 0);
    CHECK_INT(p.pid, getpid());
    CHECK_INT(p.parent, getppid());
    CHECK(p.start > 0 && p.start <= proc_ticks_ago(0));
    struct child child = child_start(NULL);
    child_end(&child);
    CHECK(proc_read(child.pid, &p) < 0);
}

TEST(children_count_from_a_moment_on) {
    CHECK(proc_child(getpid(), 0) == 0);
    struct child child = child_start(NULL);
    CHECK(proc_child(getpid(), 0) == child.pid);
    CHECK(proc_child(getpid(), child.start) == child.pid);
    CHECK(proc_child(getpid(), child.start + 1) == 0); /* it is older than that: a helper, not the tool */
    child_end(&child);
    CHECK(proc_child(getpid(), 0) == 0);
    CHECK(proc_child(child.pid, 0) == 0);
}

TEST(who_lives) {
    struct child child = child_start(NULL);
    CHECK(proc_alive(child.pid, child.start));
    CHECK(proc_alive(child.pid, 0));
    CHECK(!proc_alive(child.pid, child.start + 1)); /* somebody else had the pid */
    CHECK(!proc_alive(INT64_C(1) << 32 | child.pid, 0));
    CHECK(!proc_alive(0, 0));
    child_make_zombie(&child);
    CHECK(!proc_alive(child.pid, child.start));
    (void)child_reap(&child);
    CHECK(!proc_alive(child.pid, child.start));
}

/* Everyone of this user's processes */

static struct temp_dir place;

static void work_there(void) {
    if (chdir(place.path) == 0) (void)execl("/bin/sleep", "my agent", "60", (char *)NULL);
    _exit(1);
}

static void become_nobody(void) {
    if (setuid(65534) < 0) _exit(1);
}

struct seen {
    pid_t pid;
    unsigned times, others;
    int answer;
};

static int see(void *user, pid_t pid) {
    struct seen *s = user;
    if (pid == s->pid)
        s->times++;
    else
        s->others++;
    return s->answer;
}

static struct seen look_for(pid_t pid) {
    struct seen s = {.pid = pid};
    CHECK_INT(proc_each(see, &s), 0);
    return s;
}

TEST(each_process_is_told_once) {
    place = temp_dir_make();
    struct child child = child_start(work_there);
    struct seen s = look_for(child.pid);
    CHECK_INT(s.times, 1);
    CHECK(s.others > 0);
    char args[PROC_ARGS_BYTES], cwd[PATH_BYTES];
    CHECK_INT(proc_args(child.pid, args), sizeof "my agent\0"
                                                 "60");
    CHECK(memcmp(args,
                 "my agent\0"
                 "60",
                 sizeof "my agent\0"
                        "60") == 0);
    CHECK_INT(proc_cwd(child.pid, cwd), 0);
    CHECK_STR(cwd, place.path);
    child_make_zombie(&child);
    CHECK_INT(proc_args(child.pid, args), 0);
    (void)child_reap(&child);
    CHECK_INT(proc_args(child.pid, args), -ENOENT);
    CHECK_INT(proc_cwd(child.pid, cwd), -ENOENT);
    temp_dir_remove(place.path);
}

TEST(a_pass_ends_when_enough_was_seen) {
    struct seen s = {.answer = -E2BIG};
    CHECK_INT(proc_each(see, &s), -E2BIG);
    CHECK_INT(s.others, 1);
}

TEST(processes_of_others_are_none_of_ours) {
    if (geteuid() != 0) skip();
    struct child child = child_start(become_nobody);
    CHECK_INT(look_for(child.pid).times, 0);
    child_end(&child);
}

TEST(a_pass_that_cannot_be_made_says_so) {
    struct rlimit was = no_more_files();
    int r = proc_each(see, &(struct seen){0});
    files_again(&was);
    CHECK_INT(r, -EMFILE);
}

TEST(a_long_directory_is_refused) {
    char cwd[PATH_BYTES];
    CHECK_INT(proc_cwd(getpid(), cwd), 0);
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    AUTO(fd) int home = open(".", O_RDONLY | O_CLOEXEC);
    CHECK(home >= 0);
    CHECK_INT(chdir(t.path), 0);
    char name[201] = {0};
    memset(name, 'd', sizeof name - 1);
    for (int i = 0; i < 6; i++) {
        CHECK_INT(mkdir(name, 0700), 0);
        CHECK_INT(chdir(name), 0);
    }
    CHECK_INT(proc_cwd(getpid(), cwd), -ENAMETOOLONG);
    CHECK_INT(fchdir(home), 0);
}

TESTS(RUN(a_process_is_read), RUN(children_count_from_a_moment_on), RUN(who_lives),
      RUN(each_process_is_told_once), RUN(a_pass_ends_when_enough_was_seen),
      RUN(processes_of_others_are_none_of_ours), RUN(a_pass_that_cannot_be_made_says_so),
      RUN(a_long_directory_is_refused))
