/*
 * The heads of a tar archive (POSIX ustar), as far as plain files go: written, and read from anybody. A name that leads anywhere but
 * down, and whatever is no plain file (links, devices, directories, extensions), is refused. Pure.
 */
#pragma once

#include "base/span.h"

enum { TAR_BLOCK = 512, TAR_NAME_BYTES = 256 };

struct tar_entry {
    char name[TAR_NAME_BYTES]; /* "a/b/c": relative, without "." and ".." and empty parts */
    uint64_t size;
    int64_t mtime; /* seconds */
};

/* The head of a plain file, 0600. -ENAMETOOLONG for a name that ustar cannot hold, -EINVAL for one that a reader would refuse. */
int tar_write(char block[TAR_BLOCK], const struct tar_entry *entry);

/* 1: a file's head; 0: the end of the archive; -EBADMSG when it is no head, -ENOTSUP when it is one of something else than a plain file or
 * of a name that is not taken. */
int tar_read(const char block[TAR_BLOCK], struct tar_entry *ret);

/* How many bytes follow a file of that size, up to the next block. */
static inline size_t tar_padding(uint64_t size) {
    return (size_t)(-size % TAR_BLOCK);
}
