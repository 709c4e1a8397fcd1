#include "core/resume.h"

#include "base/str.h"
#include "core/agent.h"
#include "core/attention.h"
#include "core/conversation.h"
#include "core/deadline.h"
#include "core/idle.h"
#include "core/match.h"
#include "core/retention.h"

/* One whose hooks may be silent until its first prompt is waited for as long as it is likely to be of use. */
enum { LATE_MS = 24 * 3600 * 1000 };

static const struct agent *agent_in(const struct command *cmd) {
    struct span words = cmd->program;
    return span_eq(cmd->hosts, SPAN("agent")) ? agent_find(span_split(&words, ' ')) : NULL;
}

/* Is it an agent that will soon say by a hook that it is there? One that is not told anything about is taken for it. */
static bool is_awaited(const struct command *cmd) {
    const struct agent *agent = agent_in(cmd);
    return !cmd->hosts.n || (agent && agent->speaks_at_start);
}

/* The card connects: until its agent speaks, or, where none will, for the moment that a program takes to start. */
static void connect(struct turn *t, const struct command *cmd, const char *why) {
    status_move(t->state, t->worker, SESSION_STATUS_CONNECTING, ANIMATION_WALKING,
                (struct reason){EVIDENCE_PROCESS, why, t->at_ms});
    t->conv->emote = EMOTE_WAVE;
    if (is_awaited(cmd))
        deadline_set(t->state, t->worker, DEADLINE_IDLE, 0);
    else
        idle_watch(t);
}

/* What runs there now, as far as no agent has said otherwise. */
static void set_program(struct turn *t, const struct command *cmd) {
    const struct agent *agent = agent_in(cmd);
    if (!cmd->hosts.n || t->conv->session_id) return;
    t->worker->type = span_eq(cmd->hosts, SPAN("agent")) ? WORKER_TYPE_AGENT : WORKER_TYPE_TERMINAL;
    t->worker->is_shell = span_eq(cmd->hosts, SPAN("shell"));
    if (agent && agent->cli < CLI_N_) t->conv->cli = agent->cli;
    if (!is_awaited(cmd)) (void)str_set(&t->conv->model, cmd->program);
}

static void set_title(struct turn *t, const struct command *cmd) {
    struct session *s = t->session;
    s->titled = cmd->title.n > 0;
    if (s->titled)
        (void)str_set(&s->title, cmd->title);
    else if (cmd->label.n)
        (void)str_set(&s->title, arena_printf(t->arena, "%s %.*s #%llu", s->project_name,
                                              SPAN_ARG(cmd->label), (unsigned long long)s->number));
    else if (t->worker->type == WORKER_TYPE_TERMINAL) /* an agent gets its title with its first prompt */
        (void)str_set(&s->title, cmd->program.n ? cmd->program : cmd->path);
}

/* Its agent spoke before we could, or its terminal was given up too early. */
static void link_late(struct turn *t, struct worker *owner, const struct command *cmd) {
    if (owner->terminal_id) { /* the one it has: only now its process is known */
        if (cmd->pid && span_eq_str(cmd->terminal, owner->terminal_id))
            state_set_terminal(t->state, owner, cmd->terminal, cmd->pid);
        return;
    }
    turn_take(t, owner);
    t->session->kind = SESSION_KIND_QUICK;
    (void)str_set(&t->session->source, cmd->source);
    if (!t->session->label) (void)str_set(&t->session->label, cmd->label);
    state_set_terminal(t->state, owner, cmd->terminal, cmd->pid);
    if (t->was == SESSION_STATUS_ENDED && owner->type == WORKER_TYPE_TERMINAL) connect(t, cmd, "terminal");
    /* It is of another kind now: whether it stays on the board when it has ended is to be decided anew. */
    if (t->was == SESSION_STATUS_ENDED && owner->type == WORKER_TYPE_AGENT)
        status_move(t->state, owner, SESSION_STATUS_ENDED, ANIMATION_DEATH,
                    (struct reason){EVIDENCE_PROCESS, "terminal", t->at_ms});
    session_touch(t->state, t->session, FACET_ALL);
}

