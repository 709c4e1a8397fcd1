/*
 * Room for the day when the disk is full: an active segment has blocks of its own ahead of its end (FALLOC_FL_KEEP_SIZE), which
 * nobody else can take, not the database nor whoever filled the disk. Appending to it needs nothing more on ext4, xfs, btrfs and
 * tmpfs; on btrfs only as a file that is not copied on write, which can be said of an empty one alone. So a segment gets its room
 * when it is made, and one that has little left is sealed and followed by another.
 */
#pragma once

#include "spool/spool.h"

#include <sys/stat.h>

/* Makes the next segment of the directory, with `bytes` of room. 0, also when it is there already; -EOPNOTSUPP where the file
 * system has nothing of the kind; -errno, such as -ENOSPC. */
int reserve_make(const char *path, uint64_t bytes);

/* Makes it the active one, if there is none. */
void reserve_use(int dir);

/* How much room a segment has ahead of its end. */
uint64_t reserve_left(const struct stat *st);
