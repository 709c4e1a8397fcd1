/* One run of an agent CLI, as a type: what hooks report on, what it asks, what it has under way. */
#pragma once

#include "base/id.h"
#include "base/list.h"
#include "core/enums.h"
#include "core/history.h"
#include "core/inbox_enums.h"

struct evidence {
    enum evidence_source source;
    char *event; /* the hook, timer or rule that set the status */
    int64_t at_ms;
};

struct tool_count {
    char *tool;
    uint64_t count;
};

/* An answer that was given from here and has not reached its agent yet. */
struct answer {
    enum decision decision; /* NONE: there is none */
    bool stops;             /* a denial that ends the turn */
    bool by_keys;           /* it is typed into the agent's terminal; otherwise a hook waits for it */
    char *by;               /* who gave it, in words */
    char *reply;            /* what the hook prints; of one that is typed: the wish, as JSON */
    char *rules;            /* those of an "always", as JSON; NULL: none */
    int64_t at_ms;
    uint64_t call; /* the API call that waits for the outcome; 0 = none */
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
    char *input;   /* the tool's input as the CLI told it, raw JSON; NULL when it is unknown or too large */
    char *suggestions; /* Claude Code's `permission_suggestions`, raw JSON; NULL: none */
    char *hold;        /* the key of the hook that waits for an answer; NULL: none does */
    char *note;        /* what became of an answer that did not arrive, in a sentence; NULL: nothing to say */
    struct answer answer;
    uint64_t revision; /* how often what is shown of it has changed since it was asked */
    int64_t since_ms;
    bool certain; /* false: a timer made it up */
};

enum {
    REQUESTS_MAX = 32,
    REQUEST_DETAIL_BYTES = 64 << 10,
    REQUEST_TEXT_UNITS = 200,
    REQUEST_INPUT_BYTES = 256 << 10,
    REQUEST_SUGGESTIONS_BYTES = 16 << 10,
};

/* A request that is over, and how it ended. */
struct ended_request {
    struct list in_state;
    struct request request; /* without what only an answer needs */
    char session[ID_BYTES];
    char *session_id, *title, *project; /* as they were then */
    enum cli cli;
    enum request_end end;
    int64_t ended_ms;
    char *by; /* who answered, in words; NULL: not from here */
};

enum { ENDED_REQUESTS_MAX = 100 };

/* A tool call that began and has not ended. */
struct tool_call {
    char *id;    /* NULL: the CLI tells none */
    char *agent; /* the subagent's; NULL: the main conversation's */
    char *tool;
    char *input;  /* raw JSON, long texts in it cut */
    uint64_t pos; /* of the history entry that it made */
};

enum { CALLS_MAX = 32, CALL_INPUT_BYTES = 96 << 10, CALL_MEMBER_BYTES = 4 << 10 };

/* A call that ended lately: the record that tells how may be read after the hook that tells that it did. */
struct ended_call {
    uint64_t id_hash;
    uint64_t pos; /* of its history entry */
};

enum { ENDED_CALLS_MAX = 4 };

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
    struct ended_call *ended_calls; /* ENDED_CALLS_MAX, oldest first; NULL where nothing is told afterwards */
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
    bool turn_over;      /* its last turn ended, and nothing of it goes on: only a subagent may still ask */
    bool by_hook;        /* it tells through our own hooks, which say when it asks: no timer needs to guess */
    int64_t
        pid; /* 0 = unknown; kept after the end unless it ended itself, because /clear goes on in the same process */
    uint64_t pid_start; /* its start in clock ticks since boot: a reused pid is somebody else; 0 = unknown */
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
