#define LOG_TAG "rules"
#include "app/rules.h"

#include "app/app.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/policy.h"
#include "core/written_rule.h"
#include "setup/permission_rules.h"

#include <errno.h>
#include <stdlib.h>

enum { BODY_BYTES_MAX = 4 << 20, RULES_OF_POLICY = 4 };

/* One rule, as the pool sees it: a copy. */
struct item {
    char id[ID_BYTES], session[ID_BYTES];
    enum cli cli;
    char *rule, *where, *project, *by;
    int64_t written_ms, undone_ms;
};

struct job {
    uv_work_t work;
    struct list in_jobs;
    struct app *app;
    struct http_exchange *exchange; /* NULL: nobody waits any more */
    struct rules_request request;
    char by[RULES_BY_BYTES];
    struct item *items;
    size_t count;
    const struct policy *policy; /* to be switched; NULL: none */
    int status;
    struct buf body;
    struct err err;
};

static void item_fini(struct item *i) {
    free(i->rule);
    free(i->where);
    free(i->project);
    free(i->by);
}

static void job_free(struct job *job) {
    for (size_t i = 0; i < job->count; i++)
        item_fini(&job->items[i]);
    free(job->items);
    list_remove(&job->in_jobs);
    buf_fini(&job->body);
    free(job);
}

/* On the pool */

static bool file_of(const struct setup_place *place, const struct item *i, char ret[PATH_BYTES]) {
    return i->cli == CLI_CLAUDE && permission_rules_file(place, span_str(i->where), i->project, ret) == 0;
}

static void put_rule(struct jwrite *w, const struct setup_place *place, const struct item *i) {
    char file[PATH_BYTES];
    bool known = file_of(place, i, file);
    bool there = known && !i->undone_ms && permission_rules_there(file, span_str(i->rule));
    jwrite_object(w);
    jwrite_kcstr(w, "id", i->id);
    jwrite_kcstr(w, "cli", cli_to_str(i->cli));
    jwrite_kcstr(w, "rule", i->rule);
    jwrite_kcstr(w, "where", i->where);
    jwrite_kcstr(w, "file", known ? file : NULL);
    jwrite_kcstr(w, "project", i->project);
    jwrite_kcstr(w, "session", i->session);
    jwrite_ki64(w, "writtenAt", i->written_ms);
    jwrite_kcstr(w, "by", i->by);
    jwrite_kcstr(w, "state", i->undone_ms ? "undone" : there ? "there" : "gone");
    jwrite_object_end(w);
}

static void list_rules(struct job *job, const struct setup_place *place) {
    struct jwrite w = JWRITE_INIT(&job->body);
    jwrite_object(&w);
    jwrite_key(&w, "rules");
    jwrite_array(&w);
    for (size_t i = 0; i < job->count; i++)
        put_rule(&w, place, &job->items[i]);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
}

static void undo_rule(struct job *job, const struct setup_place *place) {
    const struct item *i = &job->items[0];
    char file[PATH_BYTES];
    if (!file_of(place, i, file)) {
        job->status = 409;
        (void)err_set(&job->err, -EINVAL, "it is not known which file this rule is in");
    } else if (permission_rules_change_file(file, span_str(i->where), span_str(i->rule), false, &job->err) <
               0) {
        job->status = 409;
    }
}

static bool is_on(const struct policy *p, const char *file) {
    for (size_t i = 0; p->rules[i]; i++)
        if (!permission_rules_there(file, span_str(p->rules[i]))) return false;
    return true;
}

static void put_policy(struct jwrite *w, const struct policy *p, const char *file) {
    jwrite_object(w);
    jwrite_kcstr(w, "name", p->name);
    jwrite_kcstr(w, "text", p->text);
    jwrite_key(w, "rules");
    jwrite_array(w);
    for (size_t i = 0; p->rules[i]; i++) {
        jwrite_object(w);
        jwrite_kcstr(w, "rule", p->rules[i]);
        jwrite_kcstr(w, "where", p->where);
        jwrite_object_end(w);
    }
    jwrite_array_end(w);
    jwrite_kcstr(w, "file", file);
    jwrite_kbool(w, "on", is_on(p, file));
    jwrite_object_end(w);
}

static void list_policies(struct job *job, const struct setup_place *place) {
    const struct item *of = &job->items[0];
    struct jwrite w = JWRITE_INIT(&job->body);
    const struct policy *p;
    char file[PATH_BYTES];
    jwrite_object(&w);
    jwrite_key(&w, "policies");
    jwrite_array(&w);
    for (size_t i = 0; (p = policy_at(of->cli, i)); i++)
        if (permission_rules_file(place, span_str(p->where), of->project, file) == 0) put_policy(&w, p, file);
    jwrite_array_end(&w);
    jwrite_kcstr(&w, "why",
                 policy_at(of->cli, 0) ? NULL : "rules of one's own are known to Claude Code only, so far");
    jwrite_object_end(&w);
}

static void set_policy(struct job *job, const struct setup_place *place) {
    const struct item *of = &job->items[0];
    char file[PATH_BYTES];
    int r = permission_rules_file(place, span_str(job->policy->where), of->project, file);
    if (r < 0) (void)err_set(&job->err, r, "the directory of this session is not known");
    for (size_t i = 0; r == 0 && job->policy->rules[i]; i++)
        r = permission_rules_change_file(file, span_str(job->policy->where), span_str(job->policy->rules[i]),
                                         job->request.on, &job->err);
    if (r < 0) job->status = 409;
}

