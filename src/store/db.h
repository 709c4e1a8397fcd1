/* One SQLite connection, its prepared statements, and its errors as sentences. Private to this folder. */
#pragma once

#include "base/cleanup.h"
#include "base/err.h"
#include "base/span.h"
#include "store/schema.h"

#include <sqlite3.h>

struct db {
    const struct db_schema *schema;
    sqlite3 *handle;
    char *file;
    sqlite3_stmt **stmts; /* of the schema; prepared on first use */
    bool makeshift;       /* see db_open_makeshift() */
};

/* Opens or creates the file (0600) and brings its schema up to date. A file that is not ours is left as it is. */
int db_open(const char *file, const struct db_schema *schema, struct db **ret, struct err *err);
/* On a disk that is full or read-only, where db_open() cannot: what is in the file can be read, and nobody else uses it meanwhile.
 * Whether it can be written is seen when that is tried. To be opened properly as soon as that works. */
int db_open_makeshift(const char *file, const struct db_schema *schema, struct db **ret, struct err *err);
void db_close(struct db *db);

/* Are the file and those that SQLite keeps beside it plain files of ours? SQLite would wait for the other end of a FIFO, follow what
 * it is led to, and read a device for ever. -ENOENT, with a sentence, when there is none. */
int db_check_own(const char *file, struct err *err);

/* A statement to be filled and run. Values are bound from left to right; they must live until db_run() returns. */
struct query {
    struct db *db;
    sqlite3_stmt *stmt;
    int bound;
    int rc; /* first failure of any step */
};

struct query db_query(struct db *db, unsigned id); /* a number of its schema */
void query_text(struct query *q, struct span s);   /* no pointer: NULL */
void query_cstr(struct query *q, const char *s);   /* NULL: NULL */
void query_i64(struct query *q, int64_t v);
void query_u64(struct query *q, uint64_t v);  /* kept bit by bit */
void query_time(struct query *q, int64_t ms); /* 0: NULL */

/* 1: there is a row, read it with column_*(); 0: no more, the statement is reset; negative errno with a sentence. */
int query_next(struct query *q, struct err *err);
/* Runs a statement that gives no rows. */
int query_run(struct query *q, struct err *err);
/* For a reader that stops before the last row; no harm otherwise. */
void query_end(struct query *q);

struct span column_span(const struct query *q, int i); /* valid until the next step */
int64_t column_i64(const struct query *q, int i);
uint64_t column_u64(const struct query *q, int i);
/* In ms, between 1970 and the year 10000 whatever a damaged or prepared file says: times are reckoned with. */
int64_t column_time(const struct query *q, int i);

static inline void cleanup_query(struct query *q) {
    query_end(q);
}

/* Several statements from a text. */
int db_exec(struct db *db, const char *sql, struct err *err);
/* The single integer that a statement gives. */
int db_number(struct db *db, const char *sql, int64_t *ret, struct err *err);

int db_begin(struct db *db, struct err *err);
int db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db); /* no harm outside a transaction */

/* Copies the log into the database file and fsyncs both. */
int db_checkpoint(struct db *db, struct err *err);

/* SQLite's result code as a negative errno, with a sentence that says what to do. */
int db_error(struct db *db, int rc, struct err *err);
