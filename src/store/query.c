/* Filling, stepping and reading prepared statements. */
#include "store/db.h"

struct query db_query(struct db *db, unsigned id) {
    assert(id < db->schema->statement_count);
    struct query q = {.db = db, .rc = SQLITE_OK};
    sqlite3_stmt **cached = &db->stmts[id];
    if (!*cached)
        q.rc = sqlite3_prepare_v3(db->handle, db->schema->statements[id], -1, SQLITE_PREPARE_PERSISTENT,
                                  cached, NULL);
    q.stmt = *cached;
    return q;
}

static void note(struct query *q, int rc) {
    if (q->rc == SQLITE_OK) q->rc = rc;
}

void query_text(struct query *q, struct span s) {
    q->bound++;
    if (q->rc != SQLITE_OK) return;
    note(q, s.p ? sqlite3_bind_text64(q->stmt, q->bound, s.p, s.n, SQLITE_STATIC, SQLITE_UTF8)
                : sqlite3_bind_null(q->stmt, q->bound));
}

void query_cstr(struct query *q, const char *s) {
    query_text(q, span_str(s));
}

void query_i64(struct query *q, int64_t v) {
    q->bound++;
    if (q->rc == SQLITE_OK) note(q, sqlite3_bind_int64(q->stmt, q->bound, v));
}

void query_u64(struct query *q, uint64_t v) {
    query_i64(q, (int64_t)v);
}

void query_time(struct query *q, int64_t ms) {
    if (ms) {
        query_i64(q, ms);
    } else {
        query_text(q, SPAN_NONE);
    }
}

int query_next(struct query *q, struct err *err) {
    if (q->rc == SQLITE_OK) {
        int rc = sqlite3_step(q->stmt);
        if (rc == SQLITE_ROW) return 1;
        if (rc != SQLITE_DONE) q->rc = rc;
    }
    int r = q->rc == SQLITE_OK ? 0 : db_error(q->db, q->rc, err);
    query_end(q);
    return r;
}

int query_run(struct query *q, struct err *err) {
    int r = query_next(q, err);
    assert(r <= 0);
    return r;
}

void query_end(struct query *q) {
    if (q->stmt) (void)sqlite3_reset(q->stmt);
    q->stmt = NULL;
}

struct span column_span(const struct query *q, int i) {
    const char *p = (const char *)sqlite3_column_text(q->stmt, i);
    return p ? span_of(p, (size_t)sqlite3_column_bytes(q->stmt, i)) : SPAN_NONE;
}

int64_t column_i64(const struct query *q, int i) {
    return sqlite3_column_int64(q->stmt, i);
}

int64_t column_time(const struct query *q, int i) {
    static const int64_t year_10000_ms = INT64_C(253402300800000);
    return MAX(MIN(column_i64(q, i), year_10000_ms), 0);
}

uint64_t column_u64(const struct query *q, int i) {
    return (uint64_t)sqlite3_column_int64(q->stmt, i);
}
