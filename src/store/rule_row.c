#include "store/rule_row.h"

#include "base/mem.h"
#include "base/str.h"
#include "store/sql.h"

#include <stdio.h>

struct rule_row *rule_row_from(const struct written_rule *rule, struct arena *arena) {
    struct rule_row *row = arena_zalloc(arena, sizeof *row);
    if (!row) return NULL;
    const struct {
        struct span *to;
        const char *from;
    } texts[] = {{&row->id, rule->id},       {&row->session, rule->session}, {&row->rule, rule->rule},
                 {&row->where, rule->where}, {&row->project, rule->project}, {&row->by, rule->by}};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        *texts[i].to = arena_dup(arena, span_str(texts[i].from));
        if (!texts[i].to->p && texts[i].from) return NULL;
    }
    row->cli = span_str(cli_to_str(rule->cli));
    row->written_ms = rule->written_ms;
    row->undone_ms = rule->undone_ms;
    return row;
}

int rule_row_put(struct db *db, const struct rule_row *row, struct err *err) {
    struct query q = db_query(db, SQL_RULE_PUT);
    const struct span texts[] = {row->id,    row->session, row->cli, row->rule,
                                 row->where, row->project, row->by};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        query_text(&q, texts[i]);
    query_time(&q, row->written_ms);
    query_time(&q, row->undone_ms);
    return query_run(&q, err);
}

int rule_rows_load(struct db *db, struct state *st, struct err *err) {
    AUTO(query) struct query q = db_query(db, SQL_RULES_GET);
    query_i64(&q, WRITTEN_RULES_MAX);
    int r;
    while ((r = query_next(&q, err)) == 1) {
        struct written_rule *rule = xcalloc(1, sizeof *rule);
        (void)snprintf(rule->id, sizeof rule->id, "%.*s", SPAN_ARG(column_span(&q, 0)));
        (void)snprintf(rule->session, sizeof rule->session, "%.*s", SPAN_ARG(column_span(&q, 1)));
        (void)cli_from_str(column_span(&q, 2), &rule->cli);
        rule->rule = str_dup(column_span(&q, 3));
        rule->where = str_dup(column_span(&q, 4));
        (void)str_set(&rule->project, column_span(&q, 5));
        (void)str_set(&rule->by, column_span(&q, 6));
        rule->written_ms = column_time(&q, 7);
        rule->undone_ms = column_time(&q, 8);
        written_rule_restore(st, rule);
    }
    return r;
}
