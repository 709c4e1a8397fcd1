/*
 * Where a transcript is: the directory, held open, and the file's name in it. Everything that is done to a transcript happens by these
 * two, so that nobody can lead it elsewhere by exchanging a directory or a file for a link meanwhile. Internal to the files of this
 * folder that do I/O.
 */
#pragma once

#include "base/err.h"
#include "base/path.h"
#include "repair/file.h"

#include <sys/stat.h>

struct place {
    int dir;
    const char *path;          /* as the caller named it; borrowed, for sentences */
    char dir_path[PATH_BYTES]; /* that of `dir` */
    char name[PATH_BYTES];
};

/* Finds the directory. `root`: the file lies beneath it and no link is followed on the way. Without: a person named this very file, and
 * a link that they named is followed once, to where the file is. */
int place_open(const char *path, const char *root, struct place *ret);
void cleanup_place(struct place *p);

/* The file itself, a plain one of this user's, no link followed; errors as of beneath_open(). */
int place_open_file(const struct place *p, int flags, struct stat *ret);
/* Another file in the same directory. */
int place_open_beside(const struct place *p, const char *name, int flags, struct stat *ret);

/* Whether the name stands for this very file: 0, or -ESTALE. */
int place_check_same(const struct place *p, const char *name, int fd);

/* What is said of a file with a second name. */
#define MANY_NAMES                                                                                         \
    "%s has a second name (a hard link), which a repair would change as well: it was left as it is; copy " \
    "it, and put the copy in its place"

/* 0 when the file may be written to: it has no second name, which would be changed as well (-EMLINK), and its directory is this
 * user's or root's (-EPERM). */
int place_may_write(const struct place *p, int fd);
