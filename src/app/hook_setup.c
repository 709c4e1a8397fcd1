#define LOG_TAG "setup"
#include "app/hook_setup.h"

#include "app/app.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "setup/setup.h"
#include "setup/status_json.h"

#include <stdlib.h>

enum { BODY_BYTES_MAX = 4 << 20 };

struct job {
    uv_work_t work;
    struct list in_jobs;
    struct http_exchange *exchange; /* NULL: nobody waits any more */
    struct hook_setup_request request;
    struct paths paths;
    struct api_heard heard[CLI_N_];
    int status;
    struct buf body;
    struct err err;
};

void hook_setups_open(struct hook_setups *s) {
    list_init(&s->jobs);
}

void hook_setups_close(struct hook_setups *s) {
    list_for_each_safe(at, &s->jobs) {
        struct job *job = list_entry(at, struct job, in_jobs);
        if (job->exchange) http_reply_error(job->exchange, 503, "ostler is stopping");
        job->exchange = NULL;
    }
}

/* Without names: those that have hooks of ours already; without any, Claude Code. Taking out means all. */
static unsigned usual_clis(const struct setup_place *p, enum hook_setup what) {
    unsigned clis = 0;
    if (what == HOOK_SETUP_UNINSTALL) return (1U << CLI_N_) - 1;
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        struct setup_status s;
        setup_status(p, cli, &s);
        if (s.installed) clis |= 1U << cli;
        setup_status_fini(&s);
    }
    return clis ? clis : 1U << CLI_CLAUDE;
}

static void change_one(struct job *job, const struct setup_place *p, enum cli cli) {
    AUTO(setup_change) struct setup_change c;
    enum config_density density = job->request.has_density ? job->request.density : setup_density(p, cli);
    int r = job->request.what == HOOK_SETUP_INSTALL ? setup_install(p, cli, density, false, &c)
                                                    : setup_uninstall(p, cli, false, &c);
    if (r < 0 && job->status == 200) {
        job->status = 409;
        job->err = c.err;
    }
}

static void change_all(struct job *job, const struct setup_place *p) {
    if (job->request.what == HOOK_SETUP_STATUS) return;
    unsigned clis = job->request.clis ? job->request.clis : usual_clis(p, job->request.what);
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (clis & 1U << cli) change_one(job, p, cli);
}

/* The newest of what was heard of the CLI. */
static void put_heard(struct jwrite *w, const struct api_heard *heard) {
    if (heard->event_ms)
        jwrite_ki64(w, "lastEventAt", heard->event_ms);
    else
        jwrite_knull(w, "lastEventAt");
    jwrite_kcstr(w, "lastProbe", heard->probe[0] ? heard->probe : NULL);
}

static void put_all(struct job *job, const struct setup_place *p) {
    struct jwrite w = JWRITE_INIT(&job->body);
    jwrite_object(&w);
    if (job->status == 200)
        jwrite_kbool(&w, "ok", true);
    else
        jwrite_kcstr(&w, "error", job->err.msg);
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        struct setup_status s;
        setup_status(p, cli, &s);
        /* The seed's shape tells of one CLI; the rest is under its name. */
        if (cli == CLI_CLAUDE) {
            setup_status_json_summary(&w, &s);
            jwrite_kcstr(&w, "hook", p->hook);
            jwrite_key(&w, "clis");
            jwrite_object(&w);
        }
        jwrite_key(&w, cli_to_str(cli));
        jwrite_object(&w);
        setup_status_json(&w, p, &s);
        put_heard(&w, &job->heard[cli]);
        jwrite_object_end(&w);
        setup_status_fini(&s);
    }
    jwrite_object_end(&w);
    jwrite_object_end(&w);
}

static void on_pool(uv_work_t *work) {
    struct job *job = CONTAINER_OF(work, struct job, work);
    struct setup_place place;
    job->status = 200;
    if (setup_place_resolve(&place, &job->paths, &job->err) < 0) {
        job->status = 503;
        return;
    }
    change_all(job, &place);
    put_all(job, &place);
}

static void on_done(uv_work_t *work, int status) {
    struct job *job = CONTAINER_OF(work, struct job, work);
    if (job->exchange && status < 0)
        http_reply_error(job->exchange, 503, "ostler is too busy for that: try again");
    else if (job->exchange && job->status == 503)
        http_reply_error(job->exchange, 503, "%s", job->err.msg);
    else if (job->exchange)
        api_reply_json(job->exchange, job->status, &job->body);
    list_remove(&job->in_jobs);
    buf_fini(&job->body);
    free(job);
}

/* What was heard since the start; of what came before, the sessions know. */
static void take_heard(const struct app *app, struct api_heard heard[CLI_N_]) {
    memcpy(heard, app->stats.heard, sizeof app->stats.heard);
    list_for_each(at, &app->state.sessions) {
        const struct conversation *c = &list_entry(at, struct session, in_state)->primary->conversation;
        if (c->session_id) heard[c->cli].event_ms = MAX(heard[c->cli].event_ms, c->last_activity_ms);
    }
}

void hook_setup_request(void *user, struct http_exchange *x, const struct hook_setup_request *r) {
    struct app *app = user;
    struct job *job = xcalloc(1, sizeof *job);
    *job = (struct job){.exchange = x, .request = *r, .paths = app->paths, .body = BUF_INIT(BODY_BYTES_MAX)};
    take_heard(app, job->heard);
    list_append(&app->hook_setups.jobs, &job->in_jobs);
    if (uv_queue_work(&app->loop, &job->work, on_pool, on_done) < 0) on_done(&job->work, UV_ENOMEM);
}
