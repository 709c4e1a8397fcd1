/*
 * Files of ostler's own that a person may keep elsewhere: the configuration, which many have in a git repository with a link to it
 * from where programs look. A link is followed there, but only to what nobody else could have put in its place.
 */
#pragma once

#include <sys/stat.h>

/* Opens a plain file of this user's or root's, to be read. What is behind a link must besides lie in directories of this user's or
 * root's, up to the root, that others cannot write to. A descriptor, or -errno as own_open() gives it. It never waits. */
int own_open_linked(const char *path, struct stat *ret);

/* The directory that such a file lies in, with all links resolved: 0 when nobody else could exchange what is in it, else -EPERM. */
int own_check_way(const char *dir);

/* Why a file of ours could not be opened, and what to do, as the end of a sentence: "…: it is a symbolic link, …". Never NULL. */
const char *own_why(int code);
