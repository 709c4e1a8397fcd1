/*
 * Builds the parts in the order of struct app, runs the loop, and takes them down in the reverse order. A stop is
 * asynchronous: connections close, the last batch is committed, then the loop runs empty.
 */
#define LOG_TAG "serve"
#include "app/serve.h"

#include "api/team_config.h"
#include "app/app.h"
#include "app/browser.h"
#include "app/daemon_end.h"
#include "app/feed.h"
#include "app/inbox_glue.h"
#include "app/prompting.h"
#include "app/resumes.h"
#include "app/terminals_glue.h"
#include "app/transcripts.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "base/version.h"
#include "core/retention.h"
#include "net/tls.h"
#include "platform/notify.h"
#include "platform/proc.h"
#include "platform/self.h"
#include "platform/sock.h"
#include "spool/losses.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_HOST "127.0.0.1"

enum {
    HOOKS_PER_SECOND = 100, /* over HTTP, of one address; the hook's own way has no limit */
    MS_PER_HOUR = 3600 * 1000,
    ANNOUNCE_AGAIN_MS = 2000,
};

/* Stopping */

/* Nothing is left to commit: close what is left, and the loop ends by itself. */
static void on_drained(void *user) {
    struct app *app = user;
    store_close(app->store);
    app->store = app->persist.store = NULL;
    post_close(app->mail);
}

static void close_handles(struct app *app) {
    watchdog_let_go(app->watchdog);
    signals_close(&app->signals);
    uv_close((uv_handle_t *)&app->deadline, NULL);
    uv_close((uv_handle_t *)&app->announce, NULL);
    broadcast_close(&app->broadcast);
    stats_feed_close(&app->stats_feed);
    refused_close(&app->refused);
    late_notes_close(&app->late_notes);
    watch_close(&app->watch);
    state_files_close(&app->state_files);
    records_close(&app->records);
    answers_close(&app->answers);
    notices_close(&app->notices);
    pushes_close(&app->pushes);
    kills_close(&app->kills);
    inbox_glue_close(app);
    typings_close(&app->typings);
    pty_stats_close(app);
    shell_glue_close(app);
    hook_setups_close(&app->hook_setups);
    rules_close(&app->rules);
    hook_sync_close(&app->hook_sync);
    terminals_glue_close(app);
    mend_queue_close(&app->mend_queue);
    logins_close(&app->logins);
    certificates_close(&app->certificates);
}

static void stop(struct app *app) {
    if (app->stopping) return;
    app->stopping = true;
    close_handles(app);
    calls_close(&app->calls);
    http_close(app->http);
    ingest_close(app->ingest);
    app->persist.ingest = NULL;
    daemon_file_remove(&app->paths);
    persist_drain(&app->persist, on_drained, app);
}

static void on_signal(void *user, int number) {
    struct app *app = user;
    app->again = number == SIGUSR2;
    log_info("stopping (%s)", number == SIGINT ? "interrupted" : app->again ? "to start anew" : "terminated");
    notify_tell(app->again ? "RELOADING=1" : "STOPPING=1");
    stop(app);
}

/* Starting */

/* Not ours to mend, and no reason not to serve what is there. */
static bool is_disk_trouble(int error) {
    return error == -ENOSPC || error == -EDQUOT || error == -EROFS;
}

static int make_dirs(const struct paths *p, struct err *err) {
    const char *const dirs[] = {p->state, p->spool, p->run};
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        int r = path_make_dirs(dirs[i]);
        if (r < 0) return err_set(err, r, "cannot create the directory %s: %s", dirs[i], own_why(r));
        AUTO(fd) int fd = own_dir(dirs[i]);
        if (fd < 0) return err_set(err, fd, "%s cannot be used: %s", dirs[i], own_why(fd));
        (void)fchmod(fd, 0700);
    }
    return 0;
}

static void on_queue_count(void *user, const struct session *s, int64_t count) {
    struct app *app = user;
    struct command cmd = {.kind = COMMAND_QUEUE_COUNT, .session = span_str(s->id), .number = count};
    int r = calls_note(&app->calls, &cmd);
    if (r < 0) log_warn("cannot note how many prompts are queued: %s", strerror(-r));
}

static int on_kill(void *user, int64_t pid, uint64_t start) {
    struct app *app = user;
    return kill_start(&app->kills, pid, start);
}

static void on_logins_ended(void *user) {
    struct app *app = user;
    pushes_prune(&app->pushes);
}

