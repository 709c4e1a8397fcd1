#include "core/apply.h"

#include "base/str.h"
#include "core/approval.h"
#include "core/deadline.h"
#include "core/idle.h"
#include "core/source.h"
#include "core/status.h"

static void removal_due(struct state *st, struct worker *w, int64_t at_ms UNUSED, struct effects *fx) {
    state_remove_session(st, w->session);
    effects_add(fx, (struct effect){.kind = EFFECT_REMOVE, .session = w->session});
}

void apply_time(struct state *st, int64_t now_ms, struct effects *fx) {
    static void (*const due[DEADLINE_N_])(struct state *, struct worker *, int64_t, struct effects *) = {
        [DEADLINE_REMOVAL] = removal_due,
        [DEADLINE_APPROVAL] = approval_due,
        [DEADLINE_IDLE] = idle_due,
    };
    int64_t at_ms;
    for (const struct deadline *d; (d = deadline_take(st, now_ms, &at_ms));)
        due[d->kind](st, d->worker, at_ms, fx);
}

/* The last segment of a path, as a project's name. */
static struct span project_name(struct span path) {
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    struct span name = path;
    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] == '/') name = span_skip(path, i + 1);
    return name.n ? name : SPAN("Unknown");
}

/* A card for an agent that nothing is known about yet. */
static struct worker *add_observed(struct state *st, const struct event *ev, struct arena *arena) {
    struct session *s = state_add_session(st, ev->pos, SESSION_KIND_OBSERVED);
    struct conversation *c = &s->primary->conversation;
    (void)str_set(&s->project_path, ev->cwd);
    (void)str_set(&s->project_name, project_name(ev->cwd));
    (void)str_set(&s->source, source_detect(ev, arena));
    (void)str_set(&c->session_id, ev->session_id);
    c->cli = ev->cli;
    c->started_ms = c->status_since_ms = ev->at_ms;
    state_add_alias(st, ev->session_id, s->primary);

    s->number = state_count_session(st, span_str(s->project_name));
    session_touch(st, s, FACET_ALL);
    return s->primary;
}

/* What every event may tell beside its own business. */
static void take_common(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    struct session *s = t->session;
    c->last_activity_ms = ev->at_ms;
    bool changed = ev->model.n && str_set(&c->model, ev->model);
    changed |= ev->permission_mode.n && str_set(&c->permission_mode, ev->permission_mode);
    changed |= ev->transcript_path.n && str_set(&c->transcript_path, ev->transcript_path);
    /* The first event may have come without a directory. */
    if (!s->project_path && ev->cwd.n) {
        (void)str_set(&s->project_path, ev->cwd);
        (void)str_set(&s->project_name, project_name(ev->cwd));
        changed = true;
    }
    if (ev->pid) {
        c->pid = ev->pid;
        c->pid_start = ev->pid_start;
    }
    session_touch(t->state, s, changed ? FACET_IDENTITY : 0);
}

bool apply_event(struct state *st, const struct event *ev, struct arena *arena, struct effects *fx) {
    apply_time(st, ev->at_ms, fx);
    if (ev->key.n && !state_remember_key(st, ev->key)) return false;

    struct worker *w = state_find(st, ev->session_id);
    bool internal = ev->kind->flags & EVENT_INTERNAL;
    if (!w && internal) return true; /* it left the board meanwhile */
    if (!w) w = add_observed(st, ev, arena);
    struct turn t = {.state = st,
                     .fx = fx,
                     .session = w->session,
                     .worker = w,
                     .conv = &w->conversation,
                     .was = w->conversation.status,
                     .at_ms = ev->at_ms,
                     .arena = arena};
    if (internal) {
        ev->kind->apply(&t, ev);
        return true;
    }
    take_common(&t, ev);
    status_apply(&t, ev);
    if (ev->kind->apply) ev->kind->apply(&t, ev);

    struct span detail = ev->kind->describe ? ev->kind->describe(&t, ev) : SPAN_NONE;
    struct entry *e =
        history_push(&t.conv->history[HISTORY_EVENT], ev->pos, ev->at_ms, span_str(ev->kind->name), detail);
    effects_add(fx, (struct effect){
                        .kind = EFFECT_APPEND, .session = t.session, .history = HISTORY_EVENT, .entry = e});
    idle_watch(st, w, ev->at_ms);
    effects_add(fx, (struct effect){.kind = EFFECT_BROADCAST, .session = t.session});
    return true;
}
