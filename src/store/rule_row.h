/* A rule that was written from here, as a row. */
#pragma once

#include "base/arena.h"
#include "core/written_rule.h"
#include "store/db.h"

/* A copy for the writer; spans are in its arena. */
struct rule_row {
    struct list in_batch;
    struct span id, session, cli, rule, where, project, by;
    int64_t written_ms, undone_ms;
};

/* NULL when the arena is full. */
struct rule_row *rule_row_from(const struct written_rule *rule, struct arena *arena);
int rule_row_put(struct db *db, const struct rule_row *row, struct err *err);

/* Puts the newest ones back into the state. */
int rule_rows_load(struct db *db, struct state *st, struct err *err);
