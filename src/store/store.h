/*
 * The database: sessions and their history in SQLite. One writer thread commits batches; the loop thread fills
 * them and learns of the outcome by mail. A batch carries the spool mark it brings the state to, in the same
 * transaction, so that after a crash the spool continues exactly there.
 */
#pragma once

#include "base/err.h"
#include "core/effect.h"
#include "core/state.h"
#include "loop/post.h"
#include "spool/spool.h"

struct store;
struct store_batch;
struct written_rule;

/* What `store_load` found besides sessions. */
struct store_meta {
    struct spool_mark mark; /* zeros in a new database */
    uint64_t seq;           /* no broadcast so far had this number or a higher one */
};

/* Opens or creates the database file (0600), brings its schema up to date, starts the writer thread. */
int store_open(const char *file, struct post *mail, struct store **ret, struct err *err);
/* Commits what was submitted, stops the thread, closes. Blocks; what could not be committed is dropped (its bytes
 * are still in the spool). */
void store_close(struct store *s);

/* Fills an empty state with the sessions that are still on the board. Before the first submit only. */
int store_load(struct store *s, struct state *st, struct store_meta *ret, struct err *err);

/* A batch is filled on the loop thread with copies and then belongs to the writer. */
struct store_batch *store_batch_new(void);
void store_batch_free(struct store_batch *b);
void store_batch_session(struct store_batch *b,
                         const struct session *s); /* the session's row, aliases, workers */
void store_batch_append(struct store_batch *b, const struct session *s, enum history_kind kind,
                        const struct entry *e);
void store_batch_amend(struct store_batch *b, const struct session *s, enum history_kind kind,
                       const struct entry *e);
void store_batch_remove(struct store_batch *b, const struct session *s); /* off the board; history stays */
void store_batch_project(struct store_batch *b, const struct project *p);
void store_batch_team(struct store_batch *b, const struct team *team, bool removed);
void store_batch_key(struct store_batch *b, struct span key, int64_t at_ms); /* an Idempotency-Key was used */
void store_batch_ended_request(struct store_batch *b, const struct ended_request *e);
void store_batch_rule(struct store_batch *b, const struct written_rule *rule);
void store_batch_away(struct store_batch *b, const struct state *st); /* whether the person is */
void store_batch_mark(struct store_batch *b, const struct spool_mark *mark, uint64_t seq);
size_t store_batch_bytes(const struct store_batch *b); /* about what it holds, for back-pressure */
bool store_batch_empty(const struct store_batch *b);

/* The outcome of a batch or checkpoint, on the loop thread: 0 and "", or a negative errno and a sentence. What failed
 * is kept by the writer and tried again until it succeeds or the store closes; `done` is called for each try. The
 * last calls may come after store_close(), out of the mailbox. */
typedef void store_done_fn(void *user, int result, const char *message);

/* Hands a batch over; one may be under way at a time. */
void store_submit(struct store *s, struct store_batch *b, store_done_fn *done, void *user);

/* Makes everything committed so far durable (fsync), so that its spool segments may go. One may be under way at a
 * time, beside a batch; one that a reader holds up does not hold up batches. */
void store_checkpoint(struct store *s, store_done_fn *done, void *user);
