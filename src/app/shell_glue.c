#include "app/shell_glue.h"

#include "app/app.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "platform/self.h"
#include "pty/environment.h"

#include <stdlib.h>

/* It takes the time of a shell's start, which the daemon's own start should not have to wait for. */
enum { SOON_MS = 3000, ANSWER_BYTES = 16 << 10 };

struct waiting {
    struct list in_waiting;
    struct http_exchange *exchange;
};

static void answer(const struct app *app, struct http_exchange *x) {
    struct shell_env_report r;
    shell_env_report(app->shell.env, &r);
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "shell", r.shell[0] ? r.shell : NULL);
    jwrite_kcstr(&w, "from", r.at_ms ? shell_env_from_to_str(r.from) : NULL);
    if (r.at_ms) {
        jwrite_ki64(&w, "resolvedAt", r.at_ms);
        jwrite_ki64(&w, "tookMs", r.took_ms);
    } else {
        jwrite_knull(&w, "resolvedAt");
        jwrite_knull(&w, "tookMs");
    }
    jwrite_kcstr(&w, "pathFrom", r.has_path ? "shell" : "daemon");
    jwrite_kcstr(&w, "problem", r.problem[0] ? r.problem : NULL);
    jwrite_kbool(&w, "resolving", r.resolving);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

static void on_known(void *user) {
    struct app *app = user;
    terminals_environment_known(app->terminals);
    shell_glue_tell_path(app);
    list_for_each_safe(pos, &app->shell.waiting) {
        struct waiting *w = list_entry(pos, struct waiting, in_waiting);
        answer(app, w->exchange);
        list_remove(&w->in_waiting);
        free(w);
    }
}

static void on_soon(uv_timer_t *timer) {
    struct app *app = timer->data;
    char *const *ignored;
    (void)shell_glue_environment(app, &ignored);
}

void shell_glue_open(struct app *app, unsigned seconds) {
    char printer[PATH_BYTES];
    bool has_printer = self_path(printer) == 0;
    const struct shell_env_options options = {
        .printer = printer, .umask = app->umask, .limit_ms = has_printer ? (uint64_t)seconds * 1000 : 0};
    list_init(&app->shell.waiting);
    (void)uv_timer_init(&app->loop, &app->shell.soon);
    app->shell.soon.data = app;
    app->shell.env = shell_env_open(&app->loop, &options, on_known, app);
    (void)uv_timer_start(&app->shell.soon, on_soon, SOON_MS, 0);
}

void shell_glue_close(struct app *app) {
    if (!app->shell.env) return;
    uv_close((uv_handle_t *)&app->shell.soon, NULL);
    shell_env_close(app->shell.env);
    list_for_each_safe(pos, &app->shell.waiting) {
        struct waiting *w = list_entry(pos, struct waiting, in_waiting);
        http_reply_error(w->exchange, 503, "ostler is stopping");
        list_remove(&w->in_waiting);
        free(w);
    }
}

void shell_glue_free(struct app *app) {
    shell_env_free(app->shell.env);
}

int shell_glue_environment(void *user, char *const **ret) {
    struct app *app = user;
    return shell_env_get(app->shell.env, ret);
}

const char *shell_glue_path(void *user) {
    char *const *env;
    return shell_glue_environment(user, &env) == 0 ? environment_get(env, "PATH") : NULL;
}

void shell_glue_tell_path(struct app *app) {
    char *const *env;
    if (shell_glue_environment(app, &env) == 0) hook_sync_know(&app->hook_sync, environment_get(env, "PATH"));
}

void shell_glue_request(void *user, struct http_exchange *x, bool again) {
    struct app *app = user;
    if (again) shell_env_resolve(app->shell.env);
    struct shell_env_report r;
    shell_env_report(app->shell.env, &r);
    if (!again || !r.resolving) {
        answer(app, x);
        return;
    }
    struct waiting *w = xcalloc(1, sizeof *w);
    w->exchange = x;
    list_append(&app->shell.waiting, &w->in_waiting);
}
