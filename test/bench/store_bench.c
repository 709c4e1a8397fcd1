/*
 * How fast the store commits and loads: store_bench [directory]
 *
 * Events come round robin from 1, 10 and 100 sessions, each with an event row and every other one with a tool row; the dirty
 * sessions are in each batch too, as the daemon does it. The load is of sessions whose four histories are full.
 */
#include "base/clock.h"
#include "base/path.h"
#include "base/str.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

struct bench {
    uv_loop_t loop;
    struct post *mail;
    struct store *store;
    struct state st;
    struct session **sessions;
    size_t session_count;
    uint64_t pos;
    char file[PATH_BYTES];
    bool done;
};

static double seconds(void) {
    return (double)clock_mono(&clock_system) / (double)USEC_PER_SEC;
}

/* Of all threads, user and system: says more than the clock on a machine that does other things too. */
static double cpu_seconds(void) {
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / (double)USEC_PER_SEC;
}

static void die(const char *message) {
    (void)fprintf(stderr, "%s\n", message);
    exit(1);
}

static void on_done(void *user, int result, const char *message) {
    struct bench *b = user;
    if (result < 0) die(message);
    b->done = true;
}

static void wait_done(struct bench *b) {
    b->done = false;
    while (!b->done)
        (void)uv_run(&b->loop, UV_RUN_ONCE);
}

static void commit(struct bench *b, struct store_batch *batch) {
    const struct spool_mark mark = {.off = b->pos};
    store_batch_mark(batch, &mark, b->pos);
    store_submit(b->store, batch, on_done, b);
    wait_done(b);
}

static void remove_files(const char *file) {
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        char path[PATH_BYTES + 8];
        (void)snprintf(path, sizeof path, "%s%s", file, suffixes[i]);
        (void)unlink(path);
    }
}

static void open_empty(struct bench *b, size_t sessions) {
    remove_files(b->file);
    struct err err = {0};
    if (store_open(b->file, b->mail, &b->store, &err) < 0) die(err.msg);
    state_init(&b->st);
    b->sessions = calloc(sessions, sizeof(struct session *));
    if (!b->sessions) die("no memory");
    b->session_count = sessions;
    b->pos = 0;
    for (size_t i = 0; i < sessions; i++) {
        struct session *s = b->sessions[i] = state_add_session(&b->st, i * 1000, SESSION_KIND_OBSERVED);
        char alias[64];
        (void)snprintf(alias, sizeof alias, "01234567-89ab-cdef-0123-%012zu", i);
        state_add_alias(&b->st, span_str(alias), s->primary);
        str_set(&s->primary->conversation.session_id, span_str(alias));
        str_set(&s->project_path, SPAN("/home/somebody/src/project"));
        str_set(&s->primary->conversation.current_prompt,
                SPAN("Please make the flaky test pass on every machine"));
    }
}

static void close_all(struct bench *b) {
    store_close(b->store);
    state_fini(&b->st);
    free(b->sessions);
}

static void one(struct store_batch *batch, struct session *s, struct history *h, enum history_kind kind,
                uint64_t pos, struct span what, struct span detail) {
    store_batch_append(batch, s, kind, history_push(h, pos, 1700000000000 + (int64_t)pos, what, detail));
}

static void add_event(struct bench *b, struct store_batch *batch, uint64_t i) {
    struct session *s = b->sessions[i % b->session_count];
    struct conversation *c = &s->primary->conversation;
    b->pos += 900;
    one(batch, s, &c->history[HISTORY_EVENT], HISTORY_EVENT, b->pos, SPAN("PreToolUse"),
        SPAN("Bash: ninja -C build && meson test"));
    if (i & 1)
        one(batch, s, &c->history[HISTORY_TOOL], HISTORY_TOOL, b->pos, SPAN("Bash"),
            SPAN("ninja -C build && meson test -C build"));
    session_touch(&b->st, s, FACET_TOOLS);
}

