#include "core/state.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

void state_init(struct state *st) {
    *st = (struct state){.aliases = MAP_INIT, .projects = MAP_INIT, .keys = MAP_INIT, .deadlines = HEAP_INIT};
    list_init(&st->sessions);
    list_init(&st->gone);
    list_init(&st->dirty);
    list_init(&st->dirty_projects);
}

static void conversation_fini(struct conversation *c) {
    char *const strings[] = {c->session_id,    c->evidence.event,      c->current_prompt,
                             c->model,         c->permission_mode,     c->transcript_path,
                             c->pending_tool,  c->pending_tool_detail, c->waiting_detail,
                             c->tool_now,      c->tool_now_input,      c->last_subagent_name,
                             c->pending_agent, c->error_kind,          c->error_detail};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
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
    for (enum deadline_kind kind = 0; kind < DEADLINE_N_; kind++)
        w->deadlines[kind] = (struct deadline){.kind = kind, .worker = w};
    list_append(&s->workers, &w->in_session);
    return w;
}

static void worker_free(struct worker *w) {
    list_remove(&w->in_session);
    for (size_t i = 0; i < w->alias_count; i++)
        free(w->aliases[i]);
    free(w->aliases);
    conversation_fini(&w->conversation);
    free(w);
}

static void session_free(struct session *s) {
    list_for_each_safe(pos, &s->workers)
        worker_free(list_entry(pos, struct worker, in_session));
    list_remove(&s->in_state);
    list_remove(&s->in_dirty);
    list_remove(&s->in_broadcast);
    char *const strings[] = {s->project_path, s->project_name,    s->title,   s->source,     s->label,
                             s->accent_color, s->character_model, s->summary, s->replaces_id};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
    free(s);
}

void state_reap(struct state *st) {
    list_for_each_safe(pos, &st->gone)
        session_free(list_entry(pos, struct session, in_state));
}

void state_fini(struct state *st) {
    state_reap(st);
    list_for_each_safe(pos, &st->sessions)
        session_free(list_entry(pos, struct session, in_state));
    MAP_FOR_EACH(slot, &st->projects) {
        struct project *p = slot->value;
        free(p->name);
        free(p);
    }
    map_fini(&st->aliases);
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

void state_remove_session(struct state *st, struct session *s) {
    list_for_each(pos, &s->workers) {
        struct worker *w = list_entry(pos, struct worker, in_session);
        for (size_t i = 0; i < w->alias_count; i++)
            (void)map_remove(&st->aliases, span_str(w->aliases[i]));
        for (size_t i = 0; i < DEADLINE_N_; i++)
            heap_remove(&st->deadlines, &w->deadlines[i].node);
    }
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
