/*
 * Hooks in a JSON settings file of Claude Code or Gemini CLI: {"hooks":{EVENT:[{"hooks":[{"command":…}]}]}}. Ours are known by the
 * program they run; everything else in the text keeps its bytes. Pure.
 */
#pragma once

#include "base/strv.h"
#include "setup/found.h"

/* Makes our entries in `text` what they are wished to be; writes the new text to `out`, which is empty. Lists that become
 * empty go, but for those that `kept` names: by their event, and "hooks" for the whole. */
int json_hooks_install(struct span text, const struct event_wish *wish, struct span command,
                       const char *const *kept, struct buf *out, struct err *err);

/* Takes ours out. */
int json_hooks_remove(struct span text, const char *const *kept, struct buf *out, struct err *err);

/* What is there already and empty, so that json_hooks_remove() must keep it. */
void json_hooks_empties(struct span text, char ***ret);

/* What of ours is in it. */
void json_hooks_find(struct span text, struct setup_found *ret);
