#define LOG_TAG "store"
#include "app/persist.h"

#include "base/log.h"
#include "core/request.h"

#include <malloc.h>
#include <stdio.h>

void persist_open(struct persist *p, struct store *store, struct state *state, struct board *board,
                  struct api_stats *stats, struct calls *calls, const struct spool_mark *mark) {
    *p = (struct persist){
        .store = store, .state = state, .board = board, .stats = stats, .calls = calls, .mark = *mark};
    p->batch = store_batch_new();
    p->submitted = spool_mark_position(mark);
    stats->committed = p->submitted;
}

void persist_close(struct persist *p) {
    store_batch_free(p->batch);
    p->batch = NULL;
}

void persist_append(struct persist *p, const struct session *s, enum history_kind kind,
                    const struct entry *e) {
    store_batch_append(p->batch, s, kind, e);
}

void persist_amend(struct persist *p, const struct session *s, enum history_kind kind,
                   const struct entry *e) {
    store_batch_amend(p->batch, s, kind, e);
}

void persist_removed(struct persist *p, const struct session *s) {
    store_batch_session(p->batch, s);
    store_batch_remove(p->batch, s);
}

void persist_team_removed(struct persist *p, const struct team *team) {
    store_batch_team(p->batch, team, true);
}

void persist_key(struct persist *p, struct span key, int64_t at_ms) {
    store_batch_key(p->batch, key, at_ms);
}

void persist_ended_request(struct persist *p, const struct ended_request *e) {
    store_batch_ended_request(p->batch, e);
}

void persist_rule(struct persist *p, const struct written_rule *rule) {
    store_batch_rule(p->batch, rule);
}

void persist_away(struct persist *p) {
    store_batch_away(p->batch, p->state);
}

static void on_checkpoint(void *user, int result, const char *message) {
    struct persist *p = user;
    if (result < 0) { /* the store tries again by itself: it is still under way */
        if (!p->checkpoint_failed)
            log_warn("checkpoint failed, the spool keeps its segments for now: %s", message);
        p->checkpoint_failed = true;
        return;
    }
    p->checkpointing = p->checkpoint_failed = false;
    if (p->ingest) ingest_forget(p->ingest, p->stats->committed);
}

static void note_problem(struct persist *p, int error, const char *message) {
    p->stats->store_error = error;
    if (strcmp(p->stats->store_problem, message) == 0) return;
    (void)snprintf(p->stats->store_problem, sizeof p->stats->store_problem, "%s", message);
    if (message[0])
        log_error("%s (trying again)", message);
    else
        log_info("the database takes writes again");
}

static void finish_drain(struct persist *p) {
    void (*done)(void *) = p->drained;
    p->drained = NULL;
    if (done) done(p->drained_user);
}

static void submit(struct persist *p);

static void on_committed(void *user, int result, const char *message) {
    struct persist *p = user;
    if (result < 0) {
        note_problem(p, result, message);
        calls_refused(p->calls, message);
        finish_drain(p);
        return;
    }
    note_problem(p, 0, "");
    p->under_way = false;
    p->stats->committed = p->submitted;
    calls_committed(p->calls, p->submitted);
    if (p->ingest && p->paused) {
        p->paused = false;
        ingest_pause(p->ingest, false);
    }
    bool was_large = p->submitted_bytes > PERSIST_LARGE_BYTES;
    submit(p);
    if (!p->under_way) finish_drain(p);
    /* A backlog was worked off: what it took goes back to the system. */
    if (!p->under_way && was_large) (void)malloc_trim(0);
    if (p->ingest && !p->checkpointing && ingest_has_garbage(p->ingest, p->stats->committed)) {
        p->checkpointing = true;
        store_checkpoint(p->store, on_checkpoint, p);
    }
}

/* No effect is under way that points to an entry: what the batch needs of them it has copied. */
static void pack_histories(const struct session *s) {
    list_for_each(pos, &s->workers) {
        struct conversation *c = &list_entry(pos, struct worker, in_session)->conversation;
        for (size_t kind = 0; kind < HISTORY_N_; kind++)
            history_pack(&c->history[kind], kind == HISTORY_TOOL ? call_oldest_pos(c) : UINT64_MAX);
    }
}

static void take_dirty(struct persist *p) {
    list_for_each_safe(pos, &p->state->dirty) {
        struct session *s = list_entry(pos, struct session, in_dirty);
        store_batch_session(p->batch, s);
        pack_histories(s);
        list_remove(&s->in_dirty);
        s->dirty = false;
    }
    list_for_each_safe(pos, &p->state->dirty_projects) {
        store_batch_project(p->batch, list_entry(pos, struct project, in_dirty));
        list_remove(pos);
    }
    list_for_each_safe(pos, &p->state->dirty_teams) {
        store_batch_team(p->batch, list_entry(pos, struct team, in_dirty), false);
        list_remove(pos);
    }
}

/* Hands over what there is, if the writer is free and there is anything. */
static void submit(struct persist *p) {
    if (p->under_way || !p->store) return;
    take_dirty(p);
    uint64_t position = spool_mark_position(&p->mark);
    if (store_batch_empty(p->batch) && position == p->submitted) return;
    store_batch_mark(p->batch, &p->mark, board_seq(p->board) + BOARD_SEQ_HEADROOM);
    struct store_batch *full = p->batch;
    p->batch = store_batch_new();
    p->submitted = position;
    p->submitted_bytes = store_batch_bytes(full);
    p->under_way = true;
    store_submit(p->store, full, on_committed, p);
}

void persist_turn(struct persist *p, const struct spool_mark *mark) {
    if (mark) p->mark = *mark;
    submit(p);
    if (!p->paused && p->ingest && store_batch_bytes(p->batch) > PERSIST_BATCH_BYTES) {
        p->paused = true;
        ingest_pause(p->ingest, true);
    }
}

void persist_drain(struct persist *p, void (*done)(void *user), void *user) {
    p->drained = done;
    p->drained_user = user;
    submit(p);
    if (!p->under_way || p->stats->store_problem[0]) finish_drain(p);
}
