/* Real processes behind sessions, a real spool: what is told of them, and when. */
#include "app/watch.h"

#include "child.h"
#include "core/event.h"
#include "module/ingest/follower.h"

enum { NEVER_MS = 1000000000, SOON_MS = 20 };

struct fixture {
    struct temp_dir dir;
    struct follower f;
    struct state state;
    struct notes notes;
    struct watch watch;
    uint64_t pos; /* of the next session */
};

static void fixture_open(struct fixture *x, uint64_t every_ms) {
    *x = (struct fixture){.dir = temp_dir_make()};
    follower_open(&x->f, x->dir.path, (struct spool_mark){0}, NULL);
    state_init(&x->state);
    x->notes = (struct notes){.clock = &clock_system, .spool_dir = x->dir.path, .ingest = x->f.in};
    watch_open(&x->watch, &x->f.loop, &x->notes, &x->state);
    x->watch.every_ms = every_ms;
}

static void fixture_close(struct fixture *x) {
    watch_close(&x->watch);
    follower_close(&x->f);
    CHECK_INT(x->watch.held, 0);
    state_fini(&x->state);
    temp_dir_remove(x->dir.path);
}

static struct session *add_session(struct fixture *x, const struct child *c) {
    struct session *s = state_add_session(&x->state, ++x->pos, SESSION_KIND_OBSERVED);
    if (c) {
        s->primary->conversation.pid = c->pid;
        s->primary->conversation.pid_start = c->start;
    }
    return s;
}

/* The i-th record is the daemon's, about this session's process. */
static void check_told(struct fixture *x, size_t i, const struct session *s, const char *what,
                       const struct child *c) {
    follower_await(&x->f, i + 1);
    char want[256], start[32] = "";
    bool found = strcmp(what, "find") == 0;
    if (found) (void)snprintf(start, sizeof start, "\"start\":%llu,", (unsigned long long)c->start);
    (void)snprintf(want, sizeof want,
                   "\"probe\":{\"session\":\"%s\",\"for\":\"%s\",\"pid\":%d,%s\"alive\":%s,\"child\":false}",
                   s->id, what, (int)c->pid, start, found ? "true" : "false");
    if (!strstr(x->f.v[i].text, want)) fail_msg("%s is not in %s", want, x->f.v[i].text);
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 16);
    struct event ev;
    struct err err;
    CHECK_INT(event_parse(span_str(x->f.v[i].text), 1, &arena, &ev, &err), 0);
    CHECK_STR(probe_to_str(ev.probe), what);
    CHECK_SPAN(ev.session_id, s->id);
}

static void on_tick(uv_timer_t *timer) {
    ++*(int *)timer->data;
}

static void on_timer_closed(uv_handle_t *handle) {
    free(handle);
}

/* The watch looks around a few times. */
static void let_it_look(struct fixture *x) {
    int ticks = 0;
    uv_timer_t *timer = xcalloc(1, sizeof *timer);
    timer->data = &ticks;
    CHECK_INT(uv_timer_init(&x->f.loop, timer), 0);
    CHECK_INT(uv_timer_start(timer, on_tick, SOON_MS, SOON_MS), 0);
    while (ticks < 4)
        (void)uv_run(&x->f.loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)timer, on_timer_closed);
}

TEST(a_death_is_told_at_once) {
    struct fixture x;
    fixture_open(&x, NEVER_MS);
    struct child c = child_start(NULL), d = child_start(NULL);
    struct session *s = add_session(&x, &c), *t = add_session(&x, &d);
    watch_all(&x.watch);
    CHECK_INT(x.watch.held, 2);
    CHECK(!uv_is_active((uv_handle_t *)&x.watch.timer)); /* nothing polls */
    child_end(&d);
    check_told(&x, 0, t, "exit", &d);
    CHECK_INT(x.watch.held, 1);
    child_make_zombie(&c); /* its parent need not notice */
    check_told(&x, 1, s, "exit", &c);
    (void)child_reap(&c);
    watch_session(&x.watch, s); /* the record has not been read yet: it is not told twice */
    follower_drain(&x.f);
    CHECK_INT(x.f.n, 2);
    fixture_close(&x);
}

TEST(who_died_before_the_start_is_told_after_it) {
    struct fixture x;
    fixture_open(&x, NEVER_MS);
    struct child dead = child_start(NULL), alive = child_start(NULL);
    child_end(&dead);
    struct session *s = add_session(&x, &dead), *t = add_session(&x, &alive);
    struct session *ended = add_session(&x, &dead);
    ended->primary->conversation.status = SESSION_STATUS_ENDED;
    watch_session(&x.watch, s); /* while the spool is read: how things were then */
    follower_drain(&x.f);
    CHECK_INT(x.f.n, 0);
    watch_all(&x.watch);
    check_told(&x, 0, s, "restart", &dead);
    watch_all(&x.watch);
    child_end(&alive);
    check_told(&x, 1, t, "exit", &alive); /* it outlived the start */
    follower_drain(&x.f);
    CHECK_INT(x.f.n, 2);
    fixture_close(&x);
}

