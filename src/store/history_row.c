#include "store/history_row.h"

#include "core/request.h"
#include "store/sql.h"

static struct span put(char **at, struct span s) {
    if (!s.p) return SPAN_NONE;
    char *p = *at;
    if (s.n) memcpy(p, s.p, s.n);
    *at += s.n;
    return span_of(p, s.n);
}

struct history_row *history_row_from(const struct session *s, const struct entry *e, struct arena *arena) {
    struct span error = span_str(e->error);
    struct history_row *row = arena_alloc(arena, sizeof *row + e->what.n + e->detail.n + error.n);
    if (!row) return NULL;
    char *text = (char *)(row + 1);
    *row = (struct history_row){.pos = e->pos, .at_ms = e->at_ms, .failed = e->failed};
    memcpy(row->session, s->id, sizeof row->session);
    row->what = put(&text, entry_what(e));
    row->detail = put(&text, entry_detail(e));
    row->error = put(&text, error);
    return row;
}

int history_row_append(struct db *db, enum history_kind kind, const struct history_row *row,
                       struct err *err) {
    struct query q = db_query(db, SQL_PROMPT_PUT + (unsigned)kind);
    query_cstr(&q, row->session);
    query_u64(&q, row->pos);
    query_i64(&q, row->at_ms);
    query_text(&q, row->what);
    if (kind == HISTORY_TOOL || kind == HISTORY_EVENT) query_text(&q, row->detail);
    if (kind == HISTORY_TOOL) {
        query_i64(&q, row->failed);
        query_text(&q, row->error);
    }
    return query_run(&q, err);
}

int history_row_amend(struct db *db, const struct history_row *row, struct err *err) {
    struct query q = db_query(db, SQL_TOOL_AMEND);
    query_i64(&q, row->failed);
    query_text(&q, row->error);
    query_cstr(&q, row->session);
    query_u64(&q, row->pos);
    return query_run(&q, err);
}

int history_rows_load(struct db *db, const struct session *s, enum history_kind kind, struct history *h,
                      struct err *err) {
    enum { POS, TIMESTAMP, WHAT, DETAIL, FAILED, ERROR };
    bool has_detail = kind == HISTORY_TOOL || kind == HISTORY_EVENT;
    AUTO(query) struct query q = db_query(db, SQL_PROMPTS_GET + (unsigned)kind);
    query_cstr(&q, s->id);
    query_u64(&q, h->max);
    query_u64(&q, s->primary->conversation.history_from);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        struct entry *e =
            history_push(h, column_u64(&q, POS), column_time(&q, TIMESTAMP), column_span(&q, WHAT),
                         has_detail ? column_span(&q, DETAIL) : SPAN_NONE);
        if (kind == HISTORY_TOOL && column_i64(&q, FAILED)) entry_set_error(e, column_span(&q, ERROR));
        history_pack(h, kind == HISTORY_TOOL ? call_oldest_pos(&s->primary->conversation) : UINT64_MAX);
    }
    return r;
}
