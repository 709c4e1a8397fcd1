/*
 * CLIs that load whatever lies in a directory get a file of our own: Copilot CLI a list of hooks, opencode a plugin that runs the
 * hook. Pure.
 */
#pragma once

#include "setup/found.h"

/* The whole file. */
void own_file_write(const struct event_wish *wish, struct span command, struct buf *out);

/* What is in it. -EINVAL: somebody else's file lies where ours would. */
int own_file_find(enum cli cli, struct span text, struct setup_found *ret, struct err *err);
