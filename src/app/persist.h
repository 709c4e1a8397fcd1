/*
 * What goes to the database and when: changes gather in a batch; when the writer is free it gets the batch with the
 * spool mark that it brings the state to. While it is busy, and when the disk refuses, the next batch grows; past a
 * limit the spool is not read further, because its bytes are safe where they are.
 */
#pragma once

#include "api/api.h"
#include "store/store.h"

struct persist {
    struct store *store; /* NULL once the owner has closed it: outcomes may still be on their way */
    struct state *state;
    struct board *board;
    struct ingest *ingest;
    struct api_stats *stats;
    struct calls *calls; /* wait for commits */

    struct store_batch *batch; /* being filled */
    struct spool_mark mark;    /* everything before it is applied */
    uint64_t submitted;        /* position of the batch under way */
    size_t submitted_bytes;
    bool under_way;
    bool checkpointing;
    bool checkpoint_failed; /* said once, until one succeeds */
    bool paused;

    void (*drained)(void *user); /* once, when a stop was asked for and nothing is left to commit */
    void *drained_user;
};

enum {
    PERSIST_BATCH_BYTES = 32 << 20, /* a batch past this stops the reading */
    PERSIST_LARGE_BYTES = 1 << 20,  /* after one past this the heap is full of holes */
};

void persist_open(struct persist *p, struct store *store, struct state *state, struct board *board,
                  struct api_stats *stats, struct calls *calls, const struct spool_mark *mark);
void persist_close(struct persist *p);

/* Effects that leave rows behind. */
void persist_append(struct persist *p, const struct session *s, enum history_kind kind,
                    const struct entry *e);
void persist_amend(struct persist *p, const struct session *s, enum history_kind kind, const struct entry *e);
void persist_removed(struct persist *p, const struct session *s);
void persist_team_removed(struct persist *p, const struct team *team);
void persist_ended_request(struct persist *p, const struct ended_request *e);
void persist_rule(struct persist *p, const struct written_rule *rule);
void persist_away(struct persist *p); /* whether the person is has changed */
void persist_key(struct persist *p, struct span key, int64_t at_ms);

/* The state now includes everything before `mark` (NULL: the mark did not move); commits when the writer is free. */
void persist_turn(struct persist *p, const struct spool_mark *mark);

/* Commits what is left, then calls `done`; gives up at the first failure. */
void persist_drain(struct persist *p, void (*done)(void *user), void *user);
