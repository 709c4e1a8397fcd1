/* History entries as rows of prompts, tool_calls, responses and events. */
#pragma once

#include "base/arena.h"
#include "base/list.h"
#include "core/model.h"
#include "store/db.h"

struct history_row {
    struct list in_batch;
    char session[ID_BYTES];
    uint64_t pos;
    int64_t at_ms;
    bool failed;
    struct span what, detail, error; /* in the same block of memory */
};

/* A copy of the entry in one block of `arena`; NULL when that is full. */
struct history_row *history_row_from(const struct session *s, const struct entry *e, struct arena *arena);

int history_row_append(struct db *db, enum history_kind kind, const struct history_row *row, struct err *err);
int history_row_amend(struct db *db, const struct history_row *row, struct err *err);

/* Pushes a session's newest entries of one kind, as many as the history holds. */
int history_rows_load(struct db *db, const struct session *s, enum history_kind kind, struct history *h,
                      struct err *err);
