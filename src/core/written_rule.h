/*
 * Rules that were written from here into a CLI's own settings: by an "always", which the CLI writes itself, or by a policy, which
 * the daemon does. They are listed so that they can be taken out again.
 */
#pragma once

#include "core/command.h"

enum { WRITTEN_RULES_MAX = 1000 }; /* then the oldest is forgotten; it stays in the CLI's settings */

struct written_rule {
    struct list in_state;
    char id[ID_BYTES];
    char session[ID_BYTES];
    enum cli cli;
    char *rule, *where;            /* "Bash(npm test:*)", "localSettings" */
    char *project;                 /* the directory that `where` is meant for */
    char *by;                      /* who wrote it, in words */
    int64_t written_ms, undone_ms; /* 0: it was not undone */
};

struct written_rule *written_rule_find(const struct state *st, struct span id);
/* It was written, by the turn's session; `nth` of those of the turn's record. */
void written_rule_add(struct turn *t, struct span rule, struct span where, struct span by, unsigned nth);
/* Those of an "always" that reached its agent: a list of {rule, where}, raw JSON. What ends with the session is not listed. */
void written_rule_add_all(struct turn *t, struct span json, struct span by);

/* The commands: one was written by the daemon; one was taken out. */
void written_rule_noted(struct turn *t, const struct command *cmd);
void written_rule_undone(struct state *st, const struct command *cmd, int64_t at_ms, struct effects *fx);

/* Puts one back that the store has kept; the oldest first. */
void written_rule_restore(struct state *st, struct written_rule *rule);
/* Forgets all but the newest `keep`. */
void written_rule_trim(struct state *st, size_t keep);
