/*
 * The owner of every session. Lookup by stable id or by any alias: the agent's ids, now and before a resume, the
 * terminal id that stood in for one. Aliases are added, never moved, so a card cannot be made twice.
 */
#pragma once

#include "base/map.h"
#include "core/model.h"

enum { STATE_KEYS_MAX = 10000 }; /* a key is for a client's retry, which comes soon or never */

struct state {
    struct list sessions; /* struct session.in_state, oldest first */
    struct map aliases;   /* alias → struct worker */
    struct map processes; /* agent's pid and start → struct process */
    struct map terminals; /* pid of a terminal's first process → struct worker */
    struct list open;     /* struct worker.in_open: an unknown agent may belong here */
    struct list spawning; /* struct worker.in_spawning: subagents were announced lately, the newest last */
    struct list teams;    /* struct team.in_state, oldest first */
    struct map team_ids;  /* team id → struct team */
    struct map projects;  /* project name → struct project, numbers for titles */
    struct map keys;      /* Idempotency-Key → its copy in key_order */
    char **key_order;     /* ring of the newest STATE_KEYS_MAX */
    size_t key_next;
    struct list ended_requests; /* struct ended_request, the newest first */
    size_t ended_request_count; /* effects may speak of more than are kept: state_reap() forgets those */
    struct list written_rules;  /* struct written_rule, the newest first */
    size_t written_rule_count;
    bool away;                  /* the person has said so */
    int64_t away_since_ms;      /* since when it is as it is; 0: it was never said */
    char *away_by;              /* by whom, in words */
    struct list gone;           /* removed, but effects still speak of them */
    struct list gone_teams;     /* likewise */
    struct list dirty;          /* struct session.in_dirty: changed since the last batch */
    struct list dirty_projects; /* struct project.in_dirty */
    struct list dirty_teams;    /* struct team.in_dirty */
    struct heap deadlines;      /* struct worker.deadlines, struct team.deadline */
    size_t session_count;
    int64_t keep_hosted_ms; /* ended cards of hosted agents stay for this long; 0: until they are closed */
};

/* How many sessions a project has had: the `#n` of automatic titles. */
struct project {
    char *name;
    uint64_t sessions;
    struct list in_dirty; /* not yet in a batch for the store */
};

void state_init(struct state *st);
void state_fini(struct state *st);

/* A new session with its primary agent worker; its stable id is its first alias. Both ids come from `pos`. */
struct session *state_add_session(struct state *st, uint64_t pos, enum session_kind kind);
/* The same with ids that are known: what the store loads. */
struct session *state_restore_session(struct state *st, const char *id, enum session_kind kind,
                                      const char *worker_id);

/* Takes it off the board, with every alias that leads to it. Effects may still point to it: state_reap() frees it. */
void state_remove_session(struct state *st, struct session *s);
/* Frees what was removed; call it once the effects are carried out. */
void state_reap(struct state *st);

/* By stable id or any alias; NULL when unknown. */
struct worker *state_find(const struct state *st, struct span id_or_alias);

/* Adds an alias; it stays with its first owner when it is taken. */
void state_add_alias(struct state *st, struct span alias, struct worker *w);

/* The agent's process is this one; 0 = unknown. */
void state_set_process(struct state *st, struct worker *w, int64_t pid, uint64_t start);
/* Whose process it is, of several the one that was heard of last; NULL when unknown. Without a start a reused pid could
 * not be told apart: nobody's. */
struct worker *state_find_process(const struct state *st, int64_t pid, uint64_t start);

/* How many conversations that have not ended live in the worker's process, this one included; 0 when it is unknown. */
size_t state_count_process(const struct state *st, const struct worker *w);

/* The worker runs in this terminal now, whose first process is `pid` (0 = unknown); an empty id: in none. What it ran in
 * before becomes its last. */
void state_set_terminal(struct state *st, struct worker *w, struct span terminal_id, int64_t pid);
/* The worker in the terminal that has `pid` as its first process; NULL when there is none. */
struct worker *state_find_terminal(const struct state *st, int64_t pid);

/* A team by its id; NULL when unknown. */
struct team *state_find_team(const struct state *st, struct span id);
/* A new team without members. */
struct team *state_add_team(struct state *st, struct span id);
/* Takes it away; its sessions stay. state_reap() frees it. */
void state_remove_team(struct state *st, struct team *team);
/* Notes that a team changed, for the store. */
void team_touch(struct state *st, struct team *team);

/* What its `sessionId` on the wire is: the agent's newest one, before that its terminal's, before that its own. */
const char *session_wire_id(const struct session *s);

/* Remembers an Idempotency-Key, and forgets the oldest past the maximum; false when it is known already. */
bool state_remember_key(struct state *st, struct span key);

/* Counts one more session of a project and returns its number. */
uint64_t state_count_session(struct state *st, struct span project);
/* The project's record, made on first use. */
struct project *state_project(struct state *st, struct span name);

/* Notes that some facets changed: for the board, and for the store. */
void session_touch(struct state *st, struct session *s, unsigned facets);
