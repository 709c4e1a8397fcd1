#include "core/process.h"

#include "base/str.h"
#include "core/approval.h"
#include "core/attention.h"
#include "core/conversation.h"
#include "core/deadline.h"
#include "core/idle.h"
#include "core/match.h"

/* No agent is up and running this fast, while a script that wraps the hook is. */
enum { YOUNG_MS = 250 };

void process_named(struct turn *t, const struct event *ev) {
    struct conversation *c = t->conv;
    c->runner_pid = ev->pid;
    bool again = c->pid == ev->pid && c->pid_start == ev->pid_start;
    state_set_process(t->state, t->worker, ev->pid, ev->pid_start);
    c->pid_guessed = false;
    c->pid_doubtful = !again && ev->pid_age_ms >= 0 && ev->pid_age_ms < YOUNG_MS;
}

/* Is the end of its process not its own? It was hardly seen, or its work is done by a server that serves others, too, and what was
 * found is only the window that a person looked at. */
static bool outlives_process(const struct conversation *c) {
    bool served = c->pid_guessed && c->runner_pid && c->runner_pid != c->pid;
    return c->pid_doubtful || (served && status_is_busy(c->status));
}

static struct reason because_of_exit(const struct event *ev) {
    return (struct reason){EVIDENCE_PROCESS, "exit", ev->at_ms};
}

/* Nobody told it to go, or its hooks would have said so; opencode has none for that. What was to be seen before says
 * more. */
static void tell_exit(struct turn *t) {
    const struct conversation *c = t->conv;
    bool broke_off = status_is_busy(t->was) || c->request_count;
    bool tells = c->cli != CLI_OPENCODE && !c->pid_guessed;
    if (c->notice.kind == ATTENTION_NONE && (broke_off || tells))
        attention_exited(t, SPAN("Its process has ended"));
}

/* The process is forgotten with it: who sends more without naming one is not there. */
static void end_with_process(struct turn *t, const struct event *ev) {
    tell_exit(t);
    conversation_end(t, because_of_exit(ev), SPAN("Session ended (process exited)"));
    state_set_process(t->state, t->worker, 0, 0);
}

static void exited(struct turn *t, const struct event *ev) {
    end_with_process(t, ev);
    turn_tell(t);
}

/* It ended while no daemon ran. The card stays for a while: the agent may be resumed by hand. */
static void found_dead(struct turn *t, const struct event *ev) {
    conversation_log(t, HISTORY_EVENT, SPAN("ServerRestart"),
                     SPAN("Process ended while no daemon was running"));
    end_with_process(t, ev);
    t->conv->restart_ms = ev->at_ms;
    if (!t->session->historical)
        deadline_set(t->state, t->worker, DEADLINE_REMOVAL, ev->at_ms + MATCH_RESTARTED_MS);
    turn_tell(t);
}

void process_seen(struct turn *t, const struct event *ev) {
    if (t->was == SESSION_STATUS_ENDED) return;
    if (ev->probe == PROBE_FIND) {
        if (t->conv->pid || !ev->alive) return;
        state_set_process(t->state, t->worker, ev->pid, ev->pid_start);
        t->conv->pid_guessed = true;
        session_touch(t->state, t->session, 0);
        turn_tell(t);
        return;
    }
    if (ev->pid != t->conv->pid) return; /* about a process of before */
    if (!ev->alive && outlives_process(t->conv)) {
        state_set_process(t->state, t->worker, 0, 0);
        session_touch(t->state, t->session, 0);
        turn_tell(t);
    } else if (!ev->alive && ev->probe == PROBE_RESTART) {
        found_dead(t, ev);
    } else if (!ev->alive) {
        exited(t, ev);
    } else if (ev->probe == PROBE_APPROVAL) {
        approval_probed(t, ev->has_child);
    } else if (ev->probe == PROBE_IDLE) {
        idle_probed(t, ev->has_child);
    }
}
