#include "core/apply.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/activity.h"
#include "core/approval.h"
#include "core/command.h"
#include "core/conversation.h"
#include "core/deadline.h"
#include "core/idle.h"
#include "core/match.h"
#include "core/process.h"
#include "core/request.h"
#include "core/resume.h"
#include "core/retention.h"
#include "core/source.h"
#include "core/team.h"

const struct event_kind event_kind_probe = {.name = "probe",
                                            .flags = EVENT_INTERNAL,
                                            .status = EVENT_KEEPS,
                                            .animation = EVENT_KEEPS,
                                            .emote = EVENT_KEEPS,
                                            .apply = process_seen};
const struct event_kind event_kind_state = {.name = "state",
                                            .flags = EVENT_INTERNAL,
                                            .status = EVENT_KEEPS,
                                            .animation = EVENT_KEEPS,
                                            .emote = EVENT_KEEPS,
                                            .apply = activity_told};
const struct event_kind event_kind_command = {.name = "command", .flags = EVENT_INTERNAL};

enum { SCRATCH_BYTES_MAX = 1 << 20 };

/* Turns */

void turn_take(struct turn *t, struct worker *w) {
    t->worker = w;
    t->session = w->session;
    t->conv = &w->conversation;
    t->was = w->conversation.status;
    t->was_pid = w->conversation.pid;
    t->was_start = w->conversation.pid_start;
}

void turn_tell(struct turn *t) {
    if (t->worker) effects_add(t->fx, (struct effect){.kind = EFFECT_BROADCAST, .session = t->session});
}

void turn_remove(struct turn *t) {
    list_for_each(pos, &t->session->workers) {
        turn_take(t, list_entry(pos, struct worker, in_session));
        request_end_all(t, ENDING_GONE);
    }
    team_removed(t);
    state_remove_session(t->state, t->session);
    effects_add(t->fx, (struct effect){.kind = EFFECT_REMOVE, .session = t->session});
    t->worker = NULL;
}

void turn_end(struct turn *t) {
    if (!t->worker) return;
    bool was_ended = t->was == SESSION_STATUS_ENDED, is_ended = t->conv->status == SESSION_STATUS_ENDED;
    if (is_ended) { /* late events of one that has ended may have left something behind */
        request_end_all(t, ENDING_GONE);
        call_forget_all(t->conv);
        conversation_clear_tool(t);
    }
    if (is_ended && !was_ended) team_left(t);
    if (was_ended && !is_ended) team_returned(t);
    bool same_process = t->was_pid == t->conv->pid && t->was_start == t->conv->pid_start;
    if (was_ended != is_ended || !same_process || t->is_new)
        effects_add(t->fx, (struct effect){.kind = EFFECT_WATCH, .session = t->session});
    if (is_ended && !was_ended && t->conv->cli == CLI_CLAUDE && t->conv->session_id)
        effects_add(t->fx, (struct effect){.kind = EFFECT_TRANSCRIPT, .session = t->session});
    match_index(t->state, t->worker);
}

/* Time */

void apply_time(struct state *st, int64_t now_ms, struct effects *fx) {
    static void (*const due[DEADLINE_WORKER_N_])(struct turn *) = {
        [DEADLINE_REMOVAL] = retention_due,
        [DEADLINE_APPROVAL] = approval_due,
        [DEADLINE_IDLE] = idle_due,
        [DEADLINE_RESUME] = resume_due,
    };
    AUTO(arena) struct arena arena = ARENA_INIT(SCRATCH_BYTES_MAX);
    struct turn t = {.state = st, .fx = fx, .until_ms = now_ms, .arena = &arena};
    for (const struct deadline *d; (d = deadline_take(st, now_ms, &t.at_ms));) {
        if (d->kind == DEADLINE_TEAM) {
            team_due(st, d->team, fx);
            continue;
        }
        turn_take(&t, d->worker);
        due[d->kind](&t);
        turn_end(&t);
        arena_reset(&arena);
    }
}

/* Events */

struct span apply_project_name(struct span path) {
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    struct span name = path;
    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] == '/') name = span_skip(path, i + 1);
    return name.n ? name : SPAN("Unknown");
}

static void set_project(struct session *s, struct span path) {
    (void)str_set(&s->project_path, path);
    (void)str_set(&s->project_name, apply_project_name(path));
}

/* A card for an agent that nothing is known about yet. */
static struct worker *add_observed(struct state *st, const struct event *ev, struct arena *arena) {
    struct session *s = state_add_session(st, ev->pos, SESSION_KIND_OBSERVED);
    struct conversation *c = &s->primary->conversation;
    set_project(s, ev->cwd);
    (void)str_set(&s->source, source_detect(ev, arena));
    (void)str_set(&c->session_id, ev->session_id);
    c->cli = ev->cli;
    c->started_ms = c->status_since_ms = ev->at_ms;
    /* Whatever the event does about it, that the agent is there it has shown. */
    c->evidence =
        (struct evidence){.source = EVIDENCE_HOOK, .event = xstrdup(ev->kind->name), .at_ms = ev->at_ms};
    state_add_alias(st, ev->session_id, s->primary);
    /* Its terminal may be about to be told of: then that is this card's. */
    state_add_alias(st, ev->terminal_id, s->primary);

