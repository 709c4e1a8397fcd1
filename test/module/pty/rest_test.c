/* Shells in which nothing runs are put to rest, and come back; whatever runs is left alone. With a real keeper and real jobs. */
#include "pty/terminals.h"
#include "pty/viewers.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"
#include "platform/proc.h"
#include "temp_dir.h"
#include "test.h"

#include <signal.h>
#include <unistd.h>

enum { IDLE_MS = 50, PATIENCE_MS = 60000, TICK_MS = 10, LOOKS = 6 };

struct desk {
    uv_loop_t loop;
    uv_timer_t patience, tick;
    struct redact_set *redact;
    struct terminals *terminals;
    struct terminal *terminal;
    char *id;
    bool works; /* its agent does: it may not rest */
    bool keeps; /* somebody wants it to stay, when its rest is told */
    unsigned asked, gone, told, kept;
};

static struct terminal_facts facts(const struct desk *d) {
    struct terminal_facts f;
    terminal_facts(d->terminal, &f);
    return f;
}

static void on_nothing(void *user UNUSED, struct terminal *t UNUSED) {}

static void on_changed(void *user, struct terminal *t) {
    struct desk *d = user;
    struct terminal_facts f;
    terminal_facts(t, &f);
    if (!f.rests_ms) return;
    d->told++;
    if (!d->keeps) return;
    d->kept++;
    terminal_keep(t);
}

static void on_gone(void *user, struct terminal *t UNUSED) {
    ((struct desk *)user)->gone++;
}

static bool on_may_rest(void *user, struct terminal *t UNUSED) {
    struct desk *d = user;
    d->asked++;
    return !d->works;
}

static const struct terminals_ops ops = {.started = on_nothing,
                                         .changed = on_changed,
                                         .painted = on_nothing,
                                         .shown = on_nothing,
                                         .gone = on_gone,
                                         .may_rest = on_may_rest};

static void impatient(uv_timer_t *timer UNUSED) {
    fail_msg("waited in vain");
}

static void on_tick(uv_timer_t *timer UNUSED) {}

static void on_done(void *user, struct terminal *t, int r, const struct err *err) {
    struct desk *d = user;
    if (r < 0) fail_msg("%s", err->msg);
    d->terminal = t;
}

static void until_live(struct desk *d) {
    while (!d->terminal || facts(d).connection != TERMINAL_LIVE)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
}

/* Until it has happened so often, or the terminal is gone. */
static void until(struct desk *d, const unsigned *count, unsigned more) {
    for (unsigned before = *count; *count < before + more && !d->gone;)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
}

static const char *const shell[] = {"bash", "--norc", "--noprofile", "-i", NULL};

static void desk_open(struct desk *d, const char *dir, const char *const *argv, int64_t idle_ms, bool works) {
    *d = (struct desk){.works = works};
    CHECK_INT(uv_loop_init(&d->loop), 0);
    CHECK_INT(uv_timer_init(&d->loop, &d->patience), 0);
    CHECK_INT(uv_timer_init(&d->loop, &d->tick), 0);
    CHECK_INT(uv_timer_start(&d->patience, impatient, PATIENCE_MS, 0), 0);
    CHECK_INT(uv_timer_start(&d->tick, on_tick, TICK_MS, TICK_MS), 0);
    CHECK_INT(redact_compile(SPAN_NONE, &d->redact, NULL), 0);
    char *terminals = str_format("%s/terminals", dir);
    const struct terminals_options options = {.dir = terminals,
                                              .keeper = getenv("OSTLER_KEEPER"),
                                              .idle_ms = idle_ms,
                                              .redact = d->redact,
                                              .clock = &clock_system};
    d->terminals = terminals_open(&d->loop, &options, &ops, d);
    free(terminals);
    const struct terminal_spec spec = {
        .kind = TERMINAL_COMMAND, .directory = dir, .argv = argv, .command = SPAN("test")};
    terminals_create(d->terminals, &spec, on_done, d);
    until_live(d);
    d->id = str_dup(span_str(facts(d).id));
}

