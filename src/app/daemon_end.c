#include "app/daemon_end.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/span.h"
#include "platform/pidfd.h"
#include "platform/proc.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
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
static bool is_ours(int64_t pid, struct proc *ret) {
    char dir[64];
    struct stat st;
    (void)snprintf(dir, sizeof dir, "/proc/%lld", (long long)pid);
    return stat(dir, &st) == 0 && st.st_uid == geteuid() && proc_read((pid_t)pid, ret) == 0 &&
           strcmp(ret->comm, "ostler") == 0;
}

/* The daemon whose socket this is says beside it what its port is. */
static bool is_told_beside(const char *socket, uint16_t port, int64_t *ret_pid) {
    struct paths p = {0};
    struct daemon_info info;
    const char *slash = strrchr(socket, '/');
    (void)snprintf(p.run, sizeof p.run, "%.*s", (int)(slash - socket), socket);
    if (daemon_file_read(&p, &info) < 0 || info.port != port) return false;
    *ret_pid = info.pid;
    return true;
}

/* The kernel tells which process has a port by its descriptors, and those of an ostler are for root's eyes only. But it tells
 * everybody where sockets of daemons are. */
static int told_holder(uint16_t port, int64_t *ret_pid) {
    char line[PATH_BYTES + 128];
    AUTO(file) FILE *f = fopen("/proc/net/unix", "re");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        const char *path = strchr(line, '/');
        struct proc ignored;
        if (path && span_ends(span_str(path), SPAN("/" DAEMON_SOCKET)) &&
            is_told_beside(path, port, ret_pid) && is_ours(*ret_pid, &ignored))
            return 0;
    }
    return -ENOENT;
}

int daemon_port_holder(uint16_t port, int64_t *ret_pid, char ret_name[SOCK_NAME_BYTES]) {
    int r = sock_port_holder(port, ret_pid, ret_name);
    if (r == 0) return 0;
    (void)snprintf(ret_name, SOCK_NAME_BYTES, "ostler");
    return told_holder(port, ret_pid) == 0 ? 0 : r;
}

int daemon_on_port(uint16_t port, struct daemon_process *ret, struct err *err) {
    int64_t pid;
    char name[SOCK_NAME_BYTES];
    struct proc p;
    int r = daemon_port_holder(port, &pid, name);
    if (r < 0) return r; /* nobody, or another user's: listening will tell */
    if (!is_ours(pid, &p))
        return err_set(
            err, -EADDRINUSE,
            "port %u is taken by %s (pid %lld), which is no ostler of yours: --replace leaves it alone", port,
            name, (long long)pid);
    *ret = (struct daemon_process){.pid = pid, .start = p.start};
    return 0;
}
