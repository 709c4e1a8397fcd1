#include "app/daemon_end.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/span.h"
#include "platform/pidfd.h"
#include "platform/proc.h"
#include "platform/sock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_MS = 20 };

/* Until it ends. Where the kernel has no descriptors for processes, a look every now and then has to do. */
static int wait_for(const struct daemon_process *daemon, int fd, unsigned patience_ms) {
    usec_t until = clock_mono(&clock_system) + patience_ms * USEC_PER_MSEC;
    for (;;) {
        if (fd < 0 && !proc_alive(daemon->pid, daemon->start)) return 0;
        usec_t left = until - clock_mono(&clock_system);
        if (left <= 0) return -ETIMEDOUT;
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ms = (int)(left / USEC_PER_MSEC) + 1;
        if (poll(&p, fd < 0 ? 0 : 1, fd < 0 ? MIN(ms, LOOK_MS) : ms) > 0) return 0;
    }
}

int daemon_end(const struct daemon_process *daemon, int number, unsigned patience_ms, struct err *err) {
    AUTO(fd) int fd = pidfd_hold(daemon->pid, daemon->start);
    if (fd == -ESRCH) return 0;
    int r = number ? pidfd_signal_one(fd, daemon->pid, daemon->start, number) : 0;
    if (r == -ESRCH) return 0;
    if (r < 0) return err_sys(err, r, "cannot stop the daemon (pid %lld)", (long long)daemon->pid);
    r = wait_for(daemon, fd, patience_ms);
    if (r < 0)
        return err_set(err, r, "the daemon (pid %lld) has not ended after %u s", (long long)daemon->pid,
                       patience_ms / 1000);
    return 0;
}

/* Our own, by user and program: whoever has another name has to be asked by a person. */
static bool is_ours(int64_t pid) {
    char dir[64], link[PATH_BYTES], path[PATH_BYTES];
    struct stat st;
    (void)snprintf(dir, sizeof dir, "/proc/%lld", (long long)pid);
    if (stat(dir, &st) < 0 || st.st_uid != geteuid() || path_join(link, dir, "exe") < 0) return false;
    ssize_t n = readlink(link, path, sizeof path);
    if (n <= 0) return false;
    struct span rest = span_of(path, (size_t)n), name = rest;
    while (rest.n)
        name = span_split(&rest, '/');
    return span_eq(name, SPAN("ostler")) || span_eq(name, SPAN("ostler (deleted)"));
}

int daemon_on_port(uint16_t port, struct daemon_process *ret, struct err *err) {
    int64_t pid;
    char name[SOCK_NAME_BYTES];
    struct proc p;
    int r = sock_port_holder(port, &pid, name);
    if (r < 0) return r; /* nobody, or another user's: listening will tell */
    if (!is_ours(pid))
        return err_set(
            err, -EADDRINUSE,
            "port %u is taken by %s (pid %lld), which is no ostler of yours: --replace leaves it alone", port,
            name, (long long)pid);
    r = proc_read((pid_t)pid, &p);
    if (r < 0) return r;
    *ret = (struct daemon_process){.pid = pid, .start = p.start};
    return 0;
}