static int kill_marked(void *user, pid_t pid) {
    AUTO(buf) struct buf environment = BUF_INIT(1 << 20);
    AUTO(free) char *path = str_format("/proc/%lld/environ", (long long)pid);
    AUTO(free) char *mark = str_format("OSTLER_TERMINAL=%s", (const char *)user);
    if (file_read(path, &environment) < 0) return 0;
    struct span rest = buf_span(&environment);
    while (rest.n)
        if (span_eq(span_split(&rest, '\0'), span_str(mark))) (void)kill(pid, SIGKILL);
    return 0;
}

/* Deleted, so that its keeper goes, too; that has its socket in the terminal's directory. What it left behind is ended. */
static void desk_close(struct desk *d, const char *dir) {
    char *own = str_format("%s/terminals/%s", dir, d->id);
    terminals_delete(d->terminals, span_str(d->id));
    while (access(own, F_OK) == 0)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
    free(own);
    (void)proc_each(kill_marked, d->id);
    free(d->id);
    terminals_close(d->terminals);
    uv_close((uv_handle_t *)&d->patience, NULL);
    uv_close((uv_handle_t *)&d->tick, NULL);
    (void)uv_run(&d->loop, UV_RUN_DEFAULT);
    terminals_free(d->terminals);
    CHECK_INT(uv_loop_close(&d->loop), 0);
    redact_set_free(d->redact);
}

static void type(struct desk *d, const char *text) {
    CHECK_INT(terminal_input(d->terminal, span_str(text)), 0);
}

static void until_file(struct desk *d, const char *dir, const char *name) {
    AUTO(free) char *path = str_format("%s/%s", dir, name);
    while (access(path, F_OK) < 0)
        (void)uv_run(&d->loop, UV_RUN_ONCE);
}

TEST(a_quiet_shell_is_told_to_rest_rests_and_comes_back) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, shell, IDLE_MS, true);
    type(&d, "touch ready\r");
    until_file(&d, dir.path, "ready");
    d.works = false;
    uint64_t epoch = facts(&d).epoch;
    until(&d, &d.gone, 1);
    CHECK(d.told > 0);
    CHECK_INT(facts(&d).connection, TERMINAL_RESTORED);
    CHECK_INT(facts(&d).pid, 0);
    CHECK_INT(facts(&d).rests_ms, 0);
    d.works = true;
    terminal_resume(d.terminal, NULL, false, on_done, &d);
    until_live(&d);
    CHECK(facts(&d).epoch != epoch);
    desk_close(&d, dir.path);
}

/* A line that is typed, and what else. */
static const struct job {
    const char *name, *first, *then;
} jobs[] = {
    {"in the foreground", "touch ready; sleep 100000\r", NULL},
    {"in the background", "sleep 100000 & touch ready\r", NULL},
    {"nohup", "nohup sleep 100000 >/dev/null 2>&1 & touch ready\r", NULL},
    {"disowned", "sleep 100000 & disown; touch ready\r", NULL},
    {"in a session of its own", "setsid sleep 100000 & sleep 0.2; touch ready\r", NULL},
    {"whose parents have gone", "(setsid sleep 100000 &) ; touch ready\r", NULL},
    {"stopped", "sh -c 'touch begun; exec sleep 100000'\r", "\x1a"},
    {"in the shell's place", "touch ready; exec sleep 100000\r", NULL},
    {"the shell itself reads", "touch ready; read line\r", NULL},
    {"the shell itself waits", "mkfifo pipe; touch ready; read line <pipe\r", NULL},
    {"the shell itself computes", "touch ready; while :; do :; done\r", NULL},
    {"a script", "touch ready; bash -c 'read line; echo'\r", NULL},
    {"a full screen", "touch ready; bash --norc -i\r", NULL},
};

