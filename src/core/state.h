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
    struct map projects;  /* project name → struct project, numbers for titles */
    struct map keys;      /* Idempotency-Key → its copy in key_order */
    char **key_order;     /* ring of the newest STATE_KEYS_MAX */
    size_t key_next;
    struct list gone;           /* removed, but effects still speak of them */
    struct list dirty;          /* struct session.in_dirty: changed since the last batch */
    struct list dirty_projects; /* struct project.in_dirty */
    struct heap deadlines;      /* struct worker.deadlines */
    size_t session_count;
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

/* Remembers an Idempotency-Key, and forgets the oldest past the maximum; false when it is known already. */
bool state_remember_key(struct state *st, struct span key);

/* Counts one more session of a project and returns its number. */
uint64_t state_count_session(struct state *st, struct span project);
/* The project's record, made on first use. */
struct project *state_project(struct state *st, struct span name);

/* Notes that some facets changed: for the board, and for the store. */
void session_touch(struct state *st, struct session *s, unsigned facets);
