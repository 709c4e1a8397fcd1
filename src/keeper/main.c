/*
 * ostler-keeper: owns one terminal and its program, and outlives the daemon that started it. It knows nothing else: no files,
 * no screen, no JSON. It goes into the background by itself and says in one line on its stdout how that went.
 */
#include "base/cleanup.h"
#include "keeper/args.h"
#include "keeper/loop.h"
#include "platform/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "usage: ostler-keeper --socket PATH --epoch MS --cols N --rows N [--cwd DIR] -- PROGRAM ARG…\n"
    "Runs PROGRAM in a terminal of its own, in the background, for whoever connects to the socket.\n";

static struct loop loop;
static struct peer_memory memory[KEEPER_PEERS_MAX];

static void print(struct span text) {
    ssize_t ignored = write(STDOUT_FILENO, text.p, text.n);
    (void)ignored;
}

/* One line whatever it holds: names come from outside. */
static int say_error(struct err *err) {
    char line[ERR_MSG_BYTES + 16];
    for (char *c = err->msg; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    int n = snprintf(line, sizeof line, "error %s\n", err->msg);
    print(span_of(line, (size_t)n));
    return 1;
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

static int start(struct loop *l, const struct args *a, mode_t mask, struct err *err) {
    static struct unixsock listener;
    static struct pty pty;
    const struct pty_program program = {.argv = a->argv, .directory = a->directory, .mask = mask};
    char *ring = mmap(NULL, FRAME_RING_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED) return err_sys(err, -errno, "there is no memory for the terminal's output");
    int r = unixsock_listen(&listener, a->socket);
    if (r < 0) return err_sys(err, r, "cannot listen at %s", a->socket);
    r = pty_open(&pty, &a->size);
    if (r < 0) {
        unixsock_close(&listener);
        return err_sys(err, r, "cannot open a terminal");
    }
    pid_t child = pty_spawn(&pty, &program, err);
    if (child < 0) {
        unixsock_close(&listener);
        return child;
    }
    struct proc p = {0};
    (void)proc_read(child, &p);
    const struct keeper_start begin = {.epoch = a->epoch,
                                       .pid = getpid(),
                                       .child = child,
                                       .child_start = p.start,
                                       .size = {.cols = a->size.cols, .rows = a->size.rows},
                                       .program = loop_program(l),
                                       .ring = ring,
                                       .memory = memory};
    keeper_init(&l->keeper, &begin, clock_mono(&clock_system));
    l->listener = &listener;
    l->pty = &pty;
    l->child = child;
    return 0;
}

static void say_ok(const struct keeper *k) {
    char line[96];
    int n =
        snprintf(line, sizeof line, "ok %d %d %llu\n", k->pid, k->child, (unsigned long long)k->child_start);
    print(span_of(line, (size_t)n));
}

/* The background process. Tells `ready` whether it came up. */
static int keep(const struct args *a, int null, int ready) {
    struct err err;
    (void)setsid();
    mode_t mask = umask(0077);
    redirect(null, STDIN_FILENO);
    redirect(null, STDERR_FILENO);
    loop_signals();
    if (start(&loop, a, mask, &err) < 0) return say_error(&err);
    if (chdir("/") < 0) { /* then a directory stays in use for longer, which is no reason to give up */
    }
    say_ok(&loop.keeper);
    redirect(null, STDOUT_FILENO);
    (void)close(null);
    ssize_t ignored = write(ready, "", 1);
    (void)ignored;
    (void)close(ready);
    loop_run(&loop);
    unixsock_close(loop.listener);
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
    struct err err;
    int ready[2];
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        print(SPAN("ostler-keeper " OSTLER_VERSION "\n"));
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print(span_str(usage));
        return 0;
    }
    close_inherited();
    int null = open_null();
    if (args_parse(argv, &a, &err) < 0) return say_error(&err);
    if (null < 0 || fcntl(null, F_SETFD, FD_CLOEXEC) < 0 || pipe2(ready, O_CLOEXEC) < 0) {
        (void)err_sys(&err, -errno, "cannot start");
        return say_error(&err);
    }
    pid_t pid = fork();
    if (pid < 0) {
        (void)err_sys(&err, -errno, "cannot go into the background");
        return say_error(&err);
    }
    if (pid == 0) {
        (void)close(ready[0]);
        return keep(&a, null, ready[1]);
    }
    (void)close(ready[1]);
    return wait_ready(ready[0]);
}