TEST(whatever_runs_is_left_alone) {
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
        struct desk d;
        desk_open(&d, dir.path, shell, IDLE_MS, true);
        type(&d, jobs[i].first);
        if (jobs[i].then) {
            until_file(&d, dir.path, "begun");
            type(&d, jobs[i].then);
            type(&d, "touch ready\r");
        }
        until_file(&d, dir.path, "ready");
        d.works = false;
        until(&d, &d.asked, LOOKS);
        if (d.gone || facts(&d).connection != TERMINAL_LIVE || facts(&d).rests_ms || d.told)
            fail_msg("a job %s: gone %u, told %u", jobs[i].name, d.gone, d.told);
        desk_close(&d, dir.path);
    }
}

TEST(nor_is_a_server_that_was_started_in_it) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, shell, IDLE_MS, true);
    type(
        &d,
        "tmux -S \"$PWD/tmux\" -f /dev/null new-session -d 'sleep 100000' && touch tmux-runs; touch ready\r");
    until_file(&d, dir.path, "ready");
    AUTO(free) char *runs = str_format("%s/tmux-runs", dir.path);
    bool has_tmux = access(runs, F_OK) == 0;
    d.works = false;
    if (has_tmux) {
        until(&d, &d.asked, LOOKS);
        CHECK_INT(d.told + d.gone, 0);
    }
    desk_close(&d, dir.path);
    if (!has_tmux) skip();
}

TEST(a_program_that_is_no_shell_does_not_rest) {
    static const char *const programs[][3] = {{"cat", NULL}, {"sleep", "100000", NULL}};
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
        struct desk d;
        desk_open(&d, dir.path, programs[i], IDLE_MS, false);
        until(&d, &d.asked, LOOKS);
        CHECK_INT(d.told + d.gone, 0);
        desk_close(&d, dir.path);
    }
}

TEST(one_whose_agent_works_does_not) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, shell, IDLE_MS, true);
    until(&d, &d.asked, LOOKS);
    CHECK_INT(facts(&d).connection, TERMINAL_LIVE);
    CHECK_INT(d.told + d.gone, 0);
    desk_close(&d, dir.path);
}

TEST(nobody_rests_where_that_is_turned_off) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, shell, 0, false);
    unsigned passed = 0;
    while (passed++ < 50)
        (void)uv_run(&d.loop, UV_RUN_ONCE);
    CHECK_INT(d.asked, 0);
    CHECK_INT(facts(&d).connection, TERMINAL_LIVE);
    desk_close(&d, dir.path);
}

TEST(who_is_told_can_keep_it) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, shell, IDLE_MS, false);
    d.keeps = true;
    until(&d, &d.kept, 3);
    CHECK_INT(d.gone, 0);
    CHECK_INT(facts(&d).rests_ms, 0);
    d.keeps = false;
    until(&d, &d.gone, 1);
    desk_close(&d, dir.path);
}

static void on_wake(void *user UNUSED) {}

TEST(nor_one_that_somebody_looks_at_until_they_leave) {
    AUTO(temp_dir) struct temp_dir dir = temp_dir_make();
    struct desk d;
    desk_open(&d, dir.path, shell, IDLE_MS, false);
    struct terminal_viewer viewer = {.wake = on_wake};
    terminal_attach(d.terminal, &viewer, NULL, NULL);
    for (int ticks = 0; ticks < 40; ticks++)
        (void)uv_run(&d.loop, UV_RUN_ONCE);
    CHECK_INT(d.told, 0);
    CHECK_INT(facts(&d).connection, TERMINAL_LIVE);
    terminal_detach(&viewer);
    until(&d, &d.gone, 1);
    CHECK_INT(facts(&d).connection, TERMINAL_RESTORED);
    desk_close(&d, dir.path);
}

TESTS(RUN(a_quiet_shell_is_told_to_rest_rests_and_comes_back), RUN(whatever_runs_is_left_alone),
      RUN(nor_is_a_server_that_was_started_in_it), RUN(a_program_that_is_no_shell_does_not_rest),
      RUN(one_whose_agent_works_does_not), RUN(nobody_rests_where_that_is_turned_off),
      RUN(who_is_told_can_keep_it), RUN(nor_one_that_somebody_looks_at_until_they_leave))
