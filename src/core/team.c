#include "core/team.h"

#include "base/str.h"
#include "core/deadline.h"

static void tell(struct turn *t, struct team *team) {
    team_touch(t->state, team);
    effects_add(t->fx, (struct effect){.kind = EFFECT_TEAM, .team = team});
}

/* Announcements */

void team_index(struct state *st, struct worker *w) {
    list_remove(&w->in_spawning);
    if (!w->conversation.spawned) return;
    struct list *at = st->spawning.next;
    while (at != &st->spawning &&
           list_entry(at, struct worker, in_spawning)->conversation.spawned_ms <= w->conversation.spawned_ms)
        at = at->next;
    list_insert_before(at, &w->in_spawning);
}

void team_announced(struct turn *t, struct span agent_type) {
    struct conversation *c = t->conv;
    if (t->at_ms - c->spawned_ms > TEAM_FORGET_MS) c->spawned = 0;
    c->spawned_ms = t->at_ms;
    c->spawned++;
    (void)str_set(&c->spawned_type, agent_type);
    team_index(t->state, t->worker);
}

static bool contains(struct span outer, struct span inner) {
    return span_starts(inner, outer) && (inner.n == outer.n || inner.p[outer.n] == '/');
}

/* The one that announced a subagent last, in a directory that has to do with the session's. */
static struct worker *find_announcer(struct state *st, const struct session *s, int64_t at_ms) {
    struct span path = span_str(s->project_path);
    for (struct list *pos = st->spawning.prev, *before; pos != &st->spawning; pos = before) {
        before = pos->prev;
        struct worker *w = list_entry(pos, struct worker, in_spawning);
        int64_t age_ms = at_ms - w->conversation.spawned_ms;
        if (age_ms > TEAM_FORGET_MS) {
            w->conversation.spawned = 0;
            list_remove(pos);
            continue;
        }
        struct span theirs = span_str(w->session->project_path);
        if (age_ms <= TEAM_SPAWN_MS && w->session != s && path.n && theirs.n &&
            (contains(theirs, path) || contains(path, theirs)))
            return w;
    }
    return NULL;
}

/* Members */

static struct team *make_team(struct turn *t, const struct session *parent, struct span id) {
    struct team *team = state_add_team(t->state, id);
    (void)str_set(&team->parent_session_id, span_str(session_wire_id(parent)));
    team->created_ms = t->at_ms;
    struct span name = t->session->team_name
                           ? span_str(t->session->team_name)
                           : arena_printf(t->arena, "%s Team", str_or_empty(parent->project_name));
    (void)str_set(&team->name, name);
    return team;
}

/* The parent's team. One whose leader has left the board gets it back when that is seen again. */
static struct team *lead(struct turn *t, struct session *parent) {
    struct span id = arena_printf(t->arena, "team-%s", session_wire_id(parent));
    struct team *team = state_find_team(t->state, id);
    if (!team) team = make_team(t, parent, id);
    if (team->parent) return team; /* another session that once had the same id leads it */
    team->parent = parent;
    parent->team = team;
    parent->team_role = TEAM_ROLE_LEADER;
    session_touch(t->state, parent, FACET_IDENTITY);
    effects_add(t->fx, (struct effect){.kind = EFFECT_BROADCAST, .session = parent});
    return team;
}

/* A member's own agents belong to its team. */
static void join(struct turn *t, struct session *parent) {
    struct session *s = t->session;
    struct team *team = parent->team ? parent->team : lead(t, parent);
    s->team = team;
    s->team_role = TEAM_ROLE_MEMBER;
    s->team_joined = t->pos;
    list_append(&team->members, &s->in_team);
    deadline_set_team(t->state, team, 0);
    session_touch(t->state, s, FACET_IDENTITY);
    tell(t, team);
    if (s->agent_name)
        effects_add(t->fx, (struct effect){.kind = EFFECT_TEAM_CONFIG, .session = s, .team = team});
}

void team_find(struct turn *t, const struct event *ev) {
    struct session *s = t->session;
    if (s->team) return;
    struct worker *parent = ev->parent_session.n ? state_find(t->state, ev->parent_session) : NULL;
    if (parent && parent->session != s) {
        join(t, parent->session);
        return;
    }
    if (ev->parent_session.n || !t->is_new || !(ev->kind->flags & EVENT_STARTS)) return;
    parent = find_announcer(t->state, s, t->at_ms);
    if (!parent) return;
    struct conversation *c = &parent->conversation;
    if (!s->agent_type) (void)str_set(&s->agent_type, span_str(c->spawned_type));
    c->spawned--;
    session_touch(t->state, parent->session, 0);
    team_index(t->state, parent);
    join(t, parent->session);
}

/* Ends */

static bool is_over(const struct team *team) {
    const struct session *parent = team->parent;
    return list_empty(&team->members) &&
           (!parent || parent->primary->conversation.status == SESSION_STATUS_ENDED);
}

static void check_over(struct turn *t, struct team *team) {
    bool over = is_over(team);
    if (over == (team->deadline.at_ms != 0)) return;
    deadline_set_team(t->state, team, over ? t->at_ms + TEAM_REMOVAL_MS : 0);
    team_touch(t->state, team);
}

void team_left(struct turn *t) {
    struct session *s = t->session;
    struct team *team = s->team;
    if (!team) return;
    if (s->team_joined) {
        s->team_joined = 0;
        list_remove(&s->in_team);
        list_append(&team->former, &s->in_team);
        session_touch(t->state, s, 0);
        tell(t, team);
    }
    check_over(t, team);
}

void team_returned(struct turn *t) {
    struct session *s = t->session;
    struct team *team = s->team;
    if (!team) return;
    if (s->team_role == TEAM_ROLE_MEMBER && !s->team_joined) {
        s->team_joined = t->pos;
        list_remove(&s->in_team);
        list_append(&team->members, &s->in_team);
        session_touch(t->state, s, 0);
        tell(t, team);
    }
    check_over(t, team);
}

void team_removed(struct turn *t) {
    struct team *team = t->session->team;
    if (!team) return;
    if (team->parent == t->session) team->parent = NULL;
    team_left(t);
    tell(t, team);
}

void team_member_configured(struct turn *t, const struct command *cmd) {
    struct session *s = t->session;
    bool changed = cmd->pane.n && str_set(&s->tmux_pane, cmd->pane);
    changed |= cmd->backend.n && str_set(&s->backend, cmd->backend);
    changed |= cmd->color.n && str_set(&s->agent_color, cmd->color);
    if (changed) session_touch(t->state, s, FACET_IDENTITY);
}

static void let_go(struct state *st, struct session *s, struct effects *fx) {
    session_touch(st, s, FACET_IDENTITY);
    effects_add(fx, (struct effect){.kind = EFFECT_BROADCAST, .session = s});
}

void team_due(struct state *st, struct team *team, struct effects *fx) {
    if (team->parent) let_go(st, team->parent, fx);
    list_for_each(pos, &team->former)
        let_go(st, list_entry(pos, struct session, in_team), fx);
    state_remove_team(st, team);
    effects_add(fx, (struct effect){.kind = EFFECT_TEAM_REMOVED, .team = team});
}
