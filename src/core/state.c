#include "core/state.h"

#include "base/mem.h"
#include "base/str.h"
#include "core/inbox.h"
#include "core/request.h"
#include "core/subagent.h"
#include "core/written_rule.h"

#include <stdio.h>
#include <stdlib.h>

void state_init(struct state *st) {
    *st = (struct state){.aliases = MAP_INIT,
                         .processes = MAP_INIT,
                         .terminals = MAP_INIT,
                         .team_ids = MAP_INIT,
                         .projects = MAP_INIT,
                         .keys = MAP_INIT,
                         .deadlines = HEAP_INIT};
    struct list *const lists[] = {&st->sessions,       &st->open,           &st->spawning,
                                  &st->teams,          &st->gone,           &st->gone_teams,
                                  &st->dirty,          &st->dirty_projects, &st->dirty_teams,
                                  &st->ended_requests, &st->written_rules};
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        list_init(lists[i]);
}

static void conversation_fini(struct conversation *c) {
    char *const strings[] = {
        c->session_id,      c->evidence.event,     c->current_prompt,     c->model,
        c->permission_mode, c->transcript_path,    c->transcript.message, c->notice.text,
        c->notice.detail,   c->last_words,         c->tool_now,           c->tool_now_input,
        c->error_kind,      c->last_subagent_name, c->error_detail,       c->spawned_type};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
    for (size_t i = 0; i < c->request_count; i++)
        request_fini(&c->requests[i]);
    free(c->requests);
    call_forget_all(c);
    free(c->ended_calls);
    subagent_forget_all(c);
    for (size_t i = 0; i < c->tool_usage_count; i++)
        free(c->tool_usage[i].tool);
    free(c->tool_usage);
    for (size_t i = 0; i < HISTORY_N_; i++)
        history_fini(&c->history[i]);
}

static struct worker *worker_new(struct session *s, const char *id, enum worker_type type) {
    struct worker *w = xcalloc(1, sizeof *w);
    (void)snprintf(w->id, sizeof w->id, "%s", id);
    w->type = type;
    w->session = s;
    for (enum history_kind kind = 0; kind < HISTORY_N_; kind++)
        history_init(&w->conversation.history[kind], kind);
    for (enum deadline_kind kind = 0; kind < DEADLINE_WORKER_N_; kind++)
        w->deadlines[kind] = (struct deadline){.kind = kind, .worker = w};
    list_init(&w->in_process);
    list_init(&w->in_open);
    list_init(&w->in_spawning);
    list_append(&s->workers, &w->in_session);
    return w;
}

static void worker_free(struct worker *w) {
    list_remove(&w->in_session);
    for (size_t i = 0; i < w->alias_count; i++)
        free(w->aliases[i]);
    free(w->aliases);
    free(w->terminal_id);
    free(w->last_terminal_id);
    conversation_fini(&w->conversation);
    free(w);
}

static void session_free(struct session *s) {
    list_for_each_safe(pos, &s->workers)
        worker_free(list_entry(pos, struct worker, in_session));
    list_remove(&s->in_state);
    list_remove(&s->in_dirty);
    list_remove(&s->in_broadcast);
    char *const strings[] = {s->project_path,    s->project_name, s->title,      s->source,
                             s->label,           s->accent_color, s->summary,    s->replaces_id,
                             s->character_model, s->team_name,    s->agent_name, s->agent_type,
                             s->agent_color,     s->tmux_pane,    s->backend};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
    for (size_t i = 0; i < s->previous_count; i++) {
        free(s->previous[i].session_id);
        free(s->previous[i].last_prompt);
    }
    free(s);
}

static void team_free(struct team *team) {
    list_remove(&team->in_state);
    list_remove(&team->in_dirty);
    free(team->id);
    free(team->name);
    free(team->parent_session_id);
    free(team);
}

void state_reap(struct state *st) {
    list_for_each_safe(pos, &st->gone)
        session_free(list_entry(pos, struct session, in_state));
    list_for_each_safe(pos, &st->gone_teams)
        team_free(list_entry(pos, struct team, in_state));
    inbox_trim(st, ENDED_REQUESTS_MAX);
    written_rule_trim(st, WRITTEN_RULES_MAX);
}

