/*
 * Agents that work together. A leader starts others: they say so in their environment (its session id), or they begin in
 * its directory right after it announced a subagent.
 */
#pragma once

#include "core/command.h"

enum {
    TEAM_SPAWN_MS = 10000,  /* a subagent that was announced shows up within this */
    TEAM_FORGET_MS = 30000, /* announcements are forgotten after this */
    TEAM_REMOVAL_MS = 15000 /* a team of which everybody ended goes after this */
};

/* The turn's session announced a subagent. */
void team_announced(struct turn *t, struct span agent_type);

/* Finds the session's team, if it has none yet. */
void team_find(struct turn *t, const struct event *ev);

/* The session ended, or came back to life. */
void team_left(struct turn *t);
void team_returned(struct turn *t);

/* It leaves the board. */
void team_removed(struct turn *t);

/* What the team's configuration says of the turn's session. */
void team_member_configured(struct turn *t, const struct command *cmd);

/* Everybody has ended long enough ago. */
void team_due(struct state *st, struct team *team, struct effects *fx);

/* After a load: the worker goes on the list of those that announced something, in the order of that. */
void team_index(struct state *st, struct worker *w);
