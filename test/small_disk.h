/*
 * A small file system on a directory of a test, to be filled or made read-only:
 *
 *     if (!small_disk_mount(t.path, "size=1m")) skip();
 */
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static inline bool small_disk_write(const char *file, const char *text) {
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    (void)close(fd);
    return done;
}

/* Who is not root may mount in a user namespace of his own, where the kernel grants one. */
static inline bool small_disk_own_mounts(void) {
    if (unshare(CLONE_NEWNS) == 0) return true;
    char uids[32], gids[32];
    (void)snprintf(uids, sizeof uids, "0 %u 1", (unsigned)geteuid());
    (void)snprintf(gids, sizeof gids, "0 %u 1", (unsigned)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && small_disk_write("/proc/self/setgroups", "deny") &&
           small_disk_write("/proc/self/uid_map", uids) && small_disk_write("/proc/self/gid_map", gids);
}

/* False where this process may not mount at all. The test unmounts it. */
static inline bool small_disk_mount(const char *dir, const char *options) {
    if (!small_disk_own_mounts()) return false;
    /* Seen by nobody else. Below chroot "/" may be no mount that could be made private; then it is seen for a moment. */
    (void)mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL);
    return mount("tmpfs", dir, "tmpfs", 0, options) == 0;
}
