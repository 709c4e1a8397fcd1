/* A request that is over, as a row. */
#pragma once

#include "base/arena.h"
#include "core/state.h"
#include "store/db.h"

/* A copy for the writer; spans are in its arena. */
struct approval_row {
    struct list in_batch;
    struct span id, session, session_id, title, project, cli, kind, form, tool, agent, text, detail, state,
        decision, by, call;
    bool certain;
    int64_t asked_ms, ended_ms;
};

/* NULL when the arena is full. */
struct approval_row *approval_row_from(const struct ended_request *e, struct arena *arena);
int approval_row_put(struct db *db, const struct approval_row *row, struct err *err);

/* Puts the newest ones back into the state. */
int approval_rows_load(struct db *db, struct state *st, struct err *err);
