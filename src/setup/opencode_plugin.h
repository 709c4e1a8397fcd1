/* opencode's plugin: a file of our own that runs the hook for what happens there. Pure. */
#pragma once

#include "setup/found.h"

void opencode_plugin_write(const struct event_wish *wish, struct span command, struct buf *out);
/* -EINVAL: somebody else's file lies where ours would. */
int opencode_plugin_find(struct span text, struct setup_found *ret, struct err *err);
