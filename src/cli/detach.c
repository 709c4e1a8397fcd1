#include "cli/detach.h"

#include "app/daemon_file.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/str.h"
#include "base/strv.h"
#include "cli/screen.h"
#include "platform/pidfd.h"
#include "platform/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 20, TAIL_BYTES = 16 << 10 };

int detach_log_path(char ret[PATH_BYTES], struct err *err) {
    struct paths paths;
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    if (path_join(ret, paths.state, "ostler.log") < 0)
        return err_set(err, -ENAMETOOLONG, "the path of the state directory is too long");
    return 0;
}

static bool is_path(const struct cmd_opt *o) {
    return o->complete && (strcmp(o->complete, "@file") == 0 || strcmp(o->complete, "@dir") == 0);
}

static void push_path(char ***words, const char *path) {
    char here[PATH_BYTES];
    if (path[0] == '/' || !getcwd(here, sizeof here)) {
        strv_push(words, span_str(path));
        return;
    }
    AUTO(free) char *whole = str_format("%s/%s", here, path);
    strv_push(words, span_str(whole));
}

void detach_remember(const struct cmd *c, int code, const char *value, char ***words) {
    for (const struct cmd_opt *o = c->options; o && o->name; o++) {
        if (o->code != code) continue;
        AUTO(free) char *name = str_format("--%s", o->name);
        strv_push(words, span_str(name));
        if (o->value && is_path(o))
            push_path(words, value);
        else if (o->value)
            strv_push(words, span_str(value));
    }
}

/* ---- the background -------------------------------------------------------------------------------------------- */

/* In the child: what a daemon must not keep of where it was started. Only what is safe after a fork. */
static void become_daemon(const char *program, char **argv, int log) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) (void)dup2(null, STDIN_FILENO);
    if (null >= 0) (void)dup2(null, STDOUT_FILENO);
    (void)dup2(log, STDERR_FILENO);
    (void)close_range(STDERR_FILENO + 1, ~0U, 0);
    if (chdir("/") < 0) _exit(CMD_FAILED);
    (void)execv(program, argv);
    (void)dprintf(STDERR_FILENO, "ostler serve: cannot run %s: %s\n", program, strerror(errno));
    _exit(CMD_FAILED);
}

/* A session of its own, and a second fork so that it does not lead it: no terminal can ever become its own. Returns the pid. */
static pid_t start(const char *program, char **argv, int log) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    AUTO(fd) int from = ends[0];
    AUTO(fd) int to = ends[1];
    pid_t between = fork();
    if (between < 0) return -errno;
    if (between == 0) {
        (void)setsid();
        pid_t pid = fork();
        if (pid == 0) become_daemon(program, argv, log);
        if (pid < 0) pid = -errno;
        _exit(write(to, &pid, sizeof pid) == (ssize_t)sizeof pid ? CMD_OK : CMD_FAILED);
    }
    (void)waitpid(between, NULL, 0);
    pid_t pid;
    return read(from, &pid, sizeof pid) == (ssize_t)sizeof pid ? pid : -EPIPE;
}

/* ---- waiting for it -------------------------------------------------------------------------------------------- */

/* What it has written since; a log that was begun anew, from its beginning. */
static void read_tail(const char *log, off_t from, struct buf *ret) {
    AUTO(fd) int fd = own_open_at(AT_FDCWD, log, O_RDONLY, 0);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) return;
    from = st.st_size < from ? 0 : MAX(from, st.st_size - TAIL_BYTES);
    char *room = buf_reserve(ret, TAIL_BYTES);
    ssize_t n = room ? pread(fd, room, TAIL_BYTES, from) : -1;
    if (n > 0) buf_grew(ret, (size_t)n);
}

/* The sentence with which it gave up is in the log like everything else. */
static int say_why(const struct paths *paths, const char *log, off_t from, bool replace) {
    AUTO(buf) struct buf tail = BUF_INIT(TAIL_BYTES);
    read_tail(log, from, &tail);
    struct span rest = buf_span(&tail), prefix = SPAN("ostler serve: "), why = SPAN_NONE;
    while (rest.n) {
        struct span line = span_split(&rest, '\n');
        if (span_starts(line, prefix)) why = span_skip(line, prefix.n);
    }
    if (why.n) return cmd_fail(&cmd_serve, CMD_FAILED, "%.*s", SPAN_ARG(why));
    struct err err = {0};
    if (replace && daemon_was_faster(paths, &err) < 0) return cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg);
    return cmd_fail(&cmd_serve, CMD_FAILED, "the daemon ended before it listened; %s tells more", log);
}

static int wait_for(pid_t pid, const char *log, off_t from, bool replace) {
    struct paths paths;
    struct daemon_info info;
    struct err err = {0};
    if (paths_resolve(&paths, &err) < 0) return cmd_fail(&cmd_serve, CMD_FAILED, "%s", err.msg);
    AUTO(fd) int fd = pidfd_hold(pid, 0);
    for (;;) {
        if (daemon_file_read(&paths, &info) == 0 && info.pid == pid) break;
        if (!proc_alive(pid, 0)) return say_why(&paths, log, from, replace);
        struct pollfd p = {.fd = fd, .events = POLLIN};
        (void)poll(&p, 1, LOOK_MS); /* a negative descriptor is left out */
    }
    screen_print(
        "ostler %s watches on %s (pid %d). ostler stop ends it, ostler logs --daemon shows its log.\n",
        info.version, info.url, (int)pid);
    return CMD_OK;
}

int detach_start(const char *program, char **argv, const char *log, bool replace) {
    AUTO(fd) int fd = own_open_at(AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (fd < 0) return cmd_fail(&cmd_serve, CMD_FAILED, "cannot write the log %s: %s", log, own_why(fd));
    struct stat st = {0};
    (void)fstat(fd, &st);
    pid_t pid = start(program, argv, fd);
    if (pid < 0) return cmd_fail(&cmd_serve, CMD_FAILED, "cannot start a process: %s", strerror(-pid));
    return wait_for(pid, log, st.st_size, replace);
}
