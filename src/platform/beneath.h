/*
 * Files of other programs' that a path from outside names: opened beneath one directory and nowhere else. The directory itself is
 * resolved once and must be this user's; beneath it no link is followed, and what is opened is a plain file of this user's. The
 * kernel does the walking where it can (openat2), so that nobody can exchange a directory for a link half way.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* The directory at `path`, links to it followed, if it is this user's. A descriptor, or -errno: -EPERM for another user's. */
int beneath_root(const char *path);

/* open(2) of a plain file by its path relative to a directory. A descriptor, or -errno: -ELOOP when there is a link on the way,
 * -EXDEV for a path that leads elsewhere, -EISDIR or -EINVAL for what is no plain file, -EPERM for another user's. It never waits for
 * a peer, only for whoever holds a lease on the file. Nothing is ever created or cut. */
int beneath_open(int root, const char *relative, int flags, struct stat *ret);

/* The same for a directory of this user's, to find others from; "" is the root itself. */
int beneath_open_dir(int root, const char *relative);

/* What of `path` lies beneath the directory `root`, as both are written; NULL when it does not. */
const char *beneath_part(const char *root, const char *path);

/* Why one of these refused, as the end of a sentence; never NULL. */
const char *beneath_why(int code);

/* For tests: every directory is opened one by one, as on a kernel without openat2. */
void beneath_walk_only(bool on);
