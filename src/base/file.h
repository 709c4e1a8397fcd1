/* Whole files, read and written at once. */
#pragma once

#include "base/buf.h"

#include <sys/stat.h>

/* All of a file behind what `b` holds; -EFBIG when it is more than `b` may hold. */
int file_read(const char *path, struct buf *b);
int file_read_fd(int fd, struct buf *b);

/* Opens a file that somebody else writes, to be read: without following a link, and only a plain file of this user's. Returns
 * the descriptor, or -errno (-EINVAL for anything else). */
int file_open_own(const char *path, uint64_t *ret_size);

/* All of it, however often that takes. */
int file_write_fd(int fd, struct span content);

/* Written beside it ("PATH.new") and renamed, so that nobody sees half of it; what cannot be written leaves the old one as it is.
 * `durable`: on the disk before it takes the place. */
int file_replace(const char *path, struct span content, mode_t mode, bool durable);
