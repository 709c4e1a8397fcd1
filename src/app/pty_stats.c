#include "app/pty_stats.h"

#include "api/terminal_shape.h"
#include "app/app.h"
#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

struct look {
    uv_work_t work;
    struct app *app;
    struct usage now;
    int r;
};

struct report {
    const struct app *app;
    const struct usage *now;
    struct jwrite w;
};

static void put_one(void *user, struct terminal *t) {
    struct report *r = user;
    int64_t now_ms = usec_to_msec(clock_wall(r->app->clock));
    struct terminal_facts f;
    struct terminal_shape shape;
    terminal_facts(t, &f);
    terminal_shape(&shape, t, &r->app->state, now_ms);
    const struct usage_tree tree =
        usage_of(r->now, &r->app->pty_stats.before, (pid_t)f.pid, f.pid_start, proc_ticks_per_second(),
                 f.pid_start ? proc_age_ms(f.pid_start) : 0);
    struct vt_view view = {0};
    if (terminal_screen(t)) vt_view(terminal_screen(t), &view);
    const struct terminal_usage u = {
        .terminal = &shape,
        .buffer_lines = view.scrollback + view.rows,
        .quiet_ms = MAX(now_ms - (f.output_ms ? f.output_ms : f.started_ms), (int64_t)0),
        .cpu_percent = (double)(int64_t)(tree.cpu_percent * 10 + 0.5) / 10,
        .memory_bytes = tree.memory_bytes,
        .processes = tree.processes,
    };
    terminal_json_usage(&r->w, &u);
}

static void answer_all(struct pty_stats *s, struct buf *body, int r) {
    for (size_t i = 0; i < s->n; i++) {
        if (body)
            api_reply_json(s->waiting[i], 200, body);
        else
            http_reply_error(s->waiting[i], 503, "the processes cannot be looked at: %s", strerror(-r));
    }
    s->n = 0;
}

static void on_pool(uv_work_t *work) {
    struct look *look = CONTAINER_OF(work, struct look, work);
    look->r = usage_look(&look->now);
}

static void keep(struct pty_stats *s, struct usage *now) {
    bool young = s->before.n && now->at_ms - s->before.at_ms < PTY_STATS_FRESH_MS;
    if (!young) {
        struct usage old = s->before;
        s->before = *now;
        *now = old;
    }
}

static void on_looked(uv_work_t *work, int status) {
    struct look *look = CONTAINER_OF(work, struct look, work);
    struct app *app = look->app;
    struct pty_stats *s = &app->pty_stats;
    s->looking = false;
    int r = status < 0 ? status : look->r;
    if (s->closing || r < 0) {
        answer_all(s, NULL, r < 0 ? r : -ECANCELED);
    } else {
        if (s->before.n && look->now.at_ms - s->before.at_ms > PTY_STATS_OLD_MS) usage_fini(&s->before);
        AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
        struct report report = {app, &look->now, JWRITE_INIT(&body)};
        jwrite_array(&report.w);
        terminals_each(app->terminals, put_one, &report);
        jwrite_array_end(&report.w);
        answer_all(s, &body, 0);
        keep(s, &look->now);
    }
    usage_fini(&look->now);
    free(look);
}

void pty_stats_request(void *user, struct http_exchange *x) {
    struct app *app = user;
    struct pty_stats *s = &app->pty_stats;
    s->waiting = xreallocarray(s->waiting, s->n + 1, sizeof(struct http_exchange *));
    s->waiting[s->n++] = x;
    if (s->looking) return;
    struct look *look = xcalloc(1, sizeof *look);
    look->app = app;
    s->looking = true;
    if (uv_queue_work(&app->loop, &look->work, on_pool, on_looked) < 0) on_looked(&look->work, UV_ENOMEM);
}

void pty_stats_close(struct app *app) {
    app->pty_stats.closing = true;
    answer_all(&app->pty_stats, NULL, -ECANCELED);
}

void pty_stats_free(struct app *app) {
    free(app->pty_stats.waiting);
    usage_fini(&app->pty_stats.before);
}
