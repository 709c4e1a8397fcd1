/* A queue on a loop of its own, with Claude Code's directory and a database in a temporary one, and all that it told. */
#pragma once

#include "app/mend_queue.h"
#include "base/mem.h"
#include "module/repair/tree.h"
#include "store/transcript_db.h"

#include <errno.h>
#include <time.h>

enum { PATIENCE_MS = 60000, TOLD_MAX = 256 };

#define ROOT "{\"uuid\":\"r\",\"parentUuid\":null,\"type\":\"user\"}\n"
#define HEALTHY_TEXT ROOT "{\"uuid\":\"a\",\"parentUuid\":\"r\",\"type\":\"assistant\"}\n"
#define BROKEN_TEXT ROOT "{\"uuid\":\"a\",\"parentUuid\":\"gone\",\"type\":\"assistant\"}\n"
#define STOP_HOOK_TEXT                                                                             \
    HEALTHY_TEXT "{\"uuid\":\"p\",\"parentUuid\":\"a\",\"type\":\"progress\",\"toolUseID\":\"t\"," \
                 "\"data\":{\"type\":\"hook_progress\",\"hookEvent\":\"Stop\"}}\n"                 \
                 "{\"uuid\":\"s\",\"parentUuid\":\"p\",\"type\":\"system\",\"toolUseID\":\"t\","   \
                 "\"subtype\":\"stop_hook_summary\"}\n"

struct told {
    int session;
    bool has_path, waits;
    struct mender_outcome outcome;
};

struct fixture {
    struct temp_dir dir;
    uv_loop_t loop;
    uv_timer_t patience;
    struct mend_queue q;
    struct told told[TOLD_MAX];
    size_t n;
};

/* The n-th session, and its transcript below the directory. */
struct name {
    char id[40], file[96];
};

static inline struct name name_of(int n) {
    struct name name;
    (void)snprintf(name.id, sizeof name.id, "00000000-0000-4000-8000-%012d", n);
    (void)snprintf(name.file, sizeof name.file, "claude/projects/p/%s.jsonl", name.id);
    return name;
}

static inline void on_told(void *user, const struct mend_news *news) {
    struct fixture *f = user;
    CHECK(f->n < TOLD_MAX);
    CHECK_INT(news->session_id.n, 36);
    f->told[f->n++] = (struct told){.session = (int)strtol(news->session_id.p + 24, NULL, 10),
                                    .has_path = news->path != NULL,
                                    .waits = news->waits,
                                    .outcome = news->outcome};
}

static inline void on_impatient(uv_timer_t *timer) {
    (void)timer;
    fail_msg("nothing more happens");
}

static inline void fixture_open(struct fixture *f, bool with_database) {
    static const struct mend_queue_ops ops = {on_told};
    *f = (struct fixture){.dir = temp_dir_make()};
    tree_dir(&f->dir, "claude/projects/p");
    if (!with_database) tree_write(&f->dir, "state", "a file where the directory should be");
    CHECK_INT(setenv("CLAUDE_CONFIG_DIR", tree_at(&f->dir, "claude").p, 1), 0);
    CHECK_INT(uv_loop_init(&f->loop), 0);
    CHECK_INT(uv_timer_init(&f->loop, &f->patience), 0);
    CHECK_INT(uv_timer_start(&f->patience, on_impatient, PATIENCE_MS, 0), 0);
    mend_queue_open(&f->q, &f->loop, tree_at(&f->dir, "state").p, &ops, f);
}

/* Ends the loop with all that is on it. */
static inline void fixture_close(struct fixture *f) {
    mend_queue_close(&f->q);
    uv_close((uv_handle_t *)&f->patience, NULL);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    CHECK_INT(uv_loop_close(&f->loop), 0);
    mend_queue_free(&f->q);
    temp_dir_remove(f->dir.path);
}

/* One turn of the loop, in which the queue keeps to its limits. */
static inline void turn(struct fixture *f) {
    CHECK(f->q.running <= MEND_AT_ONCE && f->q.running_disk <= MEND_DISK_AT_ONCE && f->q.running_large <= 1);
    (void)uv_run(&f->loop, UV_RUN_ONCE);
}

/* Until that much was told. */
static inline void await(struct fixture *f, size_t n) {
    while (f->n < n)
        turn(f);
    CHECK_INT(f->n, n);
}

/* Until there is nothing more to do. */
static inline void await_rest(struct fixture *f) {
    while (f->q.walk || f->q.running || f->q.order.items.count)
        turn(f);
}

/* When the file was changed, by its own account: that long ago. */
static inline void touch(const struct fixture *f, int session, time_t seconds_ago) {
    struct timespec now;
    CHECK_INT(clock_gettime(CLOCK_REALTIME, &now), 0);
    now.tv_sec -= seconds_ago;
    const struct timespec times[2] = {now, now};
    CHECK_INT(utimensat(AT_FDCWD, tree_at(&f->dir, name_of(session).file).p, times, 0), 0);
}

/* A transcript that nobody has written to for an hour. */
static inline void write_session(const struct fixture *f, int session, const char *text) {
    tree_write(&f->dir, name_of(session).file, text);
    touch(f, session, 3600);
}

static inline void look(struct fixture *f, int session, enum mend_priority priority) {
    mend_queue_look(&f->q, span_str(name_of(session).id), NULL, priority);
}

/* Somebody who waits. */
struct waiter {
    unsigned calls;
    int result;
    struct told told;
};

static inline void on_waited(void *user, int result, const struct mend_news *news) {
    struct waiter *w = user;
    w->calls++;
    w->result = result;
    CHECK_INT(news != NULL, result == 0);
    if (news)
        w->told =
            (struct told){.outcome = news->outcome, .has_path = news->path != NULL, .waits = news->waits};
}

static inline struct mend_wait *wait_for(struct fixture *f, int session, uint64_t timeout_ms,
                                         struct waiter *w) {
    *w = (struct waiter){0};
    return mend_queue_wait(&f->q, span_str(name_of(session).id), NULL, timeout_ms, on_waited, w);
}

static inline void await_waiter(struct fixture *f, const struct waiter *w, int result) {
    while (!w->calls)
        turn(f);
    CHECK_INT(w->calls, 1);
    CHECK_INT(w->result, result);
}
