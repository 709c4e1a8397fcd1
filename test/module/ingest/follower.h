/* A reader on a loop of its own that keeps what it was given. */
#pragma once

#include "base/cleanup.h"
#include "base/mem.h"
#include "ingest/reader.h"
#include "spool/append.h"
#include "temp_dir.h"
#include "test.h"

#include <fcntl.h>
#include <limits.h>

enum { FOLLOWER_PATIENCE_MS = 20000 };

struct delivered {
    uint64_t pos;
    char *text;
};

struct follower {
    uv_loop_t loop;
    uv_timer_t patience;
    struct ingest *in;
    struct spool_mark mark; /* of the last turn */
    unsigned turns;
    struct delivered *v;
    size_t n;
    void (*on_record)(struct follower *f); /* may be NULL */
    void (*on_turn)(struct follower *f);
};

static inline void follower_record(void *user, uint64_t pos, struct span record) {
    struct follower *f = user;
    f->v = xreallocarray(f->v, f->n + 1, sizeof *f->v);
    f->v[f->n++] = (struct delivered){pos, xstrndup(record.p, record.n)};
    if (f->on_record) f->on_record(f);
}

static inline void follower_turn_end(void *user, const struct spool_mark *mark) {
    struct follower *f = user;
    CHECK(spool_mark_position(mark) >= spool_mark_position(&f->mark));
    f->mark = *mark;
    f->turns++;
    if (f->on_turn) f->on_turn(f);
}

static inline void follower_impatient(uv_timer_t *timer) {
    (void)timer;
    fail_msg("waited in vain");
}

static inline void follower_open(struct follower *f, const char *dir, struct spool_mark start,
                                 const struct ingest_limits *limits) {
    static const struct ingest_ops ops = {.record = follower_record, .turn_end = follower_turn_end};
    *f = (struct follower){.mark = start};
    CHECK_INT(uv_loop_init(&f->loop), 0);
    CHECK_INT(uv_timer_init(&f->loop, &f->patience), 0);
    CHECK_INT(uv_timer_start(&f->patience, follower_impatient, FOLLOWER_PATIENCE_MS, 0), 0);
    struct err err;
    struct ingest_limits within = limits ? *limits : ingest_limits_default;
    /* Room takes a moment to make. Who wants some says how much. */
    if (within.room_bytes == ingest_limits_default.room_bytes) within.room_bytes = 0;
    CHECK_INT(ingest_open_within(&f->loop, dir, &start, &within, &ops, f, &f->in, &err), 0);
}

/* Lets the loop run until there are `n` records. */
static inline void follower_await(struct follower *f, size_t n) {
    while (f->n < n)
        (void)uv_run(&f->loop, UV_RUN_ONCE);
}

/* Lets the loop run while it has something to do at once: what is in the files is delivered then. */
static inline void follower_drain(struct follower *f) {
    ingest_poke(f->in);
    for (int quiet = 0; quiet < 3;) {
        unsigned turns = f->turns;
        (void)uv_run(&f->loop, UV_RUN_NOWAIT);
        quiet = uv_is_active((uv_handle_t *)&f->in->idle) || f->turns != turns ? 0 : quiet + 1;
    }
}

static inline void follower_close(struct follower *f) {
    ingest_close(f->in);
    uv_close((uv_handle_t *)&f->patience, NULL);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    CHECK_INT(uv_loop_close(&f->loop), 0);
    for (size_t i = 0; i < f->n; i++)
        free(f->v[i].text);
    free(f->v);
}

static inline void append_text(const char *dir, const char *text) {
    CHECK_INT(spool_append(dir, &(struct iovec){(char *)text, strlen(text)}, 1), 0);
}

static inline void append_number(const char *dir, int i) {
    char text[64];
    (void)snprintf(text, sizeof text, "{\"i\":%d,\"pad\":\"%.*s\"}", i, i % 17, "xxxxxxxxxxxxxxxxx");
    append_text(dir, text);
}

static inline void check_number(const struct delivered *d, int i) {
    int found;
    CHECK_INT(sscanf(d->text, "{\"i\":%d,", &found), 1);
    CHECK_INT(found, i);
}

/* Seals the active segment as a hook would. */
static inline void seal_active(const char *dir) {
    char path[PATH_MAX], name[SPOOL_SEALED_NAME_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", dir, SPOOL_ACTIVE);
    AUTO(fd) int fd = open(path, O_RDONLY);
    if (fd >= 0) CHECK_INT(spool_seal(dir, fd, 1, name), 1);
}

static inline size_t count_files(const char *dir) {
    struct sealed_list list = {0};
    CHECK_INT(files_list(dir, &list), 0);
    size_t n = list.n;
    sealed_list_fini(&list);
    return n;
}
