/*
 * A small text file that a person owns, read whole and replaced whole. It may be a link: people keep such files in a repository of
 * theirs. What it leads to must then be a plain file of this user's or root's, in directories that nobody else can write to.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { CONFIG_FILE_BYTES_MAX = 1 << 20 };

/* Its text, behind what is in `ret`. -ENOENT, without a sentence, when there is none. */
int config_file_read(const char *file, struct buf *ret, struct err *err);

/* Makes a new text of the old one (empty when there is no file); an error of `edit` changes nothing. One writer at a time: a change
 * that somebody else made meanwhile is edited, not overwritten. The new file takes the old one's place at once, 0600, where symbolic
 * links lead to; directories that are missing are made. */
int config_file_edit(const char *file,
                     int (*edit)(void *user, struct span text, struct buf *out, struct err *err), void *user,
                     struct err *err);