static int load(struct app *app, struct spool_mark *ret_mark, struct err *err) {
    char file[PATH_BYTES];
    int r = path_join(file, app->paths.state, "ostler.db");
    if (r < 0) return err_set(err, r, "the state directory's path is too long");
    r = store_open(file, app->mail, &app->store, err);
    if (r < 0) return r;
    struct store_meta meta;
    r = store_load(app->store, &app->state, &meta, err);
    if (r < 0) return r;
    /* Numbers go on where no earlier run can have been; 0 means "nothing yet" to clients. */
    bool has_hook = self_sibling(app->hook, "ostler-hook") == 0;
    app->board_ops = (struct board_ops){.hook = has_hook ? app->hook : NULL,
                                        .stats = &app->hook_stats,
                                        .queue_count = on_queue_count,
                                        .inbox = &inbox_glue_board_ops,
                                        .look = transcripts_look};
    app->board = board_new(&app->state, app->clock, &app->board_ops, app, MAX(meta.seq, (uint64_t)1));
    app->broadcast.board = app->stats_feed.board = app->board;
    *ret_mark = meta.mark;
    return 0;
}

/* Beside the spool, and for the day when that cannot be written to at all in the runtime directory, which may be elsewhere. */
static void count_losses(const struct paths *p) {
    int r = losses_make(p->spool);
    if (r < 0) log_warn("events that are lost cannot be counted in %s: %s", p->spool, strerror(-r));
    (void)losses_make(p->run);
}

static unsigned other_port(uint16_t port) {
    return port == UINT16_MAX ? port - 1U : port + 1U;
}

/* Who has the port, and what to do about it. */
static int explain_busy_port(uint16_t port, struct err *err) {
    int64_t pid;
    char name[SOCK_NAME_BYTES];
    if (daemon_port_holder(port, &pid, name) < 0)
        return err_set(err, -EADDRINUSE, "port %u is taken by another program: choose one with --port %u",
                       port, other_port(port));
    if (strcmp(name, "ostler") == 0)
        return err_set(
            err, -EADDRINUSE,
            "port %u is served by another ostler (pid %lld): open http://localhost:%u, take its place with --replace, or "
            "choose --port %u",
            port, (long long)pid, port, other_port(port));
    return err_set(err, -EADDRINUSE, "port %u is taken by %s (pid %lld): choose another one with --port %u",
                   port, name, (long long)pid, other_port(port));
}

static int listen_http(struct app *app, const struct serve_options *options, struct err *err) {
    app->api = (struct api){
        .state = &app->state,
        .board = app->board,
        .ingest = app->ingest,
        .clock = app->clock,
        .stats = &app->stats,
        .hook_stats = &app->hook_stats,
        .calls = &app->calls,
        .hook_rate = &app->hook_rate,
        .auth = &app->logins.auth,
        .hook_token_file = app->logins.hook_token_file,
        .spool_dir = app->paths.spool,
        .run_dir = app->paths.run,
        .refused_file = app->refused.path,
        .teams_dir = app->teams_dir,
        .push = &app->pushes.push,
        .lan_url = app->reach.lan_url,
        .kill = on_kill,
        .terminals = app->terminals,
        .place = &app->place,
        .terminal_calls = &app->terminal_calls,
        .ttys = &app->ttys,
        .repair = transcripts_repair,
        .resume = resumes_request,
        .prompt = prompting_prompt,
        .interrupt = prompting_interrupt,
        .pty_stats = pty_stats_request,
        .shell_environment = shell_glue_request,
        .hook_setup = hook_setup_request,
        .rules = rules_request,
        .watchdog = app->watchdog,
        .is_held = inbox_glue_is_held,
        .typed_can = typed_answers_can,
        .is_auto_away = inbox_glue_is_auto_away,
        .away_after_minutes = options->away_minutes,
        .user = app,
    };
    int r = http_open(&app->loop, options->host ? options->host : DEFAULT_HOST, options->port, NULL,
                      &api_http_ops, &app->api, &app->http, err);
    if (r == -EADDRINUSE) return explain_busy_port(options->port, err);
    if (r < 0) return r;
    app->logins.http = app->http;
    app->api.http = app->http;
    return reach_open(&app->reach, &app->paths, options, app->http, &app->api.guard, err);
}

static void on_announce(uv_timer_t *timer);

/* Where this daemon is, for the command line. A disk that cannot be written to is no reason not to serve; it is told later. */
static int tell_where(struct app *app, struct err *err) {
    struct daemon_info info = {.pid = getpid(), .port = http_port(app->http)};
    (void)snprintf(info.version, sizeof info.version, "%s", version_text);
    (void)snprintf(info.url, sizeof info.url, "%s", app->reach.url);
    (void)snprintf(info.socket, sizeof info.socket, "%s", app->reach.socket);
    if (app->reach.tls)
        (void)snprintf(info.fingerprint, sizeof info.fingerprint, "%s", tls_fingerprint(app->reach.tls));
    int r = daemon_file_write(&app->paths, &info, err);
    if (!is_disk_trouble(r)) return r;
    (void)uv_timer_start(&app->announce, on_announce, ANNOUNCE_AGAIN_MS, 0);
    return 0;
}

