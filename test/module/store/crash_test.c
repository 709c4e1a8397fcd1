/* kill -9 at any moment: the rows and the mark agree, and nothing that was reported committed is missing. */
#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 6, PER_BATCH = 20 };

/* Commits batch after batch, each going on where the mark in the database says, and writes a byte for each one that
 * was reported done. Ends by being killed. */
static void write_until_killed(struct fixture *f, int out) {
    fixture_open_store(f);
    struct state st;
    state_init(&st);
    struct store_meta meta;
    if (store_load(f->store, &st, &meta, NULL) < 0) _exit(1);
    struct worker *w = state_find(&st, SPAN("agent"));
    struct session *s = w ? w->session : state_add_session(&st, 1, SESSION_KIND_OBSERVED);
    state_add_alias(&st, SPAN("agent"), s->primary);
    for (;;) {
        struct store_batch *b = store_batch_new();
        for (int i = 0; i < PER_BATCH; i++)
            append_event(b, s, ++meta.mark.off);
        s->primary->conversation.tool_calls = meta.mark.off;
        store_batch_session(b, s);
        store_batch_mark(b, &meta.mark, meta.mark.off);
        fixture_commit(f, b);
        if (write(out, "", 1) != 1) _exit(1);
    }
}

TEST(rows_and_mark_agree_after_kill_9) {
    struct fixture f;
    fixture_make(&f);
    post_close(f.mail); /* each process has a loop of its own */
    (void)uv_run(&f.loop, UV_RUN_DEFAULT);
    CHECK_INT(uv_loop_close(&f.loop), 0);

    int64_t acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int fds[2];
        CHECK_INT(pipe(fds), 0);
        pid_t pid = fork();
        if (pid == 0) {
            if (uv_loop_init(&f.loop) < 0 || post_open(&f.loop, &f.mail) < 0) _exit(1);
            write_until_killed(&f, fds[1]);
        }
        (void)close(fds[1]);
        char byte;
        for (int i = 0; i < 1 + 7 * round; i++) {
            CHECK_INT(read(fds[0], &byte, 1), 1);
            acknowledged += PER_BATCH;
        }
        CHECK_INT(kill(pid, SIGKILL), 0);
        while (read(fds[0], &byte, 1) == 1)
            acknowledged += PER_BATCH;
        (void)close(fds[0]);
        int status;
        CHECK_INT(waitpid(pid, &status, 0), pid);
        CHECK(WIFSIGNALED(status));

        int64_t mark = fixture_number(&f, "SELECT spool_off FROM meta");
        CHECK(mark >= acknowledged);
        CHECK_INT(mark % PER_BATCH, 0);
        CHECK_INT(fixture_number(&f, "SELECT count(*) FROM events"), mark);
        CHECK_INT(fixture_number(&f, "SELECT count(DISTINCT pos) FROM events"), mark);
        CHECK_INT(fixture_number(&f, "SELECT max(pos) FROM events"), mark);
        CHECK_INT(fixture_number(&f, "SELECT total_tool_calls FROM sessions"), mark);
        CHECK_INT(fixture_number(&f, "SELECT seq FROM meta"), mark);
        acknowledged = mark;
    }
    CHECK_INT(uv_loop_init(&f.loop), 0);
    CHECK_INT(post_open(&f.loop, &f.mail), 0);
    fixture_close(&f);
}

TESTS(RUN(rows_and_mark_agree_after_kill_9))
