/*
 * ostler-keeper: owns one terminal and its program, and outlives the daemon that started it. It knows nothing else: no files,
 * no screen, no JSON. It goes into the background by itself and says in one line on its stdout how that went.
 */
#include "keeper/start.h"
#include "platform/confine.h"
#include "platform/private_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char usage[] =
    "usage: ostler-keeper --socket PATH --epoch MS --cols N --rows N [--cwd DIR] [--pid-variable NAME] [--tty-variable NAME]\n"
    "       -- PROGRAM ARG…\n"
    "Runs PROGRAM in a terminal of its own, in the background, for whoever connects to the socket.\n";

static struct loop loop;

static void print(struct span text) {
    ssize_t ignored = write(STDOUT_FILENO, text.p, text.n);
    (void)ignored;
}

/* One write, so that nobody reads half a line. */
static void print_line(struct say *s) {
    s->text[s->n] = '\n'; /* there is room: SAY_MAX is one less */
    print(span_of(s->text, s->n + 1));
}

static int print_error(const struct say *why) {
    struct say line = {0};
    say_text(&line, "error ");
    say_text(&line, why->text);
    print_line(&line);
    return 1;
}

static int print_trouble(const char *what) {
    struct say why = {0};
    int code = -errno;
    say_text(&why, what);
    say_why(&why, code);
    return print_error(&why);
}

static void print_ok(const struct keeper *k) {
    struct say line = {0};
    say_text(&line, "ok ");
    say_number(&line, (uint64_t)k->pid);
    say_text(&line, " ");
    say_number(&line, (uint64_t)k->child);
    say_text(&line, " ");
    say_number(&line, k->child_start);
    print_line(&line);
}

static void close_inherited(void) {
    unsigned first = STDERR_FILENO + 1;
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
    struct rlimit limit;
    rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? MIN(limit.rlim_cur, 1 << 16) : 1024;
    for (rlim_t fd = first; fd < end; fd++)
        (void)close((int)fd);
}

/* Descriptors 0 to 2 exist from here on, so that nothing else ever gets their numbers. */
static int open_null(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    return fd;
}

static void redirect(int null, int fd) {
    if (null >= 0) (void)dup2(null, fd);
}

/* The background process. Tells `ready` whether it came up. */
static int keep(const struct args *a, int null, int ready) {
    struct say why = {0};
    (void)setsid();
    mode_t mask = umask(0077);
    redirect(null, STDIN_FILENO);
    redirect(null, STDERR_FILENO);
    loop_signals();
    if (start(&loop, a, mask, &why) < 0) return print_error(&why);
    if (chdir("/") < 0) { /* then a directory stays in use for longer, which is no reason to give up */
    }
    print_ok(&loop.keeper);
    redirect(null, STDOUT_FILENO);
    (void)close(null);
    ssize_t ignored = write(ready, "", 1);
    (void)ignored;
    (void)close(ready);
    /* Its program runs by now, and is not touched; a kernel that cannot do it is no reason to give up. */
    const char *socket = confine_keeper(loop.listener.path);
    if (socket) loop.listener.path = socket;
    loop_run(&loop);
    unixsock_close(&loop.listener);
    return 0;
}

/* Waits until the background process has said its line. */
static int wait_ready(int ready) {
    char byte;
    ssize_t n;
    do
        n = read(ready, &byte, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 ? 0 : 1;
}

int main(int argc, char **argv) {
    struct args a;
    struct say why = {0};
    int ready[2];
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        print(SPAN("ostler-keeper " OSTLER_VERSION "\n"));
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print(span_str(usage));
        return 0;
    }
    private_memory();
    close_inherited();
    int null = open_null();
    if (args_parse((const char *const *)argv, &a, &why) < 0) return print_error(&why);
    if (null < 0 || fcntl(null, F_SETFD, FD_CLOEXEC) < 0) return print_trouble("cannot open /dev/null");
    pid_t pid = pipe2(ready, O_CLOEXEC) < 0 ? -1 : fork();
    if (pid < 0) return print_trouble("cannot go into the background");
    if (pid == 0) {
        (void)close(ready[0]);
        return keep(&a, null, ready[1]);
    }
    (void)close(ready[1]);
    return wait_ready(ready[0]);
}