static void on_announce(uv_timer_t *timer) {
    struct app *app = CONTAINER_OF(timer, struct app, announce);
    struct err err = {0};
    reach_open_door(&app->reach, &app->paths, app->http);
    if (tell_where(app, &err) < 0) log_warn("%s", err.msg);
}

static void on_certificate(void *user) {
    struct err err = {0};
    if (tell_where(user, &err) < 0) log_warn("%s", err.msg);
}

static int announce(struct app *app, const struct serve_options *options, struct err *err) {
    struct err unwritten = {0};
    int r = tell_where(app, &unwritten);
    if (r < 0) return err_set(err, r, "%s", unwritten.msg);
    if (unwritten.code) log_warn("%s", unwritten.msg);
    if (app->reach.tls)
        certificates_open(&app->certificates, &app->loop, &app->reach, &app->stats, on_certificate, app);
    log_debug(
        "processes are looked at every %llu ms; ended sessions stay for %lld h (0: until they are closed)",
        (unsigned long long)app->watch.every_ms, (long long)(app->state.keep_hosted_ms / MS_PER_HOUR));
    log_info("ostler %s watches on %s (%zu sessions, state in %s)", version_text, app->reach.url,
             app->state.session_count, app->paths.state);
    reach_announce(&app->reach);
    if (!http_knows_users(app->http))
        log_warn(
            "this system does not tell which user a connection is of: without a password nobody is served over TCP, see "
            "ostler doctor");
    if (!options->is_set_up)
        log_info("nothing is set up yet, the defaults hold: ostler setup asks and connects the agents");
    if (options->open_browser) (void)browser_open(app->reach.url);
    mend_queue_walk(&app->mend_queue);
    if (options->hook_clis && hook_sync_start(&app->hook_sync, &app->paths, options->hook_clis,
                                              options->has_hook_density ? &options->hook_density : NULL))
        shell_glue_tell_path(app);
    self_forget_start();
    watchdog_watch(app->watchdog);
    notify_tell("READY=1");
    return 0;
}

static void tell_alive(void) {
    notify_tell("WATCHDOG=1");
}

/* What cannot fail on a system that has the loop itself. */
static void start_handles(struct app *app, const struct serve_options *options) {
    app->watchdog = watchdog_open(&app->loop, app->clock, notify_interval() / 4, tell_alive);
    (void)uv_timer_init(&app->loop, &app->deadline);
    (void)uv_timer_init(&app->loop, &app->announce);
    broadcast_open(&app->broadcast, &app->loop, app->clock);
    stats_feed_open(&app->stats_feed, &app->loop);
    refused_open(&app->refused, &app->loop, &app->paths, app->clock, &app->stats, &app->redact);
    app->notes = (struct notes){.clock = app->clock, .spool_dir = app->paths.spool};
    late_notes_open(&app->late_notes, &app->loop, &app->notes);
    calls_open(&app->calls, &app->notes);
    watch_raise_limit();
    watch_open(&app->watch, &app->loop, &app->notes, &app->state);
    if (options->check_ms) app->watch.every_ms = options->check_ms;
    state_files_open(&app->state_files, &app->loop, &app->notes, &app->state);
    records_open(&app->records, &app->loop, &app->notes, &app->state);
    plan_files_open(&app->plan_files, &app->notes, &app->state);
    answers_open(&app->answers, &app->loop, &app->notes, &app->state);
    kills_open(&app->kills, &app->loop);
    inbox_glue_init(app);
    typings_open(&app->typings, &app->loop, app->clock);
    logins_open(&app->logins, &app->loop, app->clock);
    pushes_open(&app->pushes, &app->loop, app->clock, &app->logins.auth);
    notices_open(&app->notices, &app->loop, app->clock, &app->pushes, &app->api, &app->state, app->reach.url);
    terminal_calls_open(&app->terminal_calls);
    hook_setups_open(&app->hook_setups);
    rules_open(&app->rules);
    hook_sync_open(&app->hook_sync, &app->loop);
    ttys_open(&app->ttys, &app->api);
    mend_queue_open(&app->mend_queue, &app->loop, app->paths.state, &transcripts_queue_ops, app);
}

/* Before the spool is read: what is in the state already is no news. */
static int start_notices(struct app *app, struct err *err) {
    AUTO(config) struct config config = {0};
    int r = config_load(app->logins.config_file, &config, err);
    if (r < 0) return r;
    pushes_load(&app->pushes, &app->paths, &config);
    app->logins.ended = on_logins_ended;
    app->logins.ended_user = app;
    notices_start(&app->notices, &config);
    return 0;
}

