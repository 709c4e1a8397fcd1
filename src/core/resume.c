#include "core/resume.h"

#include "base/str.h"
#include "core/conversation.h"
#include "core/deadline.h"
#include "core/match.h"

static void connect(struct turn *t, const char *why) {
    status_move(t->state, t->worker, SESSION_STATUS_CONNECTING, ANIMATION_WALKING,
                (struct reason){EVIDENCE_PROCESS, why, t->at_ms});
    t->conv->emote = EMOTE_WAVE;
}

void resume_terminal_made(struct turn *t, const struct command *cmd) {
    if (!cmd->terminal.n || state_find(t->state, cmd->terminal)) return;
    struct session *s = state_add_session(t->state, t->pos, SESSION_KIND_QUICK);
    turn_take(t, s->primary);
    (void)str_set(&s->project_path, cmd->path);
    (void)str_set(&s->project_name, apply_project_name(cmd->path));
    (void)str_set(&s->source, cmd->source);
    (void)str_set(&s->title, cmd->title);
    (void)str_set(&s->label, cmd->label);
    s->titled = s->title != NULL;
    s->number = state_count_session(t->state, span_str(s->project_name));
    t->conv->started_ms = t->conv->status_since_ms = t->conv->last_activity_ms = t->at_ms;
    t->worker->linked_ms = t->at_ms;
    state_set_terminal(t->state, t->worker, cmd->terminal, cmd->pid);
    state_add_alias(t->state, span_str(t->worker->id), t->worker);
    connect(t, "terminal");
    conversation_log(t, HISTORY_EVENT, SPAN("TerminalCreated"), cmd->value);
    session_touch(t->state, s, FACET_ALL);
}

void resume_terminal_gone(struct turn *t, const struct command *cmd) {
    if (!t->worker->terminal_id || !span_eq_str(cmd->terminal, t->worker->terminal_id)) return;
    state_set_terminal(t->state, t->worker, SPAN_NONE, 0);
    match_settle(t->state, t->worker);
    session_touch(t->state, t->session, FACET_IDENTITY);
    if (t->was != SESSION_STATUS_ENDED)
        conversation_end(t, (struct reason){EVIDENCE_PROCESS, "terminal", t->at_ms},
                         SPAN("Session ended (terminal closed)"));
}

void resume_requested(struct turn *t, const struct command *cmd) {
    const struct worker *owner = state_find(t->state, cmd->terminal);
    if (!cmd->terminal.n || (owner && owner != t->worker)) return;
    t->session->kind = SESSION_KIND_QUICK; /* from now on it is hosted */
    state_set_terminal(t->state, t->worker, cmd->terminal, cmd->pid);
    /* The card waits for its own agent, not for whoever starts in the directory next. */
    t->worker->linked_ms = 0;
    deadline_set(t->state, t->worker, DEADLINE_RESUME, t->at_ms + MATCH_RESUME_MS);
    deadline_set(t->state, t->worker, DEADLINE_IDLE, 0);
    connect(t, "resume");
    conversation_log(t, HISTORY_EVENT, SPAN("ResumeRequested"), SPAN("Resume requested by user"));
    session_touch(t->state, t->session, FACET_IDENTITY);
}

void resume_due(struct turn *t) {
    if (t->was != SESSION_STATUS_CONNECTING) return;
    status_move(t->state, t->worker, SESSION_STATUS_ENDED, ANIMATION_DEATH,
                (struct reason){EVIDENCE_TIMER, "resume", t->at_ms});
    turn_tell(t);
}