void state_fini(struct state *st) {
    state_reap(st);
    inbox_trim(st, 0);
    written_rule_trim(st, 0);
    free(st->away_by);
    list_for_each_safe(pos, &st->sessions)
        session_free(list_entry(pos, struct session, in_state));
    list_for_each_safe(pos, &st->teams)
        team_free(list_entry(pos, struct team, in_state));
    MAP_FOR_EACH(slot, &st->projects) {
        struct project *p = slot->value;
        free(p->name);
        free(p);
    }
    map_fini(&st->aliases);
    MAP_FOR_EACH(slot, &st->processes)
        free(slot->value);
    map_fini(&st->processes);
    map_fini(&st->terminals);
    map_fini(&st->team_ids);
    map_fini(&st->projects);
    map_fini(&st->keys);
    for (size_t i = 0; st->key_order && i < STATE_KEYS_MAX; i++)
        free(st->key_order[i]);
    free(st->key_order);
    heap_fini(&st->deadlines);
}

struct session *state_restore_session(struct state *st, const char *id, enum session_kind kind,
                                      const char *worker_id) {
    struct session *s = xcalloc(1, sizeof *s);
    (void)snprintf(s->id, sizeof s->id, "%s", id);
    s->kind = kind;
    list_init(&s->workers);
    list_init(&s->in_dirty);
    list_init(&s->in_broadcast);
    list_init(&s->in_team);
    list_append(&st->sessions, &s->in_state);
    s->primary = worker_new(s, worker_id, WORKER_TYPE_AGENT);
    st->session_count++;
    state_add_alias(st, span_str(s->id), s->primary);
    return s;
}

struct session *state_add_session(struct state *st, uint64_t pos, enum session_kind kind) {
    char id[ID_BYTES], worker_id[ID_BYTES];
    id_from_position(id, 's', pos);
    id_from_position(worker_id, 'w', pos);
    return state_restore_session(st, id, kind, worker_id);
}

/* A team lives on without those who leave it, its leader included. */
static void leave_team(struct session *s) {
    list_remove(&s->in_team);
    if (s->team && s->team->parent == s) s->team->parent = NULL;
    s->team = NULL;
    s->team_role = TEAM_ROLE_NONE;
    s->team_joined = 0;
}

void state_remove_session(struct state *st, struct session *s) {
    list_for_each(pos, &s->workers) {
        struct worker *w = list_entry(pos, struct worker, in_session);
        for (size_t i = 0; i < w->alias_count; i++)
            (void)map_remove(&st->aliases, span_str(w->aliases[i]));
        for (size_t i = 0; i < DEADLINE_WORKER_N_; i++)
            heap_remove(&st->deadlines, &w->deadlines[i].node);
        state_set_process(st, w, 0, 0);
        state_set_terminal(st, w, SPAN_NONE, 0);
        list_remove(&w->in_open);
        list_remove(&w->in_spawning);
    }
    leave_team(s);
    st->session_count--;
    list_remove(&s->in_state);
    list_remove(&s->in_dirty);
    s->dirty = false;
    list_append(&st->gone, &s->in_state);
}

struct worker *state_find(const struct state *st, struct span id_or_alias) {
    return map_get(&st->aliases, id_or_alias);
}

void state_add_alias(struct state *st, struct span alias, struct worker *w) {
    if (alias.n == 0 || map_get(&st->aliases, alias)) return;
    (void)map_put(&st->aliases, alias, w);
    w->aliases = xreallocarray(w->aliases, w->alias_count + 1, sizeof(char *));
    w->aliases[w->alias_count++] = str_dup(alias);
}

/* A process by its number and start, and those whose agent it is: some programs hold several conversations. */
struct process_key {
    int64_t pid;
    uint64_t start;
};

struct process {
    struct list workers; /* struct worker.in_process */
};

static struct span process_span(const struct process_key *key) {
    return span_of((const char *)key, sizeof *key);
}

void state_set_process(struct state *st, struct worker *w, int64_t pid, uint64_t start) {
    struct conversation *c = &w->conversation;
    if (c->pid == pid && c->pid_start == start && !list_empty(&w->in_process)) return;
    const struct process_key was = {c->pid, c->pid_start}, is = {pid, start};
    list_remove(&w->in_process);
    struct process *p = map_get(&st->processes, process_span(&was));
    if (p && list_empty(&p->workers)) free(map_remove(&st->processes, process_span(&was)));
    c->pid = pid;
    c->pid_start = start;
    if (!pid || !start) return;
    p = map_get(&st->processes, process_span(&is));
    if (!p) {
        p = xcalloc(1, sizeof *p);
        list_init(&p->workers);
        (void)map_put(&st->processes, process_span(&is), p);
    }
    list_append(&p->workers, &w->in_process);
}

/* Not by their order in the list, which is another one after a restart. */
static bool is_newer(const struct worker *a, const struct worker *b) {
    int64_t x = a->conversation.last_activity_ms, y = b->conversation.last_activity_ms;
    return x != y ? x > y : strcmp(a->id, b->id) > 0;
}