TEST(another_start_is_another_process) {
    struct fixture x;
    fixture_open(&x, NEVER_MS);
    watch_all(&x.watch);
    struct child c = child_start(NULL);
    struct session *s = add_session(&x, &c);
    s->primary->conversation.pid_start++;
    watch_session(&x.watch, s);
    check_told(&x, 0, s, "exit", &c);
    s->primary->conversation.pid_start = 0; /* not known: whoever has the pid */
    watch_session(&x.watch, s);
    CHECK_INT(x.watch.held, 1);
    child_end(&c);
    check_told(&x, 1, s, "exit", &c);
    fixture_close(&x);
}

TEST(a_session_with_another_process) {
    struct fixture x;
    fixture_open(&x, NEVER_MS);
    watch_all(&x.watch);
    struct child before = child_start(NULL), after = child_start(NULL);
    struct session *s = add_session(&x, &before);
    watch_session(&x.watch, s);
    s->primary->conversation.pid = after.pid;
    s->primary->conversation.pid_start = after.start;
    watch_session(&x.watch, s);
    watch_session(&x.watch, s);
    CHECK_INT(x.watch.held, 1);
    child_end(&before);
    child_end(&after);
    check_told(&x, 0, s, "exit", &after);
    follower_drain(&x.f);
    CHECK_INT(x.f.n, 1);
    fixture_close(&x);
}

TEST(who_ended_or_left_is_not_watched) {
    struct fixture x;
    fixture_open(&x, NEVER_MS);
    struct child c[3] = {child_start(NULL), child_start(NULL), child_start(NULL)};
    struct session *ended = add_session(&x, &c[0]), *removed = add_session(&x, &c[1]),
                   *s = add_session(&x, &c[2]);
    watch_all(&x.watch);
    ended->primary->conversation.status = SESSION_STATUS_ENDED;
    watch_session(&x.watch, ended);
    watch_forget(&x.watch, removed);
    state_remove_session(&x.state, removed);
    state_reap(&x.state);
    CHECK_INT(x.watch.held, 1);
    for (size_t i = 0; i < ARRAY_LEN(c); i++)
        child_end(&c[i]);
    check_told(&x, 0, s, "exit", &c[2]);
    follower_drain(&x.f);
    CHECK_INT(x.f.n, 1);
    fixture_close(&x);
}

TEST(a_watch_outlives_its_session) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    struct child c = child_start(NULL);
    struct session *s = add_session(&x, &c), *lost = add_session(&x, NULL);
    struct session copy = *s;
    watch_all(&x.watch);
    state_remove_session(&x.state, s);
    state_remove_session(&x.state, lost);
    state_reap(&x.state);
    let_it_look(&x);
    CHECK(list_empty(&x.watch.lost));
    child_end(&c);
    check_told(&x, 0, &copy, "exit", &c);
    fixture_close(&x);
}

TEST(without_descriptors_it_is_looked_at_now_and_then) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    x.watch.held_max = 0;
    struct child c = child_start(NULL), d = child_start(NULL);
    struct session *s = add_session(&x, &c), *t = add_session(&x, &d);
    watch_all(&x.watch);
    let_it_look(&x);
    CHECK_INT(x.watch.held, 0);
    CHECK_INT(x.f.n, 0);
    child_end(&c);
    check_told(&x, 0, s, "exit", &c);
    child_make_zombie(&d);
    check_told(&x, 1, t, "exit", &d);
    (void)child_reap(&d);
    while (uv_is_active((uv_handle_t *)&x.watch.timer)) /* nobody is left to be looked at */
        (void)uv_run(&x.f.loop, UV_RUN_ONCE);
    fixture_close(&x);
}

TEST(a_lack_of_descriptors_is_no_death) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    struct child c = child_start(NULL);
    struct session *s = add_session(&x, &c);
    struct rlimit was = no_more_files();
    watch_all(&x.watch);
    let_it_look(&x);
    bool is_slow = !list_empty(&x.watch.slow);
    files_again(&was);
    CHECK(is_slow);
    while (!list_empty(&x.watch.slow)) /* and is watched better when there are some again */
        (void)uv_run(&x.f.loop, UV_RUN_ONCE);
    CHECK_INT(x.watch.held, 1);
    CHECK_INT(x.f.n, 0);
    child_end(&c);
    check_told(&x, 0, s, "exit", &c);
    fixture_close(&x);
}

