/*
 * A hold on one process. A pid is only a number that the kernel hands out again; a descriptor stays with the process it was
 * opened for. It becomes readable when the process ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A descriptor for the process `pid` that began at `start` (clock ticks since boot, 0 = unknown: whoever has the pid).
 * -ESRCH when it has ended or the pid is somebody else's by now; -ENOSYS, -EMFILE and others when there is no telling. */
int pidfd_hold(int64_t pid, uint64_t start);

/* Sends a signal to the process that `fd` holds, and to nobody else. The rest is as with pidfd_signal(). */
int pidfd_signal_one(int fd, int64_t pid, uint64_t start, int number);

/* Sends a signal to the process that `fd` holds, and to its whole process group when it leads one: its children should
 * go with it. `fd` may be negative where none was to be had; then `start` is compared once more just before. -ESRCH when
 * it has ended, -EPERM when it is not ours to signal: another user's, init, this process. A group that this process is in
 * is never signalled as a whole. */
int pidfd_signal(int fd, int64_t pid, uint64_t start, int number);
