/*
 * The words of DESIGN as types: session › worker › conversation. Types only; who changes them is in the .c files
 * of this folder. Everything here belongs to struct state and to the loop thread.
 */
#pragma once

#include "base/clock.h"
#include "base/heap.h"
#include "base/id.h"
#include "base/list.h"
#include "core/enums.h"
#include "core/history.h"

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

struct evidence {
    enum evidence_source source;
    char *event; /* the hook, timer or rule that set the status */
    int64_t at_ms;
};

struct tool_count {
    char *tool;
    uint64_t count;
};

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

/* Something that an agent asks a person, until it is answered. */
struct request {
    char id[ID_BYTES];
    enum attention_kind kind; /* APPROVAL, QUESTION or PLAN */
    enum text_form form;
    char *text;    /* in one line */
    char *detail;  /* whole, as people read it; NULL when the line says all */
    char *tool;    /* NULL: it is about none */
    char *summary; /* `pendingToolDetail`: the tool's input in a line */
    char *label;   /* `waitingDetail` */
    char *agent;   /* the subagent that asks; NULL: the main conversation */
    char *call;    /* the tool call's id, or the request's own, where the CLI tells one */
    int64_t since_ms;
    bool certain; /* false: a timer made it up */
};

enum { REQUESTS_MAX = 32, REQUEST_DETAIL_BYTES = 64 << 10, REQUEST_TEXT_UNITS = 200 };

/* A tool call that began and has not ended. */
struct tool_call {
    char *id;    /* NULL: the CLI tells none */
    char *agent; /* the subagent's; NULL: the main conversation's */
    char *tool;
    char *input;  /* raw JSON; NULL when it is too long to be shown */
    uint64_t pos; /* of the history entry that it made */
};

enum { CALLS_MAX = 32, CALL_INPUT_BYTES = 16 << 10 };

/* Something that a person should have seen: FINISHED, ERROR or EXITED. It stays until somebody has, or the agent goes on. */
struct notice {
    enum attention_kind kind; /* NONE: nothing */
    enum text_form form;
    char *text, *detail;
    int64_t since_ms;
};

/* What was found when its transcript was looked at last. */
struct transcript_finding {
    enum transcript_health health;
    uint64_t depth, messages;
    uint64_t links; /* that were mended, ever */
    int64_t checked_ms;
    char *message; /* what to do, when it is broken; NULL otherwise */
};

/* One run of an agent CLI. Times are Unix milliseconds, 0 = none; strings are NULL when unset. */
struct conversation {
    char *session_id; /* the agent's own id, the newest one */
    enum cli cli;
    enum session_status status;
    enum animation animation;
    enum emote emote;
    int64_t status_since_ms; /* since when it is as it is; evidence is newer when more of the same came */
    struct evidence evidence;
    int64_t started_ms, last_activity_ms, ended_ms;

    char *current_prompt;
    char *model;
    char *permission_mode;
    char *transcript_path;
    struct transcript_finding transcript;
    struct request *requests; /* what it waits for an answer about, oldest first */
    size_t request_count;
    struct tool_call *calls; /* tool calls under way, oldest first */
    size_t call_count;
    struct notice notice;
    char *last_words;                /* what the agent said last, the beginning of it */
    char *error_kind, *error_detail; /* what broke the last turn off; NULL when it went well */
    int64_t error_ms;
    char *tool_now, *tool_now_input; /* tool in flight */
    int64_t tool_now_ms;
    char *last_subagent_name;

    uint64_t turn_tool_calls; /* `totalToolCalls`: of this turn, 0 again after Stop */
    uint64_t tool_calls;      /* ever */
    uint64_t prompt_count;
    char **subagents; /* the ids of those at work; "" where the CLI tells none */
    size_t subagent_count;
    uint64_t background; /* tasks that went on when its last turn ended: it will be back by itself */
    bool by_hook;        /* it tells through our own hooks, which say when it asks: no timer needs to guess */
    int64_t pid;         /* 0 = unknown; kept after the end, because /clear goes on in the same process */
    uint64_t pid_start;  /* its start in clock ticks since boot: a reused pid is somebody else; 0 = unknown */
    int64_t
        runner_pid; /* the process that starts its commands: the agent's, or a server that serves several; 0 = unknown */
    bool
        pid_doubtful; /* it was hardly older than its first event: perhaps only a script that calls the hook */
    bool pid_guessed;      /* it was found, no hook named it: it is never killed on that account */
    int64_t restart_ms;    /* it was found dead when the daemon came back, at this time; 0 = no */
    uint64_t history_from; /* entries of before belong to an earlier conversation of this card */

    /* Subagents that were announced lately and may turn out to be agents of their own. */
    int64_t spawned_ms; /* the newest one */
    uint64_t spawned;   /* how many have not been seen yet */
    char *spawned_type;

    struct tool_count *tool_usage;
    size_t tool_usage_count;
    struct history history[HISTORY_N_];
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

    char *terminal_id;       /* the terminal that it runs in now */
    char *last_terminal_id;  /* the one before */
    int64_t terminal_pid;    /* the terminal's first process; 0 = unknown */
    bool starts_fresh;       /* what is being brought back begins another conversation */
    bool is_shell;           /* a person's shell runs in it: its end is nobody's news */
    int64_t linked_ms;       /* when the terminal was made, until an agent came; 0 = one did */
    bool shows_dialog;       /* app/screens': a dialog was on its screen at the last look */
    struct list in_process;  /* core/state's: cards whose agents share a process */
    struct list in_open;     /* core/match's: it may be what an unknown agent belongs to */
    struct list in_spawning; /* core/team's: announced subagents lately */
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
