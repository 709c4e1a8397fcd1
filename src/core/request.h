/*
 * What an agent asks a person, and the tool calls under way that it asks about. A request stays until something shows that
 * it was answered: its call ends, its turn ends, the agent goes on, or the CLI itself says that it waits no more.
 */
#pragma once

#include "core/apply.h"
#include "core/inbox.h"

/* Who asks, about what. Spans may be empty. */
struct asking {
    struct span tool, input; /* the call's raw JSON */
    struct span agent;       /* the subagent that asks */
    struct span call;        /* the call's id, or the request's own */
    struct span text;        /* without a tool: the question, as people read it */
    struct span hold;        /* the key of the hook that waits for an answer */
    struct span suggestions; /* what "always" could mean, raw JSON */
    const char *label;       /* `waitingDetail` in the seed's words; NULL: "Approve TOOL: …", or the text */
    enum attention_kind kind; /* NONE: what the tool says */
    bool certain;
};

/* Adds a request, or adds what is new to one that is known: the same agent about the same call, or a guess that has
 * become certain. */
const struct request *request_add(struct turn *t, const struct asking *a);

/* Is a plan asked about of which only the file's name is known? */
bool request_is_plan_unread(const struct request *r);
/* Puts words to the plan that is asked about, where there are none yet; false when there is no such request. */
bool request_explain_plan(struct turn *t, const struct asking *a);

/* This one was answered; false when it is not known. */
bool request_end_one(struct turn *t, struct span call);
/* What was asked before `at_ms` is answered, or will never be. */
void request_end_before(struct turn *t, int64_t at_ms);
/* It asks nothing any more. */
void request_end_all(struct turn *t, enum ending how);
/* This one, of the turn's conversation, is over. */
void request_end_this(struct turn *t, const struct request *r, enum ending how);

/* What an event shows of requests and calls, before it moves the status: some are answered, or over. */
void request_heard(struct turn *t, const struct event *ev);

/* A call began, whose entry in the history is at `history_pos`. */
void call_begin(struct turn *t, const struct event *ev, uint64_t history_pos);
/* The newest call of an agent that is under way; NULL when there is none. */
const struct tool_call *call_of(const struct conversation *c, struct span agent);
/* The call with this id that is under way; NULL when there is none. */
const struct tool_call *call_find(const struct conversation *c, struct span id);
/* Where the entry of this call is in the history, under way or ended lately; 0: unknown. */
uint64_t call_pos(const struct conversation *c, struct span id);
/* Entries from this position on may still change: a call's that goes wrong. */
uint64_t call_oldest_pos(const struct conversation *c);
/* One is over, and nothing else will tell. */
void call_forget(struct conversation *c, struct span id);
/* All of them are over. */
void call_forget_all(struct conversation *c);

/* Frees what they own. */
void request_fini(struct request *r);
void call_fini(struct tool_call *k);
