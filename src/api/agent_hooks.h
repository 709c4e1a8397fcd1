/*
 * Hooks for one run of a hosted agent: nothing is written to the user's own files. A hook that was registered for the run is
 * called with --hosted; an installed one that finds the run's agent in OSTLER_HOSTED leaves the telling to it.
 */
#pragma once

#include "base/buf.h"
#include "base/strv.h"
#include "core/agent.h"
#include "setup/cli_version.h"
#include "setup/place.h"

/* The words of `agent`'s command line, with its hooks added behind the program; returns whether there are any: some CLIs have
 * none for a run, and a command line may bring its own settings. `hook` is the path of ostler-hook, NULL when unknown;
 * files are kept in `dir`, which is made; `notes` are those of setup/version.h; `program` is the whole path of what the
 * first word means, NULL when unknown. */
bool agent_hooks_add(const struct agent *agent, const char *hook, const char *dir,
                     const struct setup_notes *notes, const char *program, char ***words);

/* Claude Code's settings file with them, for that version of it. */
void agent_hooks_claude(const char *hook, struct cli_version version, struct buf *out);
/* Codex' arguments with them, and with the hashes that it wants to see before it trusts any. */
void agent_hooks_codex(const char *hook, char ***args);
