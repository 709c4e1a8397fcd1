/* What every part of the core does to a conversation: log, forget what it was about, end, or become another one. */
#pragma once

#include "core/apply.h"
#include "core/status.h"

/* Adds to one of its histories. A record may log several events; they stay in order. */
void conversation_log(struct turn *t, enum history_kind kind, struct span what, struct span detail);

void conversation_clear_tool(struct turn *t); /* no tool is in flight */
void conversation_clear_error(struct turn *t);
void conversation_forget_work(struct turn *t); /* nothing of it goes on: no tool, no error, no subagent */

/* The history says of the call that has just ended that it failed; when that is not known, of the newest one, if it is of
 * this tool (or whichever it is, for an empty name). */
void conversation_mark_failed(struct turn *t, struct span tool, struct span error);

/* It is over, for this reason; the log says so in these words. */
void conversation_end(struct turn *t, struct reason why, struct span detail);

/* From here on the card shows the conversation `session_id`: its first, or another one, and then what it was about before
 * becomes one of its previous ones. The old ids keep leading here. */
void conversation_become(struct turn *t, struct span session_id);
