/*
 * Unix stream sockets by path. A path longer than `sun_path` (108 bytes) is reached through a descriptor of its directory, so
 * that a state directory may lie anywhere. Nothing here allocates, because keepers use it.
 */
#pragma once

#include "base/path.h"

#include <stdint.h>
#include <sys/types.h>

/* One that listens, and what it made at its path. */
struct unixsock {
    int fd;
    const char *path; /* the caller's */
    dev_t device;
    ino_t inode;
};

struct unixsock_peer {
    uid_t uid;
    pid_t pid;
};

/* Listens at `path`, which must stay where it is, with mode 0600, non-blocking. What a dead process left there is replaced; -EADDRINUSE when somebody
 * answers, -ENAMETOOLONG when even the name within its directory does not fit. */
int unixsock_listen(struct unixsock *ret, const char *path);

/* Closes it, and removes the path unless somebody else has put something there since. */
void unixsock_close(struct unixsock *s);

/* A descriptor connected to who listens at `path`, non-blocking from then on. -ECONNREFUSED when nobody does, -ENOENT
 * when there is no such path, -EAGAIN when too many are waiting. */
int unixsock_connect(const char *path);

/* The next that has connected, non-blocking; -EAGAIN when there is none. */
int unixsock_accept(const struct unixsock *s);

/* Who connected, as the kernel noted it then. */
int unixsock_peer(int fd, struct unixsock_peer *ret);
