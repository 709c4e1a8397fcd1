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
    EFFECT_ANSWER, /* a command was carried out, or its session was not found (call, pos of its record, found) */
    EFFECT_TRANSCRIPT,   /* its agent has ended, perhaps in the middle of a line (session) */
    EFFECT_TEAM,         /* a team was made, or its members changed (team) */
    EFFECT_TEAM_REMOVED, /* (team) */
    EFFECT_TEAM_CONFIG,  /* look up what the team's configuration says of a member (session, team) */
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
    bool found;
};

struct effects {
    struct effect *items;
    size_t count, room;
};

#define EFFECTS_INIT ((struct effects){0})

void effects_fini(struct effects *fx);
void effects_clear(struct effects *fx);
void effects_add(struct effects *fx, struct effect e);
