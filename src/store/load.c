#include "store/load.h"

#include "base/str.h"
#include "core/deadline.h"
#include "core/match.h"
#include "core/team.h"
#include "store/approval_row.h"
#include "store/history_row.h"
#include "store/rule_row.h"
#include "store/session_row.h"
#include "store/sql.h"

static int load_meta(struct db *db, struct store_meta *ret, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_META_GET);
    int r = query_next(&q, err);
    if (r < 0) return r;
    *ret = (struct store_meta){0};
    if (r == 0) return 0;
    ret->mark.base = column_u64(&q, 0);
    ret->mark.off = column_u64(&q, 1);
    ret->mark.fingerprint = column_u64(&q, 2);
    ret->seq = column_u64(&q, 3);
    return 0;
}

static struct worker *find_worker(const struct session *s, struct span id) {
    list_for_each(pos, &s->workers) {
        struct worker *w = list_entry(pos, struct worker, in_session);
        if (span_eq_str(id, w->id)) return w;
    }
    return NULL;
}

static int load_workers(struct db *db, const struct session *s, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_WORKERS_GET);
    query_cstr(&q, s->id);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        struct worker *w = find_worker(s, column_span(&q, 0));
        if (w) (void)worker_type_from_str(column_span(&q, 1), &w->type);
    }
    return r;
}

static int load_aliases(struct db *db, struct state *st, const struct session *s, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_ALIASES_GET);
    query_cstr(&q, s->id);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        struct worker *w = find_worker(s, column_span(&q, 1));
        if (w) state_add_alias(st, column_span(&q, 0), w);
    }
    return r;
}

static int load_history(struct db *db, const struct session *s, struct err *err) {
    struct conversation *c = &s->primary->conversation;
    for (size_t kind = 0; kind < HISTORY_N_; kind++) {
        int r = history_rows_load(db, s, (enum history_kind)kind, &c->history[kind], err);
        if (r < 0) return r;
    }
    return 0;
}

static int load_sessions(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_SESSIONS_GET);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        struct session_row row;
        session_row_read(&row, &q);
        struct session *s = session_row_restore(&row, st);
        r = session_row_tool_usage(db, &row, &s->primary->conversation, err);
        if (r == 0) r = load_workers(db, s, err);
        if (r == 0) r = load_aliases(db, st, s, err);
        if (r == 0) r = load_history(db, s, err);
        if (r < 0) return r;
        match_index(st, s->primary);
        team_index(st, s->primary);
    }
    return r;
}

static int load_teams(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_TEAMS_GET);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        struct team *team = state_add_team(st, column_span(&q, 0));
        (void)str_set(&team->name, column_span(&q, 1));
        (void)str_set(&team->parent_session_id, column_span(&q, 2));
        team->created_ms = column_time(&q, 3);
        deadline_set_team(st, team, column_time(&q, 4));
    }
    return r;
}

static int load_projects(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_PROJECTS_GET);
    int r;
    while ((r = query_next(&q, err)) == 1)
        state_project(st, column_span(&q, 0))->sessions = column_u64(&q, 1);
    return r;
}

static int load_keys(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_KEYS_GET);
    int r;
    while ((r = query_next(&q, err)) == 1)
        (void)state_remember_key(st, column_span(&q, 0));
    return r;
}

static int load_away(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_AWAY_GET);
    int r = query_next(&q, err);
    if (r != 1) return r;
    st->away = column_u64(&q, 0) != 0;
    st->away_since_ms = column_time(&q, 1);
    (void)str_set(&st->away_by, column_span(&q, 2));
    return 0;
}

int load_state(struct db *db, struct state *st, struct store_meta *ret, struct err *err) {
    struct store_meta meta;
    int r = load_meta(db, &meta, err);
    if (r == 0) r = load_teams(db, st, err);
    if (r == 0) r = load_sessions(db, st, err);
    if (r == 0) r = load_projects(db, st, err);
    if (r == 0) r = load_keys(db, st, err);
    if (r == 0) r = approval_rows_load(db, st, err);
    if (r == 0) r = rule_rows_load(db, st, err);
    if (r == 0) r = load_away(db, st, err);
    if (r < 0) return r;
    *ret = meta;
    return 0;
}