/* Everything that needs the loop. What was opened before a failure is closed by take_down(). */
static int build(struct app *app, const struct serve_options *options, struct err *err) {
    int r = post_open(&app->loop, &app->mail);
    if (r < 0) return err_sys(err, r, "cannot start the event loop");
    r = logins_load(&app->logins, &app->paths, err);
    if (r < 0) return r;
    r = reach_prepare(&app->reach, &app->paths, options, err);
    if (r < 0) return r;
    struct spool_mark mark;
    r = load(app, &mark, err);
    if (r < 0) return r;
    feed_begin(app);
    retention_set(&app->state, (int64_t)options->history_hours * MS_PER_HOUR);
    r = start_notices(app, err);
    if (r < 0) return r;
    persist_open(&app->persist, app->store, &app->state, app->board, &app->stats, &app->calls, &mark);
    r = ingest_open(&app->loop, app->paths.spool, &mark, &feed_ops, app, &app->ingest, err);
    if (r < 0) return r;
    app->persist.ingest = app->notes.ingest = app->ingest;
    count_losses(&app->paths);
    shell_glue_open(app, options->shell_seconds);
    r = terminals_glue_open(app, options, err);
    if (r < 0) return r;
    r = listen_http(app, options, err);
    if (r < 0) return r;
    inbox_glue_open(app);
    terminals_glue_adopt(app);
    return announce(app, options, err);
}

/* After a start that failed half-way: the same order as stop(), for what is there. */
static void take_down(struct app *app) {
    close_handles(app);
    if (app->http) http_close(app->http);
    if (app->ingest) ingest_close(app->ingest);
    if (app->store) store_close(app->store);
    if (app->mail) post_close(app->mail);
}

static void release(struct app *app) {
    persist_close(&app->persist);
    board_free(app->board);
    terminals_glue_free(app);
    shell_glue_free(app);
    hook_sync_fini(&app->hook_sync);
    pty_stats_free(app);
    mend_queue_free(&app->mend_queue);
    MAP_FOR_EACH(slot, &app->mended)
        free(slot->value);
    map_fini(&app->mended);
    effects_fini(&app->fx);
    arena_fini(&app->arena);
    state_fini(&app->state);
    inbox_glue_fini(app);
    late_notes_free(&app->late_notes);
    refused_fini(&app->refused);
    hook_stats_fini(&app->hook_stats);
    rate_fini(&app->hook_rate);
    notices_free(&app->notices);
    pushes_free(&app->pushes);
    logins_free(&app->logins);
    reach_free(&app->reach);
    if (app->lock >= 0) (void)close(app->lock);
    free(app);
}

/* A daemon that runs for weeks gives memory back: one heap for both threads, and no threshold that creeps up after one
 * large record. */
static void tame_allocator(void) {
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_MMAP_THRESHOLD, 128 << 10);
    (void)mallopt(M_TRIM_THRESHOLD, 256 << 10);
}

int serve(const struct serve_options *options, struct err *err) {
    tame_allocator();
    log_set_level(options->debug ? LOG_DEBUG : LOG_INFO);
    notify_open();
    (void)signal(SIGPIPE, SIG_IGN);

    struct app *app = xcalloc(1, sizeof *app);
    app->umask = umask(0077);
    app->lock = -1;
    app->pid_namespace = proc_namespace();
    app->clock = &clock_system;
    app->stats.started_ms = usec_to_msec(clock_wall(app->clock));
    app->stats.begun = clock_boot(app->clock);
    state_init(&app->state);
    hook_stats_init(&app->hook_stats);
    rate_init(&app->hook_rate, HOOKS_PER_SECOND);
    if (team_config_dir(app->teams_dir) < 0) app->teams_dir[0] = '\0';
    int r = paths_resolve(&app->paths, err);
    if (r == 0) r = make_dirs(&app->paths, err);
    signals_hold(); /* from the moment on in which others find us in the lock */
    if (r == 0) r = app->lock = daemon_lock(&app->paths, err);
    if (r == -EBUSY && options->replaces) (void)daemon_was_faster(&app->paths, err);
    if (r < 0) {
        release(app);
        return r;
    }
    (void)uv_loop_init(&app->loop);
    signals_open(&app->signals, &app->loop, on_signal, app);
    start_handles(app, options);
    r = build(app, options, err);
    if (r < 0)
        take_down(app);
    else
        feed_arm_deadline(app);
    (void)uv_run(&app->loop, UV_RUN_DEFAULT);
    watchdog_free(app->watchdog);
    int left_open = uv_loop_close(&app->loop);
    assert(left_open == 0);
    (void)left_open;
    if (r >= 0) r = app->again ? SERVE_AGAIN : 0;
    if (r == SERVE_AGAIN) {
        notify_hand_on();
        signals_hold();
    }
    (void)umask(app->umask); /* for what comes after us */
    release(app);
    return r;
}
