/* A file that is written over where it is, also on file systems that copy what is written (btrfs). It must be empty. */
#pragma once

#include <sys/ioctl.h>

/* As in linux/fs.h, which the hook's C library has not. */
#define IN_PLACE_GET_FLAGS _IOR('f', 1, long)
#define IN_PLACE_SET_FLAGS _IOW('f', 2, long)
#define IN_PLACE_FLAG 0x00800000

/* Who knows no such thing refuses, and needs none. */
static inline void in_place(int fd) {
    int flags = 0;
    if (ioctl(fd, IN_PLACE_GET_FLAGS, &flags) < 0) return;
    flags |= IN_PLACE_FLAG;
    (void)ioctl(fd, IN_PLACE_SET_FLAGS, &flags);
}
