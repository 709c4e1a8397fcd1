#include "platform/pidfd.h"

#include "base/cleanup.h"
#include "platform/proc.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Since Linux 6.9: to the group that the held process leads, or led. Older ones refuse it with EINVAL. */
#define SIGNAL_PROCESS_GROUP (1U << 2)

/* By number, because not every libc that we build with has the functions. */
static int sys_pidfd_open(pid_t pid) {
    long fd = syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : (int)fd;
}

static int sys_pidfd_send_signal(int fd, int number, unsigned flags) {
    return syscall(SYS_pidfd_send_signal, fd, number, NULL, flags) < 0 ? -errno : 0;
}

static bool has_ended(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* 0 when the process with this pid is the one that began at `start`. */
static int verify(pid_t pid, uint64_t start) {
    struct proc p;
    int r = proc_read(pid, &p);
    if (r < 0) return r == -ENOENT ? -ESRCH : r;
    return p.zombie || (start && p.start != start) ? -ESRCH : 0;
}

int pidfd_hold(int64_t pid, uint64_t start) {
    if (pid <= 0 || pid > INT32_MAX) return -ESRCH;
    AUTO(fd) int fd = sys_pidfd_open((pid_t)pid);
    /* Of a thread's number kernels say EINVAL or ENOENT: the process that had it is gone. */
    if (fd < 0) return fd == -EINVAL || fd == -ENOENT ? -ESRCH : fd;
    /* What is read of the pid now is about the held process, provided that it still runs after the reading. */
    int r = verify((pid_t)pid, start);
    if (has_ended(fd)) return -ESRCH;
    return r < 0 ? r : TAKE_FD(fd);
}

static int signal_by_pid(pid_t pid, uint64_t start, int number, bool group) {
    int r = verify(pid, start);
    if (r < 0) return r;
    return kill(group ? -pid : pid, number) < 0 ? -errno : 0;
}

int pidfd_signal_one(int fd, int64_t pid, uint64_t start, int number) {
    if (pid <= 1 || pid == getpid()) return -EPERM;
    if (pid > INT32_MAX || (fd >= 0 && has_ended(fd))) return -ESRCH;
    return fd < 0 ? signal_by_pid((pid_t)pid, start, number, false) : sys_pidfd_send_signal(fd, number, 0);
}

int pidfd_signal(int fd, int64_t pid, uint64_t start, int number) {
    if (pid <= 1 || pid == getpid()) return -EPERM;
    if (pid > INT32_MAX || (fd >= 0 && has_ended(fd))) return -ESRCH;
    pid_t target = (pid_t)pid;
    bool group = getpgid(target) == target && getpgrp() != target;
    if (fd < 0) return signal_by_pid(target, start, number, group);
    if (!group) return sys_pidfd_send_signal(fd, number, 0);
    int r = sys_pidfd_send_signal(fd, number, SIGNAL_PROCESS_GROUP);
    return r == -EINVAL ? signal_by_pid(target, start, number, true) : r;
}
