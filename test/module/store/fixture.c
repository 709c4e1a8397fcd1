#include "fixture.h"

#include <ftw.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *st UNUSED, int flag UNUSED,
                      struct FTW *ftw UNUSED) {
    return remove(path);
}

void fixture_make(struct fixture *f) {
    *f = (struct fixture){0};
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(f->dir, sizeof f->dir, "%s/ostler-store-XXXXXX", tmp ? tmp : "/tmp");
    CHECK(mkdtemp(f->dir) != NULL);
    CHECK_INT(path_join(f->file, f->dir, "ostler.db"), 0);
    CHECK_INT(uv_loop_init(&f->loop), 0);
    CHECK_INT(post_open(&f->loop, &f->mail), 0);
}

int fixture_try_open(struct fixture *f, struct err *err) {
    return store_open(f->file, f->mail, &f->store, err);
}

void fixture_open_store(struct fixture *f) {
    struct err err = {0};
    if (fixture_try_open(f, &err) < 0) fail_msg("%s", err.msg);
}

void fixture_open(struct fixture *f) {
    fixture_make(f);
    fixture_open_store(f);
}

void fixture_close_store(struct fixture *f) {
    store_close(f->store);
    f->store = NULL;
}

void fixture_close(struct fixture *f) {
    fixture_close_store(f);
    post_close(f->mail);
    CHECK_INT(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    CHECK_INT(uv_loop_close(&f->loop), 0);
    CHECK_INT(nftw(f->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT), 0);
}

void fixture_on_done(void *outcome, int result, const char *message) {
    struct outcome *o = outcome;
    o->calls++;
    o->result = result;
    (void)snprintf(o->message, sizeof o->message, "%s", message);
}

void fixture_wait(struct fixture *f, struct outcome *o, int calls) {
    while (o->calls <= calls)
        (void)uv_run(&f->loop, UV_RUN_ONCE);
}

void fixture_wait_success(struct fixture *f, struct outcome *o) {
    do
        fixture_wait(f, o, o->calls);
    while (o->result < 0);
}

void fixture_commit(struct fixture *f, struct store_batch *b) {
    struct outcome o = {0};
    store_submit(f->store, b, fixture_on_done, &o);
    fixture_wait(f, &o, 0);
    if (o.result < 0) fail_msg("%s", o.message);
    CHECK_STR(o.message, "");
}

void fixture_reload(struct fixture *f, struct state *st, struct store_meta *meta) {
    fixture_close_store(f);
    fixture_open_store(f);
    state_init(st);
    struct err err = {0};
    if (store_load(f->store, st, meta, &err) < 0) fail_msg("%s", err.msg);
}

sqlite3 *fixture_peek(const struct fixture *f) {
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open_v2(f->file, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    return db;
}

int64_t fixture_number(const struct fixture *f, const char *sql) {
    sqlite3 *db = fixture_peek(f);
    sqlite3_stmt *stmt = NULL;
    CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(stmt, 0);
    (void)sqlite3_finalize(stmt);
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
    return n;
}

struct entry *append_event(struct store_batch *b, struct session *s, uint64_t pos) {
    struct entry *e = history_push(&s->primary->conversation.history[HISTORY_EVENT], pos, 1000 + (int64_t)pos,
                                   SPAN("PreToolUse"), SPAN("Bash"));
    store_batch_append(b, s, HISTORY_EVENT, e);
    return e;
}
