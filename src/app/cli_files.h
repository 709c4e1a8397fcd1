/*
 * Files that the agents' CLIs keep of a conversation, by paths that a hook named. A path counts only beneath the directory of that CLI
 * (which may be a link of the person's own), or beneath the home directory without any link on the way.
 */
#pragma once

#include "core/agent.h"

#include <sys/stat.h>

/* Opens one to be read: a plain file of this user's, see beneath_open(). */
int cli_file_open(enum cli cli, const char *path, struct stat *ret);
/* The same for a directory. */
int cli_dir_open(enum cli cli, const char *path);
