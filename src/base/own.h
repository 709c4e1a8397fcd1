/*
 * Files of ostler's own: state, spool, configuration. Whoever could put something else in their place (a link, a FIFO, a
 * device, another user's file) could have us write elsewhere or wait for ever, so none of that is ever opened.
 *
 * A directory counts when it belongs to this user; one that others may write is made ours alone on the way. A file counts when
 * it is a plain one of this user's, reached without a link from such a directory. Nothing here allocates: the hook uses it.
 */
#pragma once

#include <sys/types.h>

/* A descriptor of a directory of ours, or -errno: -EPERM when it is another user's, -ENOTDIR when it is none. */
int own_dir(const char *path);

/* open(2) of a plain file of ours by its name in such a directory. A descriptor, or -errno: -ELOOP for a link, -EINVAL for what is
 * no plain file, -EPERM for another user's. It never waits for a peer, whatever stands there. */
int own_open_at(int dir, const char *name, int flags, mode_t mode);

/* Both, by the file's path. */
int own_open(const char *path, int flags, mode_t mode);

/* What a person is told when one of these refused: "it is a symbolic link" and so on; NULL for an error of another kind. */
const char *own_refusal(int code);
