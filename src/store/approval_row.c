#include "store/approval_row.h"

#include "base/mem.h"
#include "base/str.h"
#include "core/inbox.h"
#include "store/sql.h"

#include <stdio.h>

struct approval_row *approval_row_from(const struct ended_request *e, struct arena *arena) {
    const struct request *r = &e->request;
    struct approval_row *row = arena_zalloc(arena, sizeof *row);
    if (!row) return NULL;
    const struct {
        struct span *to;
        const char *from;
    } texts[] = {{&row->id, r->id},       {&row->session, e->session}, {&row->session_id, e->session_id},
                 {&row->title, e->title}, {&row->project, e->project}, {&row->tool, r->tool},
                 {&row->agent, r->agent}, {&row->text, r->text},       {&row->detail, r->detail},
                 {&row->by, e->by},       {&row->call, r->call}};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        *texts[i].to = arena_dup(arena, span_str(texts[i].from));
        if (!texts[i].to->p && texts[i].from) return NULL;
    }
    row->cli = span_str(cli_to_str(e->cli));
    row->kind = span_str(attention_kind_to_str(r->kind));
    row->form = span_str(text_form_to_str(r->form));
    row->state = span_str(request_end_to_str(e->end));
    row->decision = span_str(decision_to_str(r->answer.decision));
    row->certain = r->certain;
    row->asked_ms = r->since_ms;
    row->ended_ms = e->ended_ms;
    return row;
}

int approval_row_put(struct db *db, const struct approval_row *row, struct err *err) {
    struct query q = db_query(db, SQL_APPROVAL_PUT);
    const struct span before[] = {row->id,      row->session, row->session_id, row->title,
                                  row->project, row->cli,     row->kind,       row->form,
                                  row->tool,    row->agent,   row->text,       row->detail};
    for (size_t i = 0; i < ARRAY_LEN(before); i++)
        query_text(&q, before[i]);
    query_i64(&q, row->certain);
    query_text(&q, row->state);
    query_text(&q, row->decision);
    query_text(&q, row->by);
    query_i64(&q, row->asked_ms);
    query_i64(&q, row->ended_ms);
    query_text(&q, row->call);
    return query_run(&q, err);
}

static struct ended_request *restore(struct query *q) {
    struct ended_request *e = xcalloc(1, sizeof *e);
    struct request *r = &e->request;
    (void)snprintf(r->id, sizeof r->id, "%.*s", SPAN_ARG(column_span(q, 0)));
    (void)snprintf(e->session, sizeof e->session, "%.*s", SPAN_ARG(column_span(q, 1)));
    (void)str_set(&e->session_id, column_span(q, 2));
    (void)str_set(&e->title, column_span(q, 3));
    (void)str_set(&e->project, column_span(q, 4));
    (void)cli_from_str(column_span(q, 5), &e->cli);
    r->kind = ATTENTION_APPROVAL;
    (void)attention_kind_from_str(column_span(q, 6), &r->kind);
    (void)text_form_from_str(column_span(q, 7), &r->form);
    (void)str_set(&r->tool, column_span(q, 8));
    (void)str_set(&r->agent, column_span(q, 9));
    (void)str_set(&r->text, column_span(q, 10));
    (void)str_set(&r->detail, column_span(q, 11));
    r->certain = column_u64(q, 12) != 0;
    e->end = REQUEST_END_GONE;
    (void)request_end_from_str(column_span(q, 13), &e->end);
    (void)decision_from_str(column_span(q, 14), &r->answer.decision);
    (void)str_set(&e->by, column_span(q, 15));
    r->since_ms = column_time(q, 16);
    e->ended_ms = column_time(q, 17);
    (void)str_set(&r->call, column_span(q, 18));
    return e;
}

int approval_rows_load(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_APPROVALS_GET);
    query_i64(&q, ENDED_REQUESTS_MAX);
    int r;
    while ((r = query_next(&q, err)) == 1)
        inbox_restore(st, restore(&q));
    return r;
}
