/*
 * What tells one database from another: its tables, as the steps that lead to them, and the statements that are kept
 * prepared. Everything else (opening, migrating, running, failing) is the same for all of them.
 */
#pragma once

#include <stddef.h>

/* The statements that every schema begins with; its own go on from SQL_COMMON_N_. */
enum { SQL_BEGIN, SQL_COMMIT, SQL_COMMON_N_ };
#define SQL_COMMON [SQL_BEGIN] = "BEGIN IMMEDIATE", [SQL_COMMIT] = "COMMIT"

struct db_schema {
    int application_id; /* in the file's header: tells it from other programs' databases, and from our others */
    int busy_timeout_ms;   /* how long a statement waits for another process */
    const char *when_full; /* what a full disk means to people, as a sentence */
    const char *const
        *steps; /* step n makes version n out of n - 1; one that was released never changes again */
    size_t step_count;
    const char *const *statements;
    size_t statement_count;
};

extern const struct db_schema session_schema, transcript_schema;
