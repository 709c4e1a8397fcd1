/* A batch becomes one transaction. */
#include "store/batch.h"
#include "store/sql.h"

#include <errno.h>

static int write_worker(struct db *db, struct span session, const struct batch_worker *w, struct err *err) {
    struct query q = db_query(db, SQL_WORKER_PUT);
    query_text(&q, w->id);
    query_text(&q, session);
    query_text(&q, w->type);
    int r = query_run(&q, err);
    for (size_t i = 0; r == 0 && i < w->alias_count; i++) {
        q = db_query(db, SQL_ALIAS_PUT);
        query_text(&q, w->aliases[i]);
        query_text(&q, session);
        query_text(&q, w->id);
        r = query_run(&q, err);
    }
    return r;
}

static int write_session(struct db *db, const struct batch_session *bs, struct err *err) {
    int r = session_row_put(db, &bs->row, err);
    if (r < 0) return r;
    list_for_each(pos, &bs->workers) {
        r = write_worker(db, bs->row.id, list_entry(pos, struct batch_worker, in_session), err);
        if (r < 0) return r;
    }
    if (!bs->removed) return 0;
    struct query q = db_query(db, SQL_SESSION_REMOVE);
    query_text(&q, bs->row.id);
    return query_run(&q, err);
}

static int write_sessions(struct db *db, const struct store_batch *b, struct err *err) {
    list_for_each(pos, &b->sessions) {
        int r = write_session(db, list_entry(pos, struct batch_session, in_batch), err);
        if (r < 0) return r;
    }
    return 0;
}

static int write_history(struct db *db, const struct store_batch *b, struct err *err) {
    for (size_t kind = 0; kind < HISTORY_N_; kind++) {
        list_for_each(pos, &b->appended[kind]) {
            const struct history_row *row = list_entry(pos, struct history_row, in_batch);
            int r = history_row_append(db, (enum history_kind)kind, row, err);
            if (r < 0) return r;
        }
    }
    list_for_each(pos, &b->amended) {
        int r = history_row_amend(db, list_entry(pos, struct history_row, in_batch), err);
        if (r < 0) return r;
    }
    return 0;
}

static int write_projects(struct db *db, const struct store_batch *b, struct err *err) {
    list_for_each(pos, &b->projects) {
        const struct batch_project *p = list_entry(pos, struct batch_project, in_batch);
        struct query q = db_query(db, SQL_PROJECT_PUT);
        query_text(&q, p->name);
        query_u64(&q, p->sessions);
        int r = query_run(&q, err);
        if (r < 0) return r;
    }
    return 0;
}

static int write_team(struct db *db, const struct batch_team *t, struct err *err) {
    struct query q = db_query(db, t->removed ? SQL_TEAM_REMOVE : SQL_TEAM_PUT);
    query_text(&q, t->id);
    if (t->removed) return query_run(&q, err);
    query_text(&q, t->name);
    query_text(&q, t->parent_session_id);
    query_time(&q, t->created_ms);
    query_time(&q, t->removal_due_ms);
    return query_run(&q, err);
}

static int write_teams(struct db *db, const struct store_batch *b, struct err *err) {
    list_for_each(pos, &b->teams) {
        int r = write_team(db, list_entry(pos, struct batch_team, in_batch), err);
        if (r < 0) return r;
    }
    return 0;
}

static int write_keys(struct db *db, const struct store_batch *b, struct err *err) {
    if (list_empty(&b->keys)) return 0;
    list_for_each(pos, &b->keys) {
        const struct batch_key *k = list_entry(pos, struct batch_key, in_batch);
        struct query q = db_query(db, SQL_KEY_PUT);
        query_text(&q, k->key);
        query_i64(&q, k->at_ms);
        int r = query_run(&q, err);
        if (r < 0) return r;
    }
    struct query q = db_query(db, SQL_KEYS_PRUNE);
    query_i64(&q, STATE_KEYS_MAX); /* as many as the state remembers */
    return query_run(&q, err);
}

static int write_approvals(struct db *db, const struct store_batch *b, struct err *err) {
    list_for_each(pos, &b->approvals) {
        int r = approval_row_put(db, list_entry(pos, struct approval_row, in_batch), err);
        if (r < 0) return r;
    }
    list_for_each(pos, &b->rules) {
        int r = rule_row_put(db, list_entry(pos, struct rule_row, in_batch), err);
        if (r < 0) return r;
    }
    if (!b->away.is_set) return 0;
    struct query q = db_query(db, SQL_AWAY_PUT);
    query_i64(&q, b->away.away);
    query_time(&q, b->away.since_ms);
    query_text(&q, b->away.by);
    return query_run(&q, err);
}

static int write_mark(struct db *db, const struct store_batch *b, struct err *err) {
    if (!b->has_mark) return 0;
    struct query q = db_query(db, SQL_META_PUT);
    query_u64(&q, b->mark.base);
    query_u64(&q, b->mark.off);
    query_u64(&q, b->mark.fingerprint);
    query_u64(&q, b->seq);
    return query_run(&q, err);
}

int batch_commit(struct db *db, const struct store_batch *b, struct err *err) {
    if (b->overflow)
        return err_set(
            err, -ENOBUFS,
            "More than %d MiB of changes came at once; restart ostler, it then reads them again from "
            "the spool.",
            STORE_BATCH_BYTES_MAX >> 20);
    int r = db_begin(db, err);
    if (r < 0) return r;
    r = write_sessions(db, b, err);
    if (r == 0) r = write_history(db, b, err);
    if (r == 0) r = write_projects(db, b, err);
    if (r == 0) r = write_teams(db, b, err);
    if (r == 0) r = write_keys(db, b, err);
    if (r == 0) r = write_approvals(db, b, err);
    if (r == 0) r = write_mark(db, b, err);
    if (r == 0) r = db_commit(db, err);
    if (r < 0) db_rollback(db);
    return r;
}
