/*
 * history.jsonl: the list from which Claude Code offers sessions to be resumed. A session that a crash kept from being
 * entered there is added after the fact, once.
 */
#pragma once

#include "base/err.h"
#include "base/map.h"
#include "base/path.h"

/* What is known of one history file. It is read again only where it grew. Not for two threads at once. */
struct prompt_history {
    char file[PATH_BYTES];
    struct map known;       /* session ids in it */
    uint64_t device, inode; /* of the file that `read` belongs to */
    uint64_t read;          /* bytes of whole lines that were looked at */
};

/* `home` is Claude Code's directory; nothing is read yet. */
int prompt_history_open(struct prompt_history *h, const char *home);
void prompt_history_close(struct prompt_history *h);

/* Adds the session of this transcript, unless it is there: 1 added, 0 nothing to do (it is known, the id is
 * none of Claude Code's, or the transcript has no prompt that could be entered). */
int prompt_history_add(struct prompt_history *h, struct span session_id, const char *transcript,
                       struct err *err);
