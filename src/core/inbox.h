/*
 * What is asked on the whole board, how it is answered from here, and how it ended. A request is open in its conversation
 * (core/request); one that is over is kept here for a while, with exactly one end.
 *
 * An answer takes three steps, each a record in the spool: it is given (`answer`), the agent is told (an effect), and whoever told it
 * notes that it was (`replied`) or that it could not be (`undelivered`). A crash between two of them leaves a request that is still
 * open, never one that is answered twice.
 */
#pragma once

#include "core/command.h"

/* How it is known that a request is over. */
enum ending {
    ENDING_OVER,    /* its agent waits no longer for an answer */
    ENDING_RAN,     /* what it asked for has been done */
    ENDING_GONE,    /* its agent has ended, or has begun something else */
    ENDING_DROPPED, /* there are too many */
};

/* The request is over: notes how, keeps it among the ended ones and empties `r`. The caller takes it out of the conversation. */
void inbox_ended(struct turn *t, struct request *r, enum ending how);
/* Something is asked, or what is asked has changed. */
void inbox_asked(struct turn *t, const struct request *r);

/* The open request with this id in one session; NULL when there is none. */
struct request *inbox_find_in(const struct session *s, struct span id, struct worker **ret_worker);
/* The same on the whole board: for people, who ask seldom. */
struct request *inbox_find(const struct state *st, struct span id, struct worker **ret_worker);
/* One of the last that ended; NULL when it is not among them. */
const struct ended_request *inbox_find_ended(const struct state *st, struct span id);

/* An answer is on its way to the agent, or has just arrived: a dialog that is still there, or a file that still says that it waits,
 * is about what was answered. */
bool inbox_settles(const struct state *st, const struct worker *w, int64_t now_ms);

/* Who was first when somebody at the desk answers in the same moment, only the CLI knows: its record says who decided about a call.
 * Is such a word wanted of this agent? Does it say something else than what was told? */
bool inbox_wants_word(const struct state *st, const struct worker *w, int64_t now_ms);
bool inbox_doubts(const struct state *st, const struct worker *w, struct span call, bool by_hook);
/* The word: a hook's answer counted, or somebody's at the desk. The request's end is told once more where it was another one. */
void inbox_decided(struct turn *t, struct span call, bool by_hook);

enum { INBOX_SETTLE_MS = 3000, INBOX_DOUBT_MS = 3600 * 1000 };

/* The commands. */
void inbox_answered(struct turn *t, const struct command *cmd);
void inbox_replied(struct turn *t, const struct command *cmd);
void inbox_undelivered(struct turn *t, const struct command *cmd);
void inbox_away(struct state *st, const struct command *cmd, int64_t at_ms, struct effects *fx);

/* Puts one back that the store has kept; the oldest first. */
void inbox_restore(struct state *st, struct ended_request *e);
/* Forgets all but the newest `keep`. */
void inbox_trim(struct state *st, size_t keep);
