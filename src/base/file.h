/* Whole files, read and written at once. */
#pragma once

#include "base/buf.h"

#include <sys/stat.h>

/* All of a file of ours (own_open()) behind what `b` holds; -EFBIG when it is more than `b` may hold. */
int file_read(const char *path, struct buf *b);
int file_read_fd(int fd, struct buf *b);

/* Opens a plain file of anybody's, to be read, wherever links lead: what a person names, what a program has installed. It never waits.
 * The descriptor, or -errno: -EISDIR for a directory, -EINVAL for what else is no plain file. */
int file_open_plain(const char *path, struct stat *ret);

/* All of it, however often that takes. */
int file_write_fd(int fd, struct span content);

/* A file of ours, written beside its place ("PATH.new") and renamed, so that nobody sees half of it; what cannot be written leaves the
 * old one as it is. What stands at either name is replaced, never followed. `durable`: file and name are on the disk when this
 * returns. */
int file_replace(const char *path, struct span content, mode_t mode, bool durable);
