/*
 * The words of DESIGN as types: session › worker › conversation. Types only; who changes them is in the .c files
 * of this folder. Everything here belongs to struct state and to the loop thread.
 */
#pragma once

#include "base/clock.h"
#include "base/heap.h"
#include "base/id.h"
#include "base/list.h"
#include "core/history.h"

/* X(constant, wire name) */
#define SESSION_STATUS_MAP(X) \
    X(IDLE, "idle")           \
    X(PROMPTING, "prompting") \
    X(WORKING, "working")     \
    X(APPROVAL, "approval")   \
    X(INPUT, "input")         \
    X(WAITING, "waiting")     \
    X(ENDED, "ended")         \
    X(CONNECTING, "connecting")

#define ANIMATION_MAP(X)  \
    X(IDLE, "Idle")       \
    X(WALKING, "Walking") \
    X(RUNNING, "Running") \
    X(WAITING, "Waiting") \
    X(DEATH, "Death")     \
    X(DANCE, "Dance")

#define EMOTE_MAP(X)         \
    X(NONE, "")              \
    X(WAVE, "Wave")          \
    X(THUMBS_UP, "ThumbsUp") \
    X(JUMP, "Jump")          \
    X(YES, "Yes")

#define SESSION_KIND_MAP(X) \
    X(OBSERVED, "observed") \
    X(WORKTREE, "worktree") \
    X(QUICK, "quick")

#define WORKER_TYPE_MAP(X)  \
    X(AGENT, "agent")       \
    X(TERMINAL, "terminal") \
    X(DIFF, "diff")         \
    X(MARKDOWN, "markdown") \
    X(WEB, "web")

#define CLI_MAP(X)      \
    X(CLAUDE, "claude") \
    X(GEMINI, "gemini") \
    X(CODEX, "codex")

/* What a status rests on. */
#define EVIDENCE_MAP(X)   \
    X(HOOK, "hook")       \
    X(TIMER, "timer")     \
    X(PROCESS, "process") \
    X(SCREEN, "screen")

/* What the outside is asked to look at a process for. */
#define PROBE_MAP(X)        \
    X(APPROVAL, "approval") \
    X(IDLE, "idle")

#define SESSION_STATUS_X(c, s) SESSION_STATUS_##c,
enum session_status { SESSION_STATUS_MAP(SESSION_STATUS_X) SESSION_STATUS_N_ };
#define ANIMATION_X(c, s) ANIMATION_##c,
enum animation { ANIMATION_MAP(ANIMATION_X) ANIMATION_N_ };
#define EMOTE_X(c, s) EMOTE_##c,
enum emote { EMOTE_MAP(EMOTE_X) EMOTE_N_ };
#define SESSION_KIND_X(c, s) SESSION_KIND_##c,
enum session_kind { SESSION_KIND_MAP(SESSION_KIND_X) SESSION_KIND_N_ };
#define WORKER_TYPE_X(c, s) WORKER_TYPE_##c,
enum worker_type { WORKER_TYPE_MAP(WORKER_TYPE_X) WORKER_TYPE_N_ };
#define CLI_X(c, s) CLI_##c,
enum cli { CLI_MAP(CLI_X) CLI_N_ };
#define EVIDENCE_X(c, s) EVIDENCE_##c,
enum evidence_source { EVIDENCE_MAP(EVIDENCE_X) EVIDENCE_N_ };

#define PROBE_X(c, s) PROBE_##c,
enum probe { PROBE_MAP(PROBE_X) PROBE_N_ };

const char *session_status_to_str(enum session_status v);
const char *animation_to_str(enum animation v);
const char *emote_to_str(enum emote v); /* "" for none */
const char *session_kind_to_str(enum session_kind v);
const char *worker_type_to_str(enum worker_type v);
const char *cli_to_str(enum cli v);
const char *evidence_source_to_str(enum evidence_source v);
const char *probe_to_str(enum probe v);

/* The other way; false for an unknown name. */
bool session_status_from_str(struct span s, enum session_status *ret);
bool animation_from_str(struct span s, enum animation *ret);
bool emote_from_str(struct span s, enum emote *ret);
bool session_kind_from_str(struct span s, enum session_kind *ret);
bool worker_type_from_str(struct span s, enum worker_type *ret);
bool cli_from_str(struct span s, enum cli *ret);
bool evidence_source_from_str(struct span s, enum evidence_source *ret);
bool probe_from_str(struct span s, enum probe *ret);

/* Which groups of fields changed; the board sends only those. */
enum facet {
    FACET_IDENTITY = 1 << 0, /* sessionId, project, title, label, colours, source, model, cli */
    FACET_STATUS = 1 << 1,   /* status, animation, emote, evidence, endedAt */
    FACET_PROMPT = 1 << 2,   /* currentPrompt, prompt count */
    FACET_TOOLS = 1 << 3,    /* counters, tool in flight */
    FACET_PENDING = 1 << 4,  /* pendingTool, waitingDetail */
    FACET_AGENTS = 1 << 5,   /* subagents */
    FACET_ALL = (1 << 6) - 1,
};

struct session;
struct worker;

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
    DEADLINE_N_
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
    char *pending_tool, *pending_tool_detail, *waiting_detail; /* what it waits for an answer about */
    char *pending_agent;             /* the subagent that asks; NULL: the main conversation */
    char *error_kind, *error_detail; /* what broke the last turn off; NULL when it went well */
    int64_t error_ms;
    char *tool_now, *tool_now_input; /* tool in flight */
    int64_t tool_now_ms;
    char *last_subagent_name;

    uint64_t turn_tool_calls; /* `totalToolCalls`: of this turn, 0 again after Stop */
    uint64_t tool_calls;      /* ever */
    uint64_t prompt_count;
    uint64_t subagents; /* active now */
    int64_t pid;        /* 0 = unknown */
    uint64_t pid_start; /* its start in clock ticks since boot: a reused pid is somebody else; 0 = unknown */
    int64_t
        due_ms[DEADLINE_N_]; /* when each deadline fires, 0 = never; core/deadline keeps the heap in step */

    struct tool_count *tool_usage;
    size_t tool_usage_count;
    struct history prompts, tools, responses, events;
};

struct deadline {
    struct heap_node node;
    enum deadline_kind kind;
    struct worker *worker;
};

struct worker {
    struct list in_session;
    struct session *session;
    char id[ID_BYTES]; /* stable */
    enum worker_type type;
    char **aliases; /* every id that leads here, oldest first; the store writes them */
    size_t alias_count;
    struct conversation conversation; /* agent workers only */
    struct deadline deadlines[DEADLINE_N_];
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
    char *source; /* terminal program it was seen in */
    char *label;  /* set by people, as are the next two */
    char *accent_color;
    char *character_model;
    char *summary;
    char *replaces_id; /* earlier sessionId; goes out with one update, then is forgotten */
    bool archived;
    uint64_t queue_count;

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