static void on_pool(uv_work_t *work) {
    static void (*const steps[])(struct job *, const struct setup_place *) = {
        [RULES_LIST] = list_rules,
        [RULES_UNDO] = undo_rule,
        [RULES_POLICIES] = list_policies,
        [RULES_SET_POLICY] = set_policy,
    };
    struct job *job = CONTAINER_OF(work, struct job, work);
    struct setup_place place;
    job->status = 200;
    if (setup_place_resolve(&place, &job->app->paths, &job->err) < 0)
        job->status = 503;
    else
        steps[job->request.what](job, &place);
}

/* Back on the loop */

static void note(const struct app *app, const struct command *cmd) {
    int r = calls_note(&app->calls, cmd);
    if (r < 0) log_warn("cannot note that a rule was changed: %s", strerror(-r));
}

static bool is_of(const struct written_rule *w, const struct item *of, struct span rule) {
    return !w->undone_ms && strcmp(w->session, of->session) == 0 && span_eq_str(rule, w->rule);
}

/* What was written or taken out by a policy is listed like every rule. */
static void note_policy(const struct job *job) {
    const struct item *of = job->items; /* the session */
    if (!of) return;
    for (size_t i = 0; job->policy->rules[i]; i++) {
        struct command cmd = {.kind = COMMAND_RULE,
                              .session = span_str(of->session),
                              .value = span_str(job->policy->rules[i]),
                              .label = span_str(job->policy->where),
                              .by = span_str(job->by)};
        if (job->request.on) note(job->app, &cmd);
        list_for_each(pos, &job->app->state.written_rules) {
            const struct written_rule *w = list_entry(pos, struct written_rule, in_state);
            struct command undone = {.kind = COMMAND_RULE_UNDONE, .request = span_str(w->id)};
            if (!job->request.on && is_of(w, of, span_str(job->policy->rules[i]))) note(job->app, &undone);
        }
    }
}

static void on_done(uv_work_t *work, int status) {
    struct job *job = CONTAINER_OF(work, struct job, work);
    struct http_exchange *x = job->exchange;
    bool changes = job->request.what == RULES_UNDO || job->request.what == RULES_SET_POLICY;
    if (status == 0 && job->status == 200 && job->request.what == RULES_SET_POLICY) note_policy(job);
    if (x && status < 0) {
        http_reply_error(x, 503, "ostler is too busy for that: try again");
    } else if (x && job->status != 200) {
        http_reply_error(x, job->status, "%s", job->err.msg);
    } else if (x && job->request.what == RULES_UNDO) {
        struct command undone = {.kind = COMMAND_RULE_UNDONE, .request = span_str(job->items[0].id)};
        calls_submit_done(&job->app->calls, x, &undone, SPAN("{\"ok\":true}"));
    } else if (x && changes) {
        http_reply(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
    } else if (x) {
        api_reply_json(x, 200, &job->body);
    }
    job_free(job);
}

/* Requests */

void rules_open(struct rules *r) {
    list_init(&r->jobs);
}

void rules_close(struct rules *r) {
    list_for_each(at, &r->jobs) {
        struct job *job = list_entry(at, struct job, in_jobs);
        if (job->exchange) http_reply_error(job->exchange, 503, "ostler is stopping");
        job->exchange = NULL;
    }
}

static void copy_rule(struct item *to, const struct written_rule *w) {
    *to = (struct item){.cli = w->cli, .written_ms = w->written_ms, .undone_ms = w->undone_ms};
    memcpy(to->id, w->id, sizeof to->id);
    memcpy(to->session, w->session, sizeof to->session);
    (void)str_set(&to->rule, span_str(w->rule));
    (void)str_set(&to->where, span_str(w->where));
    (void)str_set(&to->project, span_str(w->project));
    (void)str_set(&to->by, span_str(w->by));
}

static void take_rules(struct job *job, const struct state *st, struct span id) {
    job->items = xcalloc(st->written_rule_count + 1, sizeof *job->items);
    list_for_each(pos, &st->written_rules) {
        const struct written_rule *w = list_entry(pos, struct written_rule, in_state);
        if (!id.n || span_eq_str(id, w->id)) copy_rule(&job->items[job->count++], w);
    }
}

static void take_session(struct job *job, const struct session *s) {
    job->items = xcalloc(1, sizeof *job->items);
    job->count = 1;
    job->items[0].cli = s->primary->conversation.cli;
    memcpy(job->items[0].session, s->id, sizeof job->items[0].session);
    (void)str_set(&job->items[0].project, span_str(s->project_path));
}

/* False, and answered, when there is nothing to be done. */
static bool prepare(struct job *job, const struct app *app, const struct rules_request *request) {
    if (request->session) {
        take_session(job, request->session);
        if (request->what == RULES_SET_POLICY) job->policy = policy_find(job->items[0].cli, request->name);
        if (request->what == RULES_SET_POLICY && !job->policy) {
            http_reply_error(job->exchange, 409, "its CLI knows no such policy");
            return false;
        }
        return true;
    }
    take_rules(job, &app->state, request->name);
    if (request->what == RULES_UNDO && !job->count) {
        http_reply_error(job->exchange, 404, "no such rule");
        return false;
    }
    return true;
}

void rules_request(void *user, struct http_exchange *x, const struct rules_request *request) {
    struct app *app = user;
    struct job *job = xcalloc(1, sizeof *job);
    *job = (struct job){.app = app, .exchange = x, .request = *request, .body = BUF_INIT(BODY_BYTES_MAX)};
    memcpy(job->by, request->by, sizeof job->by);
    list_append(&app->rules.jobs, &job->in_jobs);
    if (!prepare(job, app, request)) {
        job_free(job);
        return;
    }
    /* What the request points to is gone when the pool has it. */
    job->request.session = NULL;
    job->request.name = SPAN_NONE;
    if (uv_queue_work(&app->loop, &job->work, on_pool, on_done) < 0) on_done(&job->work, UV_ENOMEM);
}
