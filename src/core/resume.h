/* Hosted agents: their cards before an agent has spoken, and cards that are to get their agent back. */
#pragma once

#include "core/command.h"

/* A terminal was made for an agent that is to come: its card appears at once. */
void resume_terminal_made(struct turn *t, const struct command *cmd);
/* The terminal is gone, and with it what ran in there. */
void resume_terminal_gone(struct turn *t, const struct command *cmd);

/* A person asked to have the session's agent back, in this terminal. */
void resume_requested(struct turn *t, const struct command *cmd);
/* It did not come in time. */
void resume_due(struct turn *t);