    s->number = state_count_session(st, span_str(s->project_name));
    session_touch(st, s, FACET_ALL);
    return s->primary;
}

/* What the environment says of it, the first time it does. */
static bool take_role(struct session *s, const struct event *ev) {
    struct {
        char **slot;
        struct span value;
    } const fields[] = {{&s->team_name, ev->team_name},
                        {&s->agent_name, ev->agent_name},
                        {&s->agent_type, ev->agent_role},
                        {&s->agent_color, ev->agent_color}};
    bool changed = false;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (fields[i].value.n && !*fields[i].slot) changed |= str_set(fields[i].slot, fields[i].value);
    return changed;
}

/* What every event may tell beside its own business. */
static void take_common(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    struct session *s = t->session;
    c->last_activity_ms = ev->at_ms;
    c->by_hook |= ev->by_hook;
    bool changed = ev->model.n && str_set(&c->model, ev->model);
    changed |= ev->permission_mode.n && str_set(&c->permission_mode, ev->permission_mode);
    changed |= ev->transcript_path.n && str_set(&c->transcript_path, ev->transcript_path);
    changed |= take_role(s, ev);
    /* The first event may have come without a directory; and where a terminal really is only its agent knows. */
    bool moves = s->kind != SESSION_KIND_OBSERVED && (ev->kind->flags & EVENT_STARTS);
    if (ev->cwd.n && (!s->project_path || (moves && !span_eq_str(ev->cwd, s->project_path)))) {
        set_project(s, ev->cwd);
        changed = true;
    }
    if (ev->pid) process_named(t, ev);
    if (ev->server_pid) c->runner_pid = ev->server_pid;
    session_touch(t->state, s, changed ? FACET_IDENTITY : 0);
}

/* An agent that had been given up sends more. */
static void note_revival(struct turn *t, const struct event *ev) {
    if (t->was != SESSION_STATUS_ENDED || t->conv->status == SESSION_STATUS_ENDED) return;
    if (t->session->archived) session_touch(t->state, t->session, FACET_IDENTITY);
    t->session->archived = false;
    if (t->conv->restart_ms)
        conversation_log(
            t, HISTORY_EVENT, SPAN("AutoRevived"),
            arena_printf(t->arena, "Session auto-revived on %s — the process had survived", ev->kind->name));
    t->conv->restart_ms = 0;
}

/* Makes the turn one about the event's worker, which is found or made. False: the event is late news of an earlier
 * conversation of the card: it is logged, but says nothing about the present one. */
static bool find_worker(struct turn *t, const struct event *ev) {
    struct worker *w = state_find(t->state, ev->session_id);
    bool known = w && w->conversation.session_id && span_eq_str(ev->session_id, w->conversation.session_id);
    if (!known && w && !(ev->kind->flags & EVENT_REVIVES)) {
        turn_take(t, w);
        return false;
    }
    if (!w) w = match_unknown(t->state, ev, t->fx);
    t->is_new = !w;
    if (!w) w = add_observed(t->state, ev, t->arena);
    turn_take(t, w);
    if (known || t->is_new) {
        match_settle(t->state, w);
        return true;
    }
    match_settle(t->state, w);
    conversation_become(t, ev->session_id);
    t->conv->cli = ev->cli;
    t->conv->restart_ms = 0;
    return true;
}

static void apply_internal(struct state *st, const struct event *ev, struct arena *arena,
                           struct effects *fx) {
    if (ev->command) {
        command_apply(st, ev, arena, fx);
        return;
    }
    struct worker *w = state_find(st, ev->session_id);
    if (!w) return; /* it left the board meanwhile */
    struct turn t = {.state = st, .fx = fx, .at_ms = ev->at_ms, .pos = ev->pos, .arena = arena};
    turn_take(&t, w);
    ev->kind->apply(&t, ev);
    turn_end(&t);
}

bool apply_event(struct state *st, const struct event *ev, struct arena *arena, struct effects *fx) {
    apply_time(st, ev->at_ms, fx);
    if (ev->key.n && !state_remember_key(st, ev->key)) return false;
    if (ev->kind->flags & EVENT_INTERNAL) {
        apply_internal(st, ev, arena, fx);
        return true;
    }
    struct turn t = {.state = st, .fx = fx, .at_ms = ev->at_ms, .pos = ev->pos, .arena = arena};
    bool of_present = find_worker(&t, ev);
    if (of_present) {
        take_common(&t, ev);
        request_heard(&t, ev);
        status_apply(&t, ev);
        note_revival(&t, ev);
        team_find(&t, ev);
        if (ev->kind->apply) ev->kind->apply(&t, ev);
        idle_watch(&t);
    }
    conversation_log(&t, HISTORY_EVENT, span_str(ev->kind->name),
                     ev->kind->describe ? ev->kind->describe(&t, ev) : SPAN_NONE);
    turn_tell(&t);
    turn_end(&t);
    return true;
}
