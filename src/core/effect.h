/* What applying an event asks of the outside. The core decides, app/effects.c carries out. */
#pragma once

#include "core/model.h"

enum effect_kind {
    EFFECT_BROADCAST, /* the session changed: tell the boards, persist it (session) */
    EFFECT_APPEND,    /* a history entry was added (session, history, entry) */
    EFFECT_AMEND,     /* an entry changed after it was added: a tool call failed (session, history, entry) */
    EFFECT_PROBE,     /* look at the session's process and tell by a record in the spool (session, probe) */
    EFFECT_REMOVE,    /* the card left the board (session); state_reap() frees it after the effects */
    EFFECT_WATCH,     /* a session is new, its process is another one, it ended, or lives again (session) */
    EFFECT_AMBIGUOUS, /* a guess had several answers, so none was taken (session: one of them, guess, candidates) */
    EFFECT_ANSWER, /* a command was carried out, or could not be (call, pos of its record, outcome, end) */
    EFFECT_ASKED,  /* something is asked, or what is asked has changed (session, request) */
    EFFECT_ENDED,  /* a request is over (session, ended) */
    EFFECT_REPLY,  /* a request was answered from here: tell its agent (session, request) */
    EFFECT_RULE,   /* a rule was written from here, or undone (rule) */
    EFFECT_AWAY,   /* the person went away, or is back */
    EFFECT_TRANSCRIPT,   /* its agent has ended, perhaps in the middle of a line (session) */
    EFFECT_TEAM,         /* a team was made, or its members changed (team) */
    EFFECT_TEAM_REMOVED, /* (team) */
    EFFECT_TEAM_CONFIG,  /* look up what the team's configuration says of a member (session, team) */
};

/* What became of a command that somebody waits for. */
enum call_outcome {
    OUTCOME_DONE,
    OUTCOME_NOT_FOUND,   /* there is no such session, or no such request any more */
    OUTCOME_TOO_LATE,    /* the request has ended (`end`), or was answered already */
    OUTCOME_CHANGED,     /* the request is not what was seen */
    OUTCOME_UNDELIVERED, /* the answer did not reach the agent (`why`) */
};

struct effect {
    enum effect_kind kind;
    struct session *session;
    enum history_kind history;
    struct entry *entry;
    enum probe probe;
    struct team *team;
    const char *guess;
    size_t candidates;
    uint64_t call, pos;
    enum call_outcome outcome;
    enum request_end end;
    char request[ID_BYTES];      /* a request's id */
    struct ended_request *ended; /* lives until state_reap() */
    struct written_rule *rule;   /* likewise */
    struct span why;             /* a sentence; in the arena of the event */
};

struct effects {
    struct effect *items;
    size_t count, room;
};

#define EFFECTS_INIT ((struct effects){0})

void effects_fini(struct effects *fx);
void effects_clear(struct effects *fx);
void effects_add(struct effects *fx, struct effect e);
