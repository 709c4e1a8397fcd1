/* A store on a real file with a real loop, for one test. */
#pragma once

#include "base/path.h"
#include "store/store.h"
#include "test.h"

#include <sqlite3.h>

struct fixture {
    uv_loop_t loop;
    struct post *mail;
    struct store *store;
    char dir[PATH_BYTES];
    char file[PATH_BYTES];
};

/* What `done` was told. */
struct outcome {
    int calls;
    int result;
    char message[ERR_MSG_BYTES];
};

void fixture_open(struct fixture *f);       /* makes a directory and opens a store in it */
void fixture_close(struct fixture *f);      /* closes what is open, removes the directory */
void fixture_make(struct fixture *f);       /* the directory and the loop only */
void fixture_open_store(struct fixture *f); /* in the same directory, again */
void fixture_close_store(struct fixture *f);
int fixture_try_open(struct fixture *f, struct err *err);

void fixture_on_done(void *outcome, int result, const char *message);
/* Runs the loop until `o` was told something after `calls` calls. */
void fixture_wait(struct fixture *f, struct outcome *o, int calls);
/* … until it was told of success. */
void fixture_wait_success(struct fixture *f, struct outcome *o);
/* Submits and waits for success. */
void fixture_commit(struct fixture *f, struct store_batch *b);
/* Opens the store again and loads it. */
void fixture_reload(struct fixture *f, struct state *st, struct store_meta *meta);

/* A second connection to the file; the oracle. */
sqlite3 *fixture_peek(const struct fixture *f);
int64_t fixture_number(const struct fixture *f, const char *sql);

/* Adds entry `pos` to the history and to the batch. */
struct entry *append_event(struct store_batch *b, struct session *s, uint64_t pos);
