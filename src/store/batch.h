/* What a batch holds, for the writer. */
#pragma once

#include "store/approval_row.h"
#include "store/history_row.h"
#include "store/rule_row.h"
#include "store/session_row.h"
#include "store/store.h"

/* The caller stops at a small part of this (store_batch_bytes). A batch past it is never written: its bytes are
 * still in the spool, and a restart reads them again. */
enum { STORE_BATCH_BYTES_MAX = 256 << 20 };

struct batch_worker {
    struct list in_session;
    struct span id, type;
    struct span *aliases;
    size_t alias_count;
};

struct batch_session {
    struct list in_batch;
    struct session_row row;
    bool removed;
    struct list workers; /* struct batch_worker */
};

struct batch_project {
    struct list in_batch;
    struct span name;
    uint64_t sessions;
};

struct batch_team {
    struct list in_batch;
    struct span id, name, parent_session_id;
    int64_t created_ms, removal_due_ms;
    bool removed;
};

struct batch_key {
    struct list in_batch;
    struct span key;
    int64_t at_ms;
};

struct batch_away {
    bool is_set, away;
    int64_t since_ms;
    struct span by;
};

struct store_batch {
    struct arena arena;
    struct map session_by_id; /* stable id → struct batch_session */
    struct list sessions, projects, teams, keys;
    struct list approvals; /* struct approval_row */
    struct list rules;     /* struct rule_row */
    struct batch_away away;
    struct list appended[HISTORY_N_], amended; /* struct history_row */
    struct spool_mark mark;
    uint64_t seq;
    bool has_mark;
    bool overflow; /* something did not fit */
};

/* Writes all of it in one transaction, or nothing. */
int batch_commit(struct db *db, const struct store_batch *b, struct err *err);
