/*
 * Hooks in Codex CLI's config.toml: a fenced block with our tables and, because Codex skips what it does not trust without a word,
 * their hashes. A hash belongs to a place: the file, the event, and how many groups of that event come before. What is outside of
 * the fence keeps its bytes. Pure.
 */
#pragma once

#include "setup/found.h"

/* Makes the block what it is wished to be, at its place or at the end. `source` is the file's path as Codex knows it.
 * -EINVAL: the text is broken, or has hooks in a form that cannot be added to. */
int codex_hooks_install(struct span text, const char *source, struct span command,
                        const struct event_wish *wish, struct buf *out, struct err *err);

/* Takes the block out; what others put into it stays. */
int codex_hooks_remove(struct span text, struct buf *out, struct err *err);

/* What of ours is in it, fenced or not, and whether Codex will run it. */
int codex_hooks_find(struct span text, const char *source, struct setup_found *ret, struct err *err);
