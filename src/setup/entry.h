/*
 * What is registered with a CLI: the command line that runs ostler-hook, the entry around it, and the hashes by which Codex trusts it.
 * The same for hooks that are installed for good and for those of one run of a hosted agent. Pure.
 */
#pragma once

#include "base/buf.h"
#include "core/enums.h"
#include "crypto/digest.h"

#define ENTRY_PROGRAM "ostler-hook"

#define ENTRY_REPLY " --reply"

enum { ENTRY_TIMEOUT_S = 5, ENTRY_REPLY_TIMEOUT_S = 24 * 60 * 60, ENTRY_COMMAND_MAX = 16 << 10 };

struct entry_command {
    const char *hook; /* where the program is */
    const char *home; /* OSTLER_HOME, which an agent's environment need not have; NULL: none */
    enum cli cli;
    bool hosted; /* for one run */
};

/* The command line, for a shell. */
void entry_command(struct buf *out, const struct entry_command *c);

/* The command line for one event: with ENTRY_REPLY where the CLI takes an answer to it. Appends to `out`. */
void entry_event_command(struct buf *out, enum cli cli, const char *event, struct span command);

/* Does a command line run an ostler-hook, wherever it is (people have written it without a path, too)? Its path goes to `ret_path` (may be NULL), which is cleared before. */
bool entry_is_ours(struct span command, struct buf *ret_path);

/* Claude Code's and Gemini's: {"hooks":[{"type":"command",…}]}, compact; `command` is the event's. */
void entry_group(struct buf *out, enum cli cli, struct span command);
/* What the "timeout" of an event's command is: a day for one that waits for an answer. */
int entry_timeout(enum cli cli, const char *event, struct span command);

/* Codex' name for an event: "pre_tool_use". */
void entry_codex_event(struct buf *out, const char *event);
/* The hash that Codex wants to see before it trusts this handler of the event. */
void entry_codex_hash(const char *event, struct span command, int timeout, char ret[DIGEST_SHA256_HEX]);
