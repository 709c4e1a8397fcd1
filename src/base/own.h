/*
 * Files of ostler's own: state, spool, configuration. Whoever could put something else in their place (a link, a FIFO, a
 * device, another user's file) could have us write elsewhere or wait for ever, so none of that is ever opened.
 *
 * A directory counts when it belongs to this user. A file counts when it is a plain one of this user's, reached without a link
 * from such a directory. Directories and files that others may write are made ours alone on the way. Nothing here allocates: the
 * hook uses it. What a person keeps elsewhere behind a link is opened by own_linked.h, whole files by file.h.
 */
#pragma once

#include <sys/types.h>

/* A descriptor of a directory of ours, or -errno: -EPERM when it is another user's, -ENOTDIR when it is none. */
int own_dir(const char *path);

/* The same for the directory that a file is in; the file's name there is left in `ret_name`. */
int own_dir_of(const char *path, const char **ret_name);

/* open(2) of a plain file of ours by its name in such a directory. A descriptor, or -errno: -ELOOP for a link, -EINVAL for what is
 * no plain file, -EPERM for another user's. It never waits for a peer, whatever stands there. */
int own_open_at(int dir, const char *name, int flags, mode_t mode);

/* Both, by the file's path. */
int own_open(const char *path, int flags, mode_t mode);

/* Would own_open() take what stands there? 0 or -errno, without opening it: closing a descriptor gives up all of a process' locks on
 * a file, so databases are only looked at. */
int own_look(const char *path);

/* What a person is told when one of these refused: "it is a symbolic link" and so on; NULL for an error of another kind. */
const char *own_refusal(int code);
