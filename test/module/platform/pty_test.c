#include "platform/pty.h"

#include "child.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>

static struct pty pty_make(void) {
    struct pty p;
    CHECK_INT(pty_open(&p, &(struct pty_size){.cols = 91, .rows = 33, .xpixel = 5, .ypixel = 7}), 0);
    return p;
}

static pid_t spawn(const struct pty *p, const char *directory, const char *const *argv) {
    const struct pty_program program = {.argv = argv, .directory = directory, .mask = 027};
    enum pty_step failed;
    pid_t pid = 0;
    CHECK_INT(pty_spawn(p, &program, &pid, &failed), 0);
    return pid;
}

/* Everything that is printed until it contains `text`. */
static void read_until(const struct pty *p, char *out, size_t size, const char *text) {
    for (size_t n = strlen(out); !strstr(out, text);) {
        struct pollfd until = {.fd = p->master, .events = POLLIN};
        CHECK_INT(poll(&until, 1, 20000), 1);
        ssize_t got = read(p->master, out + n, size - 1 - n);
        CHECK(got > 0);
        n += (size_t)got;
        out[n] = '\0';
    }
}

TEST(has_the_size_and_takes_utf8) {
    struct pty p = pty_make();
    struct winsize w;
    struct termios t;
    CHECK_INT(ioctl(p.slave, TIOCGWINSZ, &w), 0);
    CHECK_INT(w.ws_col, 91);
    CHECK_INT(w.ws_row, 33);
    CHECK_INT(w.ws_xpixel, 5);
    CHECK_INT(w.ws_ypixel, 7);
    CHECK_INT(tcgetattr(p.slave, &t), 0);
    CHECK(t.c_iflag & IUTF8);
    CHECK_INT(pty_resize(&p, &(struct pty_size){.cols = 20, .rows = 10}), 0);
    CHECK_INT(ioctl(p.slave, TIOCGWINSZ, &w), 0);
    CHECK_INT(w.ws_col, 20);
    pty_close(&p);
    pty_close(&p); /* twice is fine */
}

