/* Terminals that nobody needs are put to rest, and come back; with a real keeper. */
#include "pty/terminals.h"
#include "pty/viewers.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "temp_dir.h"
#include "test.h"

#include <unistd.h>

enum { IDLE_MS = 50, PATIENCE_MS = 30000 };

struct desk {
    uv_loop_t loop;
    uv_timer_t patience;
    struct redact_set *redact;
    struct terminals *terminals;
    struct terminal *terminal;
    bool works; /* its agent does: it may not rest */
    unsigned asked, gone;
};

static void on_nothing(void *user UNUSED, struct terminal *t UNUSED) {}

static void on_gone(void *user, struct terminal *t UNUSED) {
    ((struct desk *)user)->gone++;
}

static bool on_may_rest(void *user, struct terminal *t UNUSED) {
    struct desk *d = user;
    d->asked++;
    return !d->works;
}

static const struct terminals_ops ops = {.started = on_nothing,
                                         .changed = on_nothing,
                                         .painted = on_nothing,
                                         .shown = on_nothing,
                                         .gone = on_gone,
                                         .may_rest = on_may_rest};

static void impatient(uv_timer_t *timer UNUSED) {
    fail_msg("waited in vain");
}

static void on_done(void *user, struct terminal *t, int r, const struct err *err) {
    struct desk *d = user;
    if (r < 0) fail_msg("%s", err->msg);
    d->terminal = t;
}

static struct terminal_facts facts(const struct desk *d) {
    struct terminal_facts f;
    terminal_facts(d->terminal, &f);
    return f;
}

static void until_live(struct desk *d) {
    while (!d->terminal || facts(d).connection != TERMINAL_LIVE)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
}

static void until(struct desk *d, const unsigned *count) {
    for (unsigned before = *count; *count == before;)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
}

static void desk_open(struct desk *d, const char *dir, bool works) {
    *d = (struct desk){.works = works};
    CHECK_INT(uv_loop_init(&d->loop), 0);
    CHECK_INT(uv_timer_init(&d->loop, &d->patience), 0);
    CHECK_INT(uv_timer_start(&d->patience, impatient, PATIENCE_MS, 0), 0);
    CHECK_INT(redact_compile(SPAN_NONE, &d->redact, NULL), 0);
    const struct terminals_options options = {.dir = dir,
                                              .keeper = getenv("OSTLER_KEEPER"),
                                              .idle_ms = IDLE_MS,
                                              .redact = d->redact,
                                              .clock = &clock_system};
    d->terminals = terminals_open(&d->loop, &options, &ops, d);
    static const char *const argv[] = {"cat", NULL};
    const struct terminal_spec spec = {
        .kind = TERMINAL_COMMAND, .directory = "/", .argv = argv, .command = SPAN("cat")};
    terminals_create(d->terminals, &spec, on_done, d);
}

/* Deleted, so that its keeper goes, too; that has its socket in the terminal's directory. */
static void desk_close(struct desk *d, const char *dir) {
    char *own = str_format("%s/%s", dir, facts(d).id);
    terminals_delete(d->terminals, span_str(facts(d).id));
    while (access(own, F_OK) == 0)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
    free(own);
    terminals_close(d->terminals);
    uv_close((uv_handle_t *)&d->patience, NULL);
    (void)uv_run(&d->loop, UV_RUN_DEFAULT);
    terminals_free(d->terminals);
    CHECK_INT(uv_loop_close(&d->loop), 0);
    redact_set_free(d->redact);
}

TEST(a_quiet_one_rests_and_comes_back) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, false);
    until_live(&d);
    uint64_t epoch = facts(&d).epoch;
    until(&d, &d.gone);
    CHECK_INT(facts(&d).connection, TERMINAL_RESTORED);
    CHECK_INT(facts(&d).pid, 0);
    d.works = true;
    terminal_resume(d.terminal, NULL, false, on_done, &d);
    until_live(&d);
    CHECK(facts(&d).epoch != epoch);
    desk_close(&d, dir.path);
}

TEST(one_whose_agent_works_does_not) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, true);
    until(&d, &d.asked);
    CHECK_INT(facts(&d).connection, TERMINAL_LIVE);
    CHECK_INT(d.gone, 0);
    desk_close(&d, dir.path);
}

static void on_wake(void *user UNUSED) {}

static void on_time(uv_timer_t *timer) {
    *(unsigned *)timer->data += 1;
}

TEST(nor_one_that_somebody_looks_at_until_they_leave) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, false);
    until_live(&d);
    struct terminal_viewer viewer = {.wake = on_wake};
    terminal_attach(d.terminal, &viewer, NULL, NULL);
    unsigned passed = 0;
    uv_timer_t later = {.data = &passed};
    CHECK_INT(uv_timer_init(&d.loop, &later), 0);
    CHECK_INT(uv_timer_start(&later, on_time, 4 * IDLE_MS, 0), 0);
    until(&d, &passed);
    uv_close((uv_handle_t *)&later, NULL);
    CHECK_INT(d.asked, 0);
    CHECK_INT(facts(&d).connection, TERMINAL_LIVE);
    terminal_detach(&viewer);
    until(&d, &d.gone);
    CHECK_INT(facts(&d).connection, TERMINAL_RESTORED);
    desk_close(&d, dir.path);
}

TESTS(RUN(a_quiet_one_rests_and_comes_back), RUN(one_whose_agent_works_does_not),
      RUN(nor_one_that_somebody_looks_at_until_they_leave))
