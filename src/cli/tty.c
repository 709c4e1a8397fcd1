#include "cli/tty.h"

#include "base/cleanup.h"
#include "base/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { USUAL_COLS = 80, USUAL_ROWS = 24 };

/* Those that the parent passes on, and the child leaves cleanly for. */
static const int ending_signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};

bool tty_is_one(void) {
    struct stat in, out;
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && fstat(STDIN_FILENO, &in) == 0 &&
           fstat(STDOUT_FILENO, &out) == 0 && in.st_rdev == out.st_rdev;
}

void tty_size(unsigned *ret_cols, unsigned *ret_rows) {
    struct winsize size = {0};
    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *ret_cols = size.ws_col ? size.ws_col : USUAL_COLS;
    *ret_rows = size.ws_row ? size.ws_row : USUAL_ROWS;
}

void tty_make_raw(void) {
    struct termios raw;
    if (tcgetattr(STDIN_FILENO, &raw) < 0) return;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
}

static int signal_pipe[2] = {-1, -1};

static void on_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    (void)!write(signal_pipe[1], &byte, 1);
    errno = saved;
}

int tty_signal(struct tty *tty) {
    unsigned char byte;
    return read(tty->signals, &byte, 1) == 1 ? byte : 0;
}

/* Without SA_RESTART: a write to a terminal that does not take it is interrupted. */
static int catch_signals(void) {
    if (pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC) < 0) return -errno;
    struct sigaction act = {.sa_handler = on_signal};
    for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
        (void)sigaction(ending_signals[i], &act, NULL);
    (void)sigaction(SIGWINCH, &act, NULL);
    (void)sigaction(SIGCONT, &act, NULL);
    act.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &act, NULL);
    return 0;
}

int tty_write(const char *p, size_t n, size_t *ret_written) {
    size_t written = 0;
    while (written < n) {
        ssize_t r = write(STDOUT_FILENO, p + written, n - written);
        if (r < 0 && errno == EAGAIN) { /* whoever shares it with us has made it so */
            struct pollfd wait = {.fd = STDOUT_FILENO, .events = POLLOUT};
            r = poll(&wait, 1, -1) < 0 ? -1 : 0;
        }
        if (r < 0) {
            *ret_written = written;
            return -errno;
        }
        written += (size_t)r;
    }
    *ret_written = written;
    return 0;
}

static void block_signals(sigset_t *ret_before) {
    sigset_t all;
    (void)sigemptyset(&all);
    (void)sigaddset(&all, SIGCHLD);
    for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
        (void)sigaddset(&all, ending_signals[i]);
    (void)sigprocmask(SIG_BLOCK, &all, ret_before);
}

static int child_main(int (*body)(struct tty *tty, void *user), void *user, int guard,
                      const sigset_t *before) {
    int r = catch_signals();
    (void)sigprocmask(SIG_SETMASK, before, NULL);
    if (r < 0) return 1;
    struct tty tty = {.signals = signal_pipe[0], .guard = guard};
    tty_make_raw();
    return body(&tty, user);
}

/* Its wait status. Signals to us are meant for it. */
static int wait_for(pid_t child) {
    sigset_t waited;
    (void)sigemptyset(&waited);
    (void)sigaddset(&waited, SIGCHLD);
    for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
        (void)sigaddset(&waited, ending_signals[i]);
    for (;;) {
        int status, number = sigwaitinfo(&waited, NULL);
        if (waitpid(child, &status, WNOHANG) == child) return status;
        if (number > 0 && number != SIGCHLD) (void)kill(child, number);
    }
}

int tty_run_raw(int (*body)(struct tty *tty, void *user), void *user, const char *undo, struct err *err) {
    struct termios saved;
    if (tcgetattr(STDIN_FILENO, &saved) < 0) return err_sys(err, -errno, "cannot read the terminal's modes");
    int guard[2];
    if (pipe2(guard, O_CLOEXEC) < 0) return err_sys(err, -errno, "cannot make a pipe");
    AUTO(fd) int reads = guard[0];
    AUTO(fd) int writes = guard[1];
    sigset_t before;
    block_signals(&before);
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)close(writes);
        int status = child_main(body, user, reads, &before);
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
        (void)fflush(NULL);
        _exit(status); /* what is done at a program's end is the parent's */
    }
    int status = child > 0 ? wait_for(child) : -1, failed = child < 0 ? -errno : 0;
    if (child > 0 && WIFSIGNALED(status)) {
        static const char reset[] = TTY_RESET "\x1b[?1049l" TTY_RESET_MARGINS "\x1b[999;1H\r\n";
        size_t written;
        (void)tty_write(reset, sizeof reset - 1, &written);
        (void)tty_write(undo, strlen(undo), &written);
    }
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    if (failed) return err_sys(err, failed, "cannot start a process for the terminal");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