TEST(what_could_not_be_told_is_told_later) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    struct child c = child_start(NULL), d = child_start(NULL);
    child_end(&d);
    struct session *s = add_session(&x, &c), *t = add_session(&x, &d);
    x.notes.spool_dir = "/proc/none";
    watch_all(&x.watch);
    child_end(&c);
    while (x.watch.held || list_empty(&x.watch.slow))
        (void)uv_run(&x.f.loop, UV_RUN_ONCE);
    let_it_look(&x);
    CHECK_INT(x.f.n, 0);
    x.notes.spool_dir = x.dir.path;
    check_told(&x, 0, t, "restart", &d);
    check_told(&x, 1, s, "exit", &c);
    let_it_look(&x);
    CHECK_INT(x.f.n, 2);
    fixture_close(&x);
}

/* Agents whose hooks name no process */

static const char *place;

static void be_claude_there(void) {
    if (chdir(place) == 0) (void)execl("/bin/sleep", "/opt/bin/claude", "60", (char *)NULL);
    _exit(1);
}

static void be_an_editor_there(void) {
    int file = chdir(place) == 0 ? open("claude.md", O_CREAT | O_RDONLY | O_CLOEXEC, 0600) : -1;
    if (file >= 0) (void)execl("/usr/bin/tail", "vim", "-f", "claude.md", (char *)NULL);
    _exit(1);
}

static struct session *add_lost(struct fixture *x, int64_t silent_ms) {
    struct session *s = add_session(x, NULL);
    s->project_path = xstrdup(place);
    s->primary->conversation.last_activity_ms = usec_to_msec(clock_wall(&clock_system)) - silent_ms;
    return s;
}

TEST(a_lost_process_is_found_and_watched) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    place = x.dir.path;
    struct child editor = child_start(be_an_editor_there), c = child_start(be_claude_there);
    struct session *s = add_lost(&x, 0);
    watch_all(&x.watch);
    check_told(&x, 0, s, "find", &c);
    let_it_look(&x);
    CHECK_INT(x.f.n, 1); /* once is enough */
    s->primary->conversation.pid = c.pid;
    s->primary->conversation.pid_start = c.start;
    watch_session(&x.watch, s);
    CHECK(!uv_is_active((uv_handle_t *)&x.watch.timer));
    child_end(&c);
    check_told(&x, 1, s, "exit", &c);
    child_end(&editor);
    fixture_close(&x);
}

TEST(a_process_that_is_someone_elses_is_not_found) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    place = x.dir.path;
    struct child mine = child_start(be_claude_there), c = child_start(be_claude_there);
    (void)add_session(&x, &mine);
    struct session *s = add_lost(&x, 0);
    watch_all(&x.watch);
    check_told(&x, 0, s, "find", &c);
    child_end(&mine);
    child_end(&c);
    fixture_close(&x);
}

TEST(two_cards_do_not_share_a_process) {
    struct fixture x;
    fixture_open(&x, SOON_MS);
    place = x.dir.path;
    struct child c = child_start(be_claude_there);
    struct session *s = add_lost(&x, 0), *other = add_lost(&x, 0);
    (void)add_lost(&x, INT64_C(1) << 40); /* silent since before the process began: it was never this one's */
    struct session *connecting = add_lost(&x, 0);
    connecting->primary->conversation.status = SESSION_STATUS_CONNECTING;
    watch_all(&x.watch);
    let_it_look(&x);
    CHECK_INT(x.f.n, 0);
    other->primary->conversation.status = SESSION_STATUS_ENDED;
    watch_session(&x.watch, other);
    check_told(&x, 0, s, "find", &c);
    child_end(&c);
    fixture_close(&x);
}

TEST(the_limit_of_files_is_raised) {
    struct rlimit was, low, now;
    CHECK_INT(getrlimit(RLIMIT_NOFILE, &was), 0);
    low = was;
    low.rlim_cur = MIN(was.rlim_cur, (rlim_t)200);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &low), 0);
    watch_raise_limit();
    CHECK_INT(getrlimit(RLIMIT_NOFILE, &now), 0);
    CHECK_INT(now.rlim_cur, MIN(was.rlim_max, (rlim_t)WATCH_FILES_MAX));
    CHECK_INT(now.rlim_max, was.rlim_max);
    files_again(&was);
}

TESTS(RUN(a_death_is_told_at_once), RUN(who_died_before_the_start_is_told_after_it),
      RUN(another_start_is_another_process), RUN(a_session_with_another_process),
      RUN(who_ended_or_left_is_not_watched), RUN(a_watch_outlives_its_session),
      RUN(without_descriptors_it_is_looked_at_now_and_then), RUN(a_lack_of_descriptors_is_no_death),
      RUN(what_could_not_be_told_is_told_later), RUN(a_lost_process_is_found_and_watched),
      RUN(a_process_that_is_someone_elses_is_not_found), RUN(two_cards_do_not_share_a_process),
      RUN(the_limit_of_files_is_raised))
