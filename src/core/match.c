#include "core/match.h"

#include "core/deadline.h"

static bool is_pending(const struct worker *w) {
    return deadline_get(w, DEADLINE_RESUME) != 0;
}

static bool is_ended(const struct worker *w) {
    return w->conversation.status == SESSION_STATUS_ENDED;
}

static bool has_agent(const struct worker *w) {
    return w->conversation.session_id != NULL;
}

static bool is_same_process(const struct worker *w, const struct event *ev) {
    const struct conversation *c = &w->conversation;
    return c->pid && c->pid_start && c->pid == ev->pid && c->pid_start == ev->pid_start;
}

/* An agent that was started inside another one has that one's marks in its environment: it must not take its card. */
static bool may_take(const struct worker *w, const struct event *ev) {
    return !has_agent(w) || is_ended(w) || is_same_process(w, ev);
}

/* Exact marks */

static struct worker *by_marker(const struct state *st, const struct event *ev) {
    struct worker *w = ev->worker_id.n ? state_find(st, ev->worker_id) : NULL;
    return w ? w : state_find(st, ev->terminal_id);
}

/* The marker's worker, if the agent may have it. One that is being brought back waits for its own conversation, in the
 * terminal that it got; it may come back under another name only if it says that it was resumed, or was to begin anew. */
static struct worker *take_marked(const struct state *st, const struct event *ev) {
    struct worker *w = by_marker(st, ev);
    if (!w || !is_pending(w)) return w && may_take(w, ev) ? w : NULL;
    bool there = w->terminal_id && span_eq_str(ev->terminal_id, w->terminal_id);
    bool resumed = w->starts_fresh || span_eq(ev->start_source, SPAN("resume"));
    return there && (resumed || !has_agent(w)) ? w : NULL;
}

/* The same process goes on with another conversation: /clear, /resume. It must say so itself, because one process may well
 * hold several, at once or one after the other. */
static struct worker *by_process(const struct state *st, const struct event *ev) {
    static const struct span goes_on[] = {SPAN("clear"), SPAN("resume"), SPAN("fork"), SPAN("compact")};
    struct worker *w = state_find_process(st, ev->pid, ev->pid_start);
    for (size_t i = 0; i < ARRAY_LEN(goes_on); i++)
        if (span_eq(ev->start_source, goes_on[i])) return w;
    /* Copilot ends one and begins another. */
    bool anew = ev->cli == CLI_COPILOT && span_eq(ev->start_source, SPAN("new"));
    return w && anew && is_ended(w) ? w : NULL;
}

/* The agent, or the shell that started it, is a terminal's first process. */
static struct worker *by_parent(const struct state *st, const struct event *ev) {
    struct worker *w = state_find_terminal(st, ev->pid);
    if (!w) w = state_find_terminal(st, ev->parent_pid);
    return w && may_take(w, ev) ? w : NULL;
}

/* Guesses by directory */

static struct span without_slash(struct span path) {
    return path.n > 1 && path.p[path.n - 1] == '/' ? span_take(path, path.n - 1) : path;
}

static bool is_in(const struct worker *w, const struct event *ev) {
    return span_eq(without_slash(span_str(w->session->project_path)), without_slash(ev->cwd));
}

static bool died_here(const struct worker *w, const struct event *ev) {
    const struct conversation *c = &w->conversation;
    return is_ended(w) && c->restart_ms && ev->at_ms - c->restart_ms < MATCH_RESTARTED_MS &&
           c->cli == ev->cli && is_in(w, ev);
}

/* A shell waits for nobody: an agent in there has its mark. */
static bool is_free(const struct worker *w) {
    return w->type == WORKER_TYPE_AGENT && w->terminal_id && !has_agent(w) && !is_pending(w);
}

static bool was_linked_here(const struct worker *w, const struct event *ev) {
    return is_free(w) && w->linked_ms && ev->at_ms - w->linked_ms <= MATCH_LINK_MS && is_in(w, ev);
}

static bool connects_here(const struct worker *w, const struct event *ev) {
    return is_free(w) && w->conversation.status == SESSION_STATUS_CONNECTING && is_in(w, ev);
}

struct guess {
    const char *name; /* for the log */
    bool (*fits)(const struct worker *w, const struct event *ev);
    bool hosted; /* it is about terminals of ours */
};

/* Did the hook see who called it? Then it would have seen the mark of a terminal of ours, too: who has none is not in one. */
static bool is_seen(const struct event *ev) {
    return ev->pid || ev->server_pid;
}

static struct worker *by_guess(const struct state *st, const struct event *ev, const struct guess *g,
                               struct effects *fx) {
    struct worker *found = NULL;
    size_t count = 0;
    list_for_each(pos, &st->open) {
        struct worker *w = list_entry(pos, struct worker, in_open);
        if (!g->fits(w, ev)) continue;
        found = w;
        count++;
    }
    if (count > 1)
        effects_add(fx, (struct effect){.kind = EFFECT_AMBIGUOUS,
                                        .session = found->session,
                                        .guess = g->name,
                                        .candidates = count});
    return count == 1 ? found : NULL;
}

struct worker *match_unknown(const struct state *st, const struct event *ev, struct effects *fx) {
    static const struct guess guesses[] = {
        {"ended while no daemon ran", died_here, false},
        {"started lately", was_linked_here, true},
        {"connecting", connects_here, true},
    };
    struct worker *w = take_marked(st, ev);
    if (w || (w = by_process(st, ev))) return w;
    /* One that has a mark, but may not have what it names, was started inside a hosted agent, or by another ostler. */
    bool is_start = ev->kind->flags & EVENT_STARTS;
    bool may_guess = is_start && ev->cwd.n && !ev->terminal_id.n && !ev->worker_id.n;
    for (size_t i = 0; may_guess && !w && i < ARRAY_LEN(guesses); i++)
        if (!guesses[i].hosted || !is_seen(ev)) w = by_guess(st, ev, &guesses[i], fx);
    return w || ev->terminal_id.n || ev->worker_id.n ? w : by_parent(st, ev);
}

void match_settle(struct state *st, struct worker *w) {
    deadline_set(st, w, DEADLINE_RESUME, 0);
    w->linked_ms = 0;
}

void match_index(struct state *st, struct worker *w) {
    bool open = is_pending(w) || is_free(w) || (is_ended(w) && w->conversation.restart_ms);
    list_remove(&w->in_open);
    if (open) list_append(&st->open, &w->in_open);
}