void resume_terminal_made(struct turn *t, const struct command *cmd) {
    struct worker *owner = cmd->terminal.n ? state_find(t->state, cmd->terminal) : NULL;
    if (owner) link_late(t, owner, cmd);
    if (owner || !cmd->terminal.n) return;
    struct session *s = state_add_session(t->state, t->pos, SESSION_KIND_QUICK);
    turn_take(t, s->primary);
    (void)str_set(&s->project_path, cmd->path);
    (void)str_set(&s->project_name, apply_project_name(cmd->path));
    (void)str_set(&s->source, cmd->source);
    (void)str_set(&s->label, cmd->label);
    s->number = state_count_session(t->state, span_str(s->project_name));
    t->conv->started_ms = t->conv->status_since_ms = t->conv->last_activity_ms = t->at_ms;
    set_program(t, cmd);
    set_title(t, cmd);
    t->worker->linked_ms = t->at_ms;
    state_set_terminal(t->state, t->worker, cmd->terminal, cmd->pid);
    state_add_alias(t->state, span_str(t->worker->id), t->worker);
    connect(t, cmd, "terminal");
    conversation_log(t, HISTORY_EVENT, SPAN("TerminalCreated"), cmd->value);
    session_touch(t->state, s, FACET_ALL);
}

void resume_terminal_gone(struct turn *t, const struct command *cmd) {
    if (!t->worker->terminal_id || !span_eq_str(cmd->terminal, t->worker->terminal_id)) return;
    state_set_terminal(t->state, t->worker, SPAN_NONE, 0);
    match_settle(t->state, t->worker);
    session_touch(t->state, t->session, FACET_IDENTITY);
    if (t->was == SESSION_STATUS_ENDED) { /* from now on there is nothing of it but the card */
        retention_arm(t->state, t->worker, t->at_ms);
        return;
    }
    struct span why = cmd->value.n ? cmd->value : SPAN("terminal closed");
    if (!t->worker->is_shell && t->conv->notice.kind == ATTENTION_NONE)
        attention_exited(t, arena_printf(t->arena, "Ended: %.*s", SPAN_ARG(why)));
    conversation_end(t, (struct reason){EVIDENCE_PROCESS, "terminal", t->at_ms},
                     arena_printf(t->arena, "Session ended (%.*s)", SPAN_ARG(why)));
}

void resume_requested(struct turn *t, const struct command *cmd) {
    const struct worker *owner = state_find(t->state, cmd->terminal);
    if (!cmd->terminal.n || (owner && owner != t->worker)) return;
    t->session->kind = SESSION_KIND_QUICK; /* from now on it is hosted */
    state_set_terminal(t->state, t->worker, cmd->terminal, cmd->pid);
    set_program(t, cmd);
    t->worker->starts_fresh = span_eq(cmd->value, SPAN("fresh"));
    /* Its process of before is gone, and no sign of the one to come. */
    state_set_process(t->state, t->worker, 0, 0);
    attention_clear(t);
    t->session->archived = false;
    /* The card waits for its own agent, not for whoever starts in the directory next. */
    t->worker->linked_ms = 0;
    if (is_awaited(cmd))
        deadline_set(t->state, t->worker, DEADLINE_RESUME, t->at_ms + MATCH_RESUME_MS);
    else if (t->worker->type == WORKER_TYPE_AGENT)
        deadline_set(t->state, t->worker, DEADLINE_RESUME, t->at_ms + LATE_MS);
    connect(t, cmd, "resume");
    conversation_log(t, HISTORY_EVENT, SPAN("ResumeRequested"), SPAN("Resume requested by user"));
    session_touch(t->state, t->session, FACET_IDENTITY);
}

void resume_due(struct turn *t) {
    if (t->was != SESSION_STATUS_CONNECTING) return;
    status_move(t->state, t->worker, SESSION_STATUS_ENDED, ANIMATION_DEATH,
                (struct reason){EVIDENCE_TIMER, "resume", t->at_ms});
    turn_tell(t);
}