static void take_dirty(struct bench *b, struct store_batch *batch) {
    list_for_each_safe(pos, &b->st.dirty) {
        struct session *s = list_entry(pos, struct session, in_dirty);
        store_batch_session(batch, s);
        list_remove(&s->in_dirty);
        s->dirty = false;
    }
}

static void measure_commits(struct bench *b, size_t sessions, uint64_t batch_size, uint64_t events) {
    open_empty(b, sessions);
    double began = seconds(), cpu = cpu_seconds();
    for (uint64_t i = 0; i < events;) {
        struct store_batch *batch = store_batch_new();
        for (uint64_t k = 0; k < batch_size; k++)
            add_event(b, batch, i++);
        take_dirty(b, batch);
        commit(b, batch);
    }
    double took = seconds() - began;
    cpu = cpu_seconds() - cpu;
    (void)printf(
        "commit, %3zu sessions, batches of %4lu: %7.0f events/s, %7.0f rows/s, %5.1f us CPU an event\n",
        sessions, (unsigned long)batch_size, (double)events / took, (double)events * 1.5 / took,
        cpu / (double)events * 1e6);
    close_all(b);
}

static void fill_histories(struct bench *b) {
    for (uint64_t i = 0; i < HISTORY_TOOLS_MAX; i++) {
        struct store_batch *batch = store_batch_new();
        for (size_t k = 0; k < b->session_count; k++) {
            struct session *s = b->sessions[k];
            struct conversation *c = &s->primary->conversation;
            b->pos += 900;
            one(batch, s, &c->history[HISTORY_TOOL], HISTORY_TOOL, b->pos, SPAN("Bash"),
                SPAN("ninja -C build && meson test"));
            one(batch, s, &c->history[HISTORY_EVENT], HISTORY_EVENT, b->pos, SPAN("PreToolUse"),
                SPAN("Bash"));
            if (i % 4) continue;
            one(batch, s, &c->history[HISTORY_PROMPT], HISTORY_PROMPT, b->pos,
                SPAN("Make the flaky test pass"), SPAN_NONE);
            one(batch, s, &c->history[HISTORY_RESPONSE], HISTORY_RESPONSE, b->pos,
                SPAN("It passes on every machine"), SPAN_NONE);
            store_batch_session(batch, s);
        }
        commit(b, batch);
    }
    store_checkpoint(b->store, on_done, b);
    wait_done(b);
}

static void measure_load(struct bench *b, size_t sessions) {
    open_empty(b, sessions);
    fill_histories(b);
    close_all(b);
    double began = seconds();
    struct err err = {0};
    if (store_open(b->file, b->mail, &b->store, &err) < 0) die(err.msg);
    double opened = seconds(), cpu = cpu_seconds();
    struct state st;
    struct store_meta meta;
    state_init(&st);
    if (store_load(b->store, &st, &meta, &err) < 0) die(err.msg);
    double took = seconds() - opened;
    cpu = cpu_seconds() - cpu;
    if (st.session_count != sessions) die("sessions are missing");
    (void)printf("load, %4zu sessions with full history: %6.1f ms, %6.1f ms CPU (open %.1f ms)\n", sessions,
                 took * 1e3, cpu * 1e3, (opened - began) * 1e3);
    state_fini(&st);
    store_close(b->store);
}

int main(int argc, char **argv) {
    struct bench b = {0};
    const char *dir = argc > 1 ? argv[1] : "/tmp";
    if (path_join(b.file, dir, "store_bench.db") < 0) die("the directory's name is too long");
    if (uv_loop_init(&b.loop) < 0 || post_open(&b.loop, &b.mail) < 0) die("no loop");
    for (size_t sessions = 1; sessions <= 100; sessions *= 10) {
        measure_commits(&b, sessions, 1, 10000);
        measure_commits(&b, sessions, 100, 100000);
        measure_commits(&b, sessions, 1000, 300000);
    }
    measure_load(&b, 100);
    measure_load(&b, 1000);
    remove_files(b.file);
    post_close(b.mail);
    (void)uv_run(&b.loop, UV_RUN_DEFAULT);
    return uv_loop_close(&b.loop) < 0;
}