struct worker *state_find_process(const struct state *st, int64_t pid, uint64_t start) {
    const struct process_key key = {pid, start};
    const struct process *p = pid && start ? map_get(&st->processes, process_span(&key)) : NULL;
    struct worker *newest = NULL;
    if (!p) return NULL;
    list_for_each(pos, &p->workers) {
        struct worker *w = list_entry(pos, struct worker, in_process);
        if (!newest || is_newer(w, newest)) newest = w;
    }
    return newest;
}

size_t state_count_process(const struct state *st, const struct worker *w) {
    const struct process_key key = {w->conversation.pid, w->conversation.pid_start};
    const struct process *p = map_get(&st->processes, process_span(&key));
    size_t count = 0;
    if (!p) return 0;
    list_for_each(pos, &p->workers)
        count += list_entry(pos, struct worker, in_process)->conversation.status != SESSION_STATUS_ENDED;
    return count;
}

static struct span pid_span(const int64_t *pid) {
    return span_of((const char *)pid, sizeof *pid);
}

void state_set_terminal(struct state *st, struct worker *w, struct span terminal_id, int64_t pid) {
    if (map_get(&st->terminals, pid_span(&w->terminal_pid)) == w)
        (void)map_remove(&st->terminals, pid_span(&w->terminal_pid));
    if (w->terminal_id && !span_eq_str(terminal_id, w->terminal_id)) {
        free(w->last_terminal_id);
        w->last_terminal_id = w->terminal_id;
        w->terminal_id = NULL;
    }
    (void)str_set(&w->terminal_id, terminal_id);
    w->terminal_pid = pid;
    if (pid) (void)map_put(&st->terminals, pid_span(&w->terminal_pid), w);
    state_add_alias(st, terminal_id, w);
}

struct worker *state_find_terminal(const struct state *st, int64_t pid) {
    return pid ? map_get(&st->terminals, pid_span(&pid)) : NULL;
}

struct team *state_find_team(const struct state *st, struct span id) {
    return map_get(&st->team_ids, id);
}

struct team *state_add_team(struct state *st, struct span id) {
    struct team *team = xcalloc(1, sizeof *team);
    team->id = str_dup(id);
    team->deadline = (struct deadline){.kind = DEADLINE_TEAM, .team = team};
    list_init(&team->members);
    list_init(&team->former);
    list_init(&team->in_dirty);
    list_append(&st->teams, &team->in_state);
    (void)map_put(&st->team_ids, id, team);
    return team;
}

void state_remove_team(struct state *st, struct team *team) {
    list_for_each_safe(pos, &team->members)
        leave_team(list_entry(pos, struct session, in_team));
    list_for_each_safe(pos, &team->former)
        leave_team(list_entry(pos, struct session, in_team));
    if (team->parent) leave_team(team->parent);
    heap_remove(&st->deadlines, &team->deadline.node);
    (void)map_remove(&st->team_ids, span_str(team->id));
    list_remove(&team->in_state);
    list_remove(&team->in_dirty);
    list_append(&st->gone_teams, &team->in_state);
}

void team_touch(struct state *st, struct team *team) {
    if (list_empty(&team->in_dirty)) list_append(&st->dirty_teams, &team->in_dirty);
}

const char *session_wire_id(const struct session *s) {
    const struct worker *w = s->primary;
    if (w->conversation.session_id) return w->conversation.session_id;
    if (w->terminal_id) return w->terminal_id;
    return w->last_terminal_id ? w->last_terminal_id : s->id;
}

struct project *state_project(struct state *st, struct span name) {
    struct project *p = map_get(&st->projects, name);
    if (p) return p;
    p = xcalloc(1, sizeof *p);
    p->name = str_dup(name);
    list_init(&p->in_dirty);
    (void)map_put(&st->projects, name, p);
    return p;
}

bool state_remember_key(struct state *st, struct span key) {
    if (map_get(&st->keys, key)) return false;
    if (!st->key_order) st->key_order = xcalloc(STATE_KEYS_MAX, sizeof(char *));
    char **slot = &st->key_order[st->key_next];
    if (*slot) (void)map_remove(&st->keys, span_str(*slot));
    free(*slot);
    *slot = str_dup(key);
    st->key_next = (st->key_next + 1) % STATE_KEYS_MAX;
    (void)map_put(&st->keys, key, *slot);
    return true;
}

uint64_t state_count_session(struct state *st, struct span project) {
    struct project *p = state_project(st, project);
    list_remove(&p->in_dirty);
    list_append(&st->dirty_projects, &p->in_dirty);
    return ++p->sessions;
}

void session_touch(struct state *st, struct session *s, unsigned facets) {
    s->changed |= facets;
    if (s->dirty) return;
    s->dirty = true;
    list_append(&st->dirty, &s->in_dirty);
}
