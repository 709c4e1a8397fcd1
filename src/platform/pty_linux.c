#include "platform/pty.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#ifndef TIOCGPTPEER
#    define TIOCGPTPEER _IO('T', 0x41)
#endif

int pty_resize(const struct pty *p, const struct pty_size *size) {
    const struct winsize w = {
        .ws_col = size->cols, .ws_row = size->rows, .ws_xpixel = size->xpixel, .ws_ypixel = size->ypixel};
    return ioctl(p->master, TIOCSWINSZ, &w) < 0 ? -errno : 0;
}

static int set_utf8(int slave) {
    struct termios t;
    if (tcgetattr(slave, &t) < 0) return -errno;
    t.c_iflag |= IUTF8;
    return tcsetattr(slave, TCSANOW, &t) < 0 ? -errno : 0;
}

int pty_open(struct pty *ret, const struct pty_size *size) {
    AUTO(fd) int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0) return -errno;
    /* By the master and not by a name: the name may mean another terminal in another mount namespace. */
    AUTO(fd) int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0) return -errno;
    struct pty p = {.master = master, .slave = slave};
    int r = set_utf8(slave);
    if (r == 0) r = pty_resize(&p, size);
    if (r < 0) return r;
    *ret = (struct pty){.master = TAKE_FD(master), .slave = TAKE_FD(slave)};
    return 0;
}

void pty_close(struct pty *p) {
    if (p->master >= 0) (void)close(TAKE_FD(p->master));
    if (p->slave >= 0) (void)close(TAKE_FD(p->slave));
}

struct failure {
    enum pty_step step;
    int code;
};

static void default_signals(void) {
    sigset_t none;
    const struct sigaction act = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &act, NULL); /* refused for some, which nobody can change */
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static int take_terminal(int slave) {
    if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) < 0) return -errno;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (dup2(slave, fd) < 0) return -errno;
    return 0;
}

enum { VARIABLE_BYTES = 128 };

/* "NAME=VALUE" in the place of "NAME=…", without allocating: `room` becomes a part of the environment. */
static void set_variable(char room[VARIABLE_BYTES], const char *name, const char *value) {
    size_t n = strlen(name), length = strlen(value);
    if (n + 1 + length >= VARIABLE_BYTES) return;
    memcpy(room, name, n);
    room[n] = '=';
    memcpy(room + n + 1, value, length + 1);
    for (char **e = environ; *e; e++)
        if (strncmp(*e, room, n + 1) == 0) *e = room;
}

static void set_own_number(const char *name) {
    static char variable[VARIABLE_BYTES];
    char digits[SPAN_DIGITS], text[SPAN_DIGITS + 1];
    struct span number = span_digits(digits, (uint64_t)getpid());
    *(char *)mempcpy(text, number.p, number.n) = '\0';
    set_variable(variable, name, text);
}

/* What ptsname() answers, without the printf of some C libraries, which would be a quarter of a keeper. */
static void set_terminal_name(const char *name, int master) {
    static char variable[VARIABLE_BYTES];
    struct span directory = SPAN("/dev/pts/");
    char tty[64], digits[SPAN_DIGITS];
    unsigned number;
    if (ioctl(master, TIOCGPTN, &number) < 0) return;
    struct span text = span_digits(digits, number);
    char *end = mempcpy(tty, directory.p, directory.n);
    end = mempcpy(end, text.p, text.n);
    *end = '\0';
    set_variable(variable, name, tty);
}

/* In the new process. Everything else that is open closes itself by exec. */
static struct failure become(const struct pty *p, const struct pty_program *program) {
    int r = take_terminal(p->slave);
    if (r < 0) return (struct failure){PTY_STEP_SESSION, r};
    if (program->directory && chdir(program->directory) < 0)
        return (struct failure){PTY_STEP_DIRECTORY, -errno};
    default_signals();
    (void)umask(program->mask);
    if (program->pid_variable) set_own_number(program->pid_variable);
    if (program->tty_variable) set_terminal_name(program->tty_variable, p->master);
    (void)execvp(program->argv[0], (char *const *)program->argv);
    return (struct failure){PTY_STEP_EXECUTE, -errno};
}

int pty_spawn(const struct pty *p, const struct pty_program *program, pid_t *ret_pid, enum pty_step *failed) {
    int trouble[2];
    *failed = PTY_STEP_FORK;
    if (pipe2(trouble, O_CLOEXEC) < 0) return -errno;
    pid_t pid = fork();
    if (pid == 0) {
        struct failure f = become(p, program);
        ssize_t ignored = write(trouble[1], &f, sizeof f);
        (void)ignored;
        _exit(127);
    }
    int r = pid < 0 ? -errno : 0;
    (void)close(trouble[1]);
    struct failure f;
    ssize_t n;
    do /* it ends when exec closes the other end */
        n = r < 0 ? 0 : read(trouble[0], &f, sizeof f);
    while (n < 0 && errno == EINTR);
    (void)close(trouble[0]);
    if (r < 0) return r;
    if (n == (ssize_t)sizeof f) {
        (void)waitpid(pid, NULL, 0);
        *failed = f.step;
        return f.code;
    }
    *ret_pid = pid;
    return 0;
}

int pty_signal(const struct pty *p, pid_t leader, int number) {
    pid_t session = -1, group = -1;
    /* A terminal that another session has taken over has no group of ours. */
    if (ioctl(p->master, TIOCGSID, &session) < 0 || session != leader ||
        ioctl(p->master, TIOCGPGRP, &group) < 0 || group <= 1)
        group = leader;
    return kill(-group, number) < 0 ? -errno : 0;
}
