#include "repair/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

int lease_take(int fd, int wait_ms) {
    /* The kernel tells us when somebody waits. We are quick anyway, and SIGIO, which it would send, ends a process. */
    if (fcntl(fd, F_SETSIG, SIGURG) < 0) return -errno;
    for (int i = 0;; i++) {
        if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0) return 0;
        if (errno != EAGAIN || i >= wait_ms) return -errno;
        struct timespec t = {.tv_nsec = 1000000L};
        (void)nanosleep(&t, NULL);
    }
}

void lease_give(int fd) {
    (void)fcntl(fd, F_SETLEASE, F_UNLCK);
}