TEST(a_program_gets_a_session_of_its_own) {
    struct pty p = pty_make();
    char out[4096] = "";
    sigset_t some, before;
    CHECK_INT(sigemptyset(&some), 0);
    CHECK_INT(sigaddset(&some, SIGTERM), 0);
    CHECK_INT(sigprocmask(SIG_BLOCK, &some, &before), 0);
    (void)signal(SIGINT, SIG_IGN);
    pid_t pid = spawn(
        &p, "/usr",
        (const char *const[]){
            "sh", "-c", "stty size; umask; pwd; grep -E 'Sig(Blk|Ign)' /proc/self/status; echo end", NULL});
    (void)signal(SIGINT, SIG_DFL);
    CHECK_INT(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    CHECK_INT(getsid(pid), pid);
    read_until(&p, out, sizeof out, "end");
    CHECK_INT(waitpid(pid, NULL, 0), pid);
    static const char expected[] = "33 91\r\n0027\r\n/usr\r\nSigBlk:\t0000000000000000\r\nSigIgn:\t";
    CHECK(span_starts(span_str(out), span_str(expected)));
    /* The C library keeps 32 and 33 for itself: how those are inherited nobody can change. */
    unsigned long long ignored = strtoull(out + sizeof expected - 1, NULL, 16);
    CHECK_INT(ignored & ~(3ULL << 31), 0);
    pty_close(&p);
}

TEST(a_program_finds_its_number_where_there_is_room_for_it) {
    CHECK_INT(setenv("ITS_NUMBER", "", 1), 0);
    const struct pty_program program = {
        .argv = (const char *const[]){"sh", "-c", "echo \"$ITS_NUMBER=$$ $NOT_THERE.\"", NULL},
        .pid_variable = "ITS_NUMBER"};
    struct pty_program none = program;
    none.pid_variable = "NOT_THERE";
    struct pty p = pty_make();
    char out[256] = "", expected[64];
    enum pty_step failed;
    pid_t pid = 0;
    CHECK_INT(pty_spawn(&p, &program, &pid, &failed), 0);
    read_until(&p, out, sizeof out, ".");
    CHECK_INT(waitpid(pid, NULL, 0), pid);
    (void)snprintf(expected, sizeof expected, "%d=%d .", pid, pid);
    CHECK(strstr(out, expected));
    CHECK_STR(getenv("ITS_NUMBER"), "");
    out[0] = '\0';
    CHECK_INT(pty_spawn(&p, &none, &pid, &failed), 0);
    read_until(&p, out, sizeof out, ".");
    CHECK_INT(waitpid(pid, NULL, 0), pid);
    (void)snprintf(expected, sizeof expected, "=%d .", pid);
    CHECK(strstr(out, expected));
    pty_close(&p);
}

TEST(a_program_finds_the_name_of_its_terminal) {
    CHECK_INT(setenv("ITS_TERMINAL", "", 1), 0);
    const struct pty_program program = {
        .argv = (const char *const[]){"sh", "-c", "echo \"$ITS_TERMINAL=$(tty).\"", NULL},
        .tty_variable = "ITS_TERMINAL"};
    struct pty p = pty_make();
    char out[256] = "", name[64], expected[160];
    enum pty_step failed;
    pid_t pid = 0;
    CHECK_INT(ptsname_r(p.master, name, sizeof name), 0);
    CHECK_INT(pty_spawn(&p, &program, &pid, &failed), 0);
    read_until(&p, out, sizeof out, ".");
    CHECK_INT(waitpid(pid, NULL, 0), pid);
    (void)snprintf(expected, sizeof expected, "%s=%s.", name, name);
    CHECK(strstr(out, expected));
    pty_close(&p);
}

TEST(tells_which_step_failed) {
    struct pty p = pty_make();
    static const char *const none[] = {"no-such-program", NULL}, *const sh[] = {"sh", NULL},
                             *const dir[] = {"/usr", NULL};
    static const struct {
        struct pty_program program;
        int code;
        enum pty_step step;
    } cases[] = {
        {{.argv = none}, -ENOENT, PTY_STEP_EXECUTE},
        {{.argv = dir}, -EACCES, PTY_STEP_EXECUTE},
        {{.argv = sh, .directory = "/no/such"}, -ENOENT, PTY_STEP_DIRECTORY},
        {{.argv = sh, .directory = "/etc/passwd"}, -ENOTDIR, PTY_STEP_DIRECTORY},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        pid_t pid = -7;
        enum pty_step failed = PTY_STEP_FORK;
        CHECK_INT(pty_spawn(&p, &cases[i].program, &pid, &failed), cases[i].code);
        CHECK_INT(failed, cases[i].step);
        CHECK_INT(pid, -7);
    }
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
    pty_close(&p);
}

TEST(signals_reach_the_foreground_even_when_its_leader_is_gone) {
    struct pty p = pty_make();
    char out[4096] = "";
    /* A job whose first process, which gave the group its number, ends at once. */
    static const char *const argv[] = {
        "bash", "--norc", "-ic", "true | sh -c 'echo in it; exec sleep 1000'; echo \"status $?\"", NULL};
    pid_t pid = spawn(&p, NULL, argv), group = -1;
    read_until(&p, out, sizeof out, "in it");
    CHECK_INT(ioctl(p.master, TIOCGPGRP, &group), 0);
    CHECK(group != pid);
    struct proc leader;
    while (proc_read(group, &leader) == 0 && !leader.zombie)
        (void)poll(NULL, 0, 1);
    CHECK_INT(pty_signal(&p, pid, SIGTERM), 0);
    read_until(&p, out, sizeof out, "status 143");
    CHECK_INT(waitpid(pid, NULL, 0), pid);
    pty_close(&p);
}

TESTS(RUN(has_the_size_and_takes_utf8), RUN(a_program_gets_a_session_of_its_own),
      RUN(a_program_finds_its_number_where_there_is_room_for_it),
      RUN(a_program_finds_the_name_of_its_terminal), RUN(tells_which_step_failed),
      RUN(signals_reach_the_foreground_even_when_its_leader_is_gone))
