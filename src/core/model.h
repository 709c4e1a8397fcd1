/*
 * The words of DESIGN as types: session › worker › conversation. Types only; who changes them is in the .c files
 * of this folder. Everything here belongs to struct state and to the loop thread.
 */
#pragma once

#include "base/clock.h"
#include "base/heap.h"
#include "base/id.h"
#include "base/list.h"
#include "core/model_conversation.h"

/* Which groups of fields changed; the board sends only those. */
enum facet {
    FACET_IDENTITY = 1 << 0, /* sessionId, project, title, label, colours, source, model, cli */
    FACET_STATUS = 1 << 1,   /* status, animation, emote, evidence, endedAt */
    FACET_PROMPT = 1 << 2,   /* currentPrompt, prompt count */
    FACET_TOOLS = 1 << 3,    /* counters, tool in flight */
    FACET_PENDING = 1 << 4,  /* pendingTool, waitingDetail, attention */
    FACET_AGENTS = 1 << 5,   /* subagents */
    FACET_TRANSCRIPT = 1 << 6,
    FACET_WORDS = 1 << 7, /* what the agent said last */
    FACET_ALL = (1 << 8) - 1,
};

struct session;
struct worker;
struct team;

/* What will happen at a time if nothing happens before. */
enum deadline_kind {
    DEADLINE_REMOVAL,  /* an ended card leaves the board */
    DEADLINE_APPROVAL, /* a tool takes suspiciously long: it may wait for a person */
    DEADLINE_IDLE,     /* nothing was heard for long */
    DEADLINE_RESUME,   /* the agent that was to be resumed did not come; until then it is pending */
    DEADLINE_WORKER_N_,
    DEADLINE_TEAM = DEADLINE_WORKER_N_, /* everybody of a team has ended */
    DEADLINE_N_
};

/* When it fires is part of the state, 0 = never; core/deadline keeps the heap in step. */
struct deadline {
    struct heap_node node;
    enum deadline_kind kind;
    int64_t at_ms;
    struct worker *worker; /* whose it is; NULL for a team's */
    struct team *team;
};

/* A conversation that this card showed before. */
struct previous {
    char *session_id;
    int64_t started_ms, ended_ms;
    uint64_t prompts, tool_calls;
    char *last_prompt;
};

enum { PREVIOUS_MAX = 5 };

struct worker {
    struct list in_session;
    struct session *session;
    char id[ID_BYTES]; /* stable */
    enum worker_type type;
    char **aliases; /* every id that leads here, oldest first; the store writes them */
    size_t alias_count;
    struct conversation conversation; /* agent workers only */
    struct deadline deadlines[DEADLINE_WORKER_N_];

    char *terminal_id;      /* the terminal that it runs in now */
    char *last_terminal_id; /* the one before */
    int64_t terminal_pid;   /* the terminal's first process; 0 = unknown */
    bool starts_fresh;      /* what is being brought back begins another conversation */
    bool is_shell;          /* a person's shell runs in it: its end is nobody's news */
    int64_t linked_ms;      /* when the terminal was made, until an agent came; 0 = one did */
    bool shows_dialog;      /* app/screens': a dialog is on its screen */
    uint64_t dialog_hash;   /* app/typed_answers': of what the dialog shows that its screen has; 0: none */
    usec_t dialog_us;       /* likewise: since when, by the monotonic clock */
    bool misses_dialog;     /* app/screens': at the last look there was none */
    int64_t dialog_seen_ms, dialog_missed_ms; /* likewise: when it was seen last, and first missed */
    struct list in_process;                   /* core/state's: cards whose agents share a process */
    struct list in_open;                      /* core/match's: it may be what an unknown agent belongs to */
    struct list in_spawning;                  /* core/team's: announced subagents lately */
};

/* A place of work: one card. */
struct session {
    struct list in_state;
    char id[ID_BYTES]; /* stable, for life */
    enum session_kind kind;
    uint64_t number; /* the project's n-th session: the `#n` of its automatic title */
    char *project_path;
    char *project_name;
    char *title;
    bool titled;  /* by a person */
    char *source; /* terminal program it was seen in */
    char *label;  /* set by people, as are the next two */
    char *accent_color;
    char *character_model;
    char *summary;
    char *replaces_id; /* earlier sessionId; goes out with one update, then is forgotten */
    bool archived;
    bool muted;      /* nobody is notified of it */
    bool historical; /* hosted, and ended: it stays on the board for longer */
    bool hidden;     /* ended, and gone from the boards of clients that know no group of ended ones */
    uint64_t queue_count;
    struct previous previous[PREVIOUS_MAX]; /* oldest first */
    size_t previous_count;

    /* The agent's part in a team; the names come from its environment. */
    struct team *team;
    enum team_role team_role;
    char *team_name, *agent_name, *agent_type, *agent_color;
    char *tmux_pane, *backend; /* from the team's configuration */
    uint64_t team_joined; /* spool position, in whose order members are listed; 0 = not (any more) a member */
    struct list in_team;

    struct list workers;
    struct worker *primary; /* the agent that the flat fields mirror */

    unsigned changed; /* enum facet bits not yet broadcast; cleared when they are */
    bool dirty;       /* not yet in a batch for the store; cleared by app/persist */
    struct list in_dirty;

    /* app/broadcast's: when it was last told of, and whether it changed since. */
    struct list in_broadcast;
    usec_t told_us;
    bool told_again;
};

/* Agents that work together: a leader and those that it started. */
struct team {
    char *id; /* "team-" and the leader's sessionId of the beginning */
    char *name;
    char *parent_session_id;
    struct session *parent; /* NULL once it has left the board */
    struct list members;    /* struct session.in_team: those that have not ended */
    struct list former;     /* likewise: those that have */
    int64_t created_ms;
    struct deadline deadline;
    struct list in_state;
    struct list in_dirty; /* not yet in a batch for the store */
};
