/*
 * One hook event, as read from a spool record. The table of known events is the single place that knows their names;
 * adding an event is adding a row.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "core/model.h"

struct event;
struct turn;
struct command;

enum event_flags {
    EVENT_REVIVES = 1 << 0,  /* an ended conversation that sends this lives again */
    EVENT_INTERNAL = 1 << 1, /* the daemon's own: no sign of life, not in the log */
    EVENT_STARTS = 1 << 2,   /* an agent begins: only then it may be taken for one that is expected */
    EVENT_SURVIVES = 1 << 3, /* revives one that was thought to have died while no daemon ran */
    EVENT_CALLS = 1 << 4,    /* a tool call begins */
    EVENT_RETURNS = 1 << 5,  /* it ends, however */
    EVENT_TURNS = 1 << 6,    /* the main conversation begins a turn or ends one: it asks nothing any more */
    EVENT_PARTS = 1 << 7,    /* a subagent has ended */
};

/* A row of the table: what an event does to the conversation's state, and who does the rest. */
struct event_kind {
    const char *name;
    unsigned flags;
    int status;                                            /* enum session_status, or EVENT_KEEPS */
    int animation;                                         /* enum animation, or EVENT_KEEPS */
    int emote;                                             /* enum emote, or EVENT_KEEPS */
    unsigned clis;                                         /* whose hooks have it: bits 1 << enum cli */
    void (*apply)(struct turn *t, const struct event *ev); /* fields beside the status; may be NULL */
    /* The `detail` of the event's log entry. */
    struct span (*describe)(const struct turn *t, const struct event *ev);
};

enum { EVENT_KEEPS = -1 };

/* Spans point into the record or the arena that it was parsed with; empty = absent. */
struct event {
    const struct event_kind *kind;
    enum event_refusal refusal; /* why it is none */
    uint64_t pos;
    int64_t at_ms;  /* the hook's or the daemon's time, never a remote clock */
    usec_t sent_us; /* the same, finer */
    enum cli cli;
    struct span key; /* Idempotency-Key */

    struct span session_id, cwd, transcript_path, permission_mode, model;
    struct span prompt, response, message, error, reason, start_source;
    struct span tool_name, tool_input; /* tool_input is raw JSON */
    struct span call_id, request_id;   /* the tool call's, the permission's own */
    struct span subagent_id;           /* the payload's agent_id: it happened inside a subagent */
    struct span agent_type, subagent_name;
    struct span task, teammate;
    struct span hold;        /* the key of the hook that sent it and waits for an answer */
    struct span suggestions; /* what an "always" could mean: raw JSON */
    struct span asked;       /* what a notice asks about, where it says so: a command, a file */
    struct span notification, error_detail, new_cwd, to_model, server;
    uint64_t background; /* tasks that go on after the turn */
    bool failed;         /* the tool call that it ends went wrong; `error`: how */
    bool broken_off;     /* the turn that it ends did not come to its end */
    bool by_hook;        /* our own hook sent it */
    bool unattended;     /* nobody can be asked: what needs a permission is refused */
    bool is_job;         /* it runs in the background, apart from whoever started it */

    int64_t pid; /* of the agent; 0 = unknown */
    uint64_t pid_start;
    int64_t server_pid; /* a server that runs it among others, instead of a process of its own; 0 = none */
    int64_t pid_age_ms; /* how old it was; -1 = unknown */
    uint64_t pid_namespace;             /* in which these numbers mean something; 0 = unknown */
    int64_t parent_pid;                 /* of the agent's parent */
    struct span terminal_id, worker_id; /* marks of a hosted agent's environment */
    struct span parent_session, team_name, agent_name, agent_color; /* a team's, likewise */
    struct span agent_role;                                         /* its type, as the environment has it */
    struct span term_program;
    bool in_vscode, in_ghostty, in_tmux, in_wezterm;

    enum probe probe; /* what the daemon found out, for event_kind_probe */
    bool alive, has_child;
    enum activity
        activity; /* what was seen of it, since when and by what, for event_kind_state; `message`: in words */
    int64_t since_ms;
    enum evidence_source by;
    const struct command *command; /* for event_kind_command */
};

enum {
    EVENT_SESSION_ID_MAX = 256, /* characters */
    EVENT_DEPTH_MAX = 512,      /* levels of JSON */
};

/* What `ostler hooks doctor --test` sends through a hook: it is counted and leaves no card. */
#define EVENT_PROBE_NAME "OstlerProbe"

/* Reads and checks a record. How a payload is written never costs an event: see base/jmend.h; of keys that occur twice the last one
 * counts. -EINVAL: refused, with the reason in `err` and `ret->refusal`; -ENOTSUP: likewise, an unknown event. Four kinds of records
 * are no events and only count: -ENODATA, the spool's note that segments were dropped; -EMSGSIZE, the hook's that a payload was too
 * large; -EPIPE, a record that was not written to its end, whose hook has counted it as lost; -ENOMSG, an EVENT_PROBE_NAME, of which
 * `ret` has the CLI and the id. */
int event_parse(struct span record, uint64_t pos, struct arena *arena, struct event *ret, struct err *err);

/* The payload of a record, as it came; empty when it has none. */
struct span event_payload(struct span record);

/* A session that goes on where it was, after its context was made smaller: no start. */
bool event_is_compaction(const struct event *ev);

/* The event came from another pid namespace than ours: its numbers mean nothing here, or worse, somebody else. */
void event_forget_process(struct event *ev);

/* The name in the words of a refusal for -ENOTSUP; empty for other codes. */
struct span event_unknown_name(int code, const struct err *err);

/* The daemon looked at a process; a record of its own, so that a replay finds the same. */
extern const struct event_kind event_kind_probe;
/* The CLI itself says what it does. */
extern const struct event_kind event_kind_state;
/* Somebody asked the daemon for a change. */
extern const struct event_kind event_kind_command;

/* The row of a known event; NULL for an unknown name. */
const struct event_kind *event_kind_find(struct span name);
/* The events that a CLI has hooks for, one after the other, the first behind NULL; NULL at the end. */
const struct event_kind *event_kind_next(const struct event_kind *after, enum cli cli);
