/* The domain's enumerations, each from one list of constants and their names on the wire. */
#pragma once

#include "base/span.h"

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

#define CLI_MAP(X)        \
    X(CLAUDE, "claude")   \
    X(GEMINI, "gemini")   \
    X(CODEX, "codex")     \
    X(COPILOT, "copilot") \
    X(OPENCODE, "opencode")

/* What a status rests on. `file` is a file in which the CLI itself says what it does; `answer` one that was given from here. */
#define EVIDENCE_MAP(X)   \
    X(HOOK, "hook")       \
    X(TIMER, "timer")     \
    X(PROCESS, "process") \
    X(SCREEN, "screen")   \
    X(FILE, "file")       \
    X(ANSWER, "answer")

/* Why a record is no event. */
#define REFUSAL_MAP(X)                \
    X(NONE, "")                       \
    X(NOT_JSON, "not-json")           \
    X(CUT_OFF, "cut-off")             \
    X(NOT_AN_OBJECT, "not-an-object") \
    X(SESSION_ID, "session-id")       \
    X(EVENT_NAME, "event-name")       \
    X(UNKNOWN_EVENT, "unknown-event") \
    X(FIELD, "field")                 \
    X(TOO_LARGE, "too-large")         \
    X(DAMAGED, "damaged-record")

/* Why a person is wanted. The first three are requests: they stay until they are answered. */
#define ATTENTION_MAP(X)    \
    X(NONE, "")             \
    X(APPROVAL, "approval") \
    X(QUESTION, "question") \
    X(PLAN, "plan")         \
    X(ERROR, "error")       \
    X(FINISHED, "finished") \
    X(EXITED, "exited")

/* How the text of a request or a notice is to be drawn. */
#define TEXT_FORM_MAP(X)    \
    X(TEXT, "text")         \
    X(COMMAND, "command")   \
    X(DIFF, "diff")         \
    X(MARKDOWN, "markdown") \
    X(QUESTION, "question")

/* What a CLI says, or shows, of itself beside its hooks. */
#define ACTIVITY_MAP(X)   \
    X(BUSY, "busy")       \
    X(WAITING, "waiting") \
    X(IDLE, "idle")       \
    X(ERROR, "error")     \
    X(FAILED, "failed")   \
    X(SAID, "said")       \
    X(MODEL, "model")     \
    X(PLAN, "plan")       \
    X(DECIDED, "decided")

/* What is known of a conversation's transcript. */
#define TRANSCRIPT_HEALTH_MAP(X) \
    X(UNKNOWN, "")               \
    X(HEALTHY, "healthy")        \
    X(REPAIRED, "repaired")      \
    X(CORRUPTED, "corrupted")    \
    X(MISSING, "missing")        \
    X(UNREADABLE, "unreadable")  \
    X(UNRECOVERABLE, "unrecoverable")

#define TEAM_ROLE_MAP(X) \
    X(NONE, "")          \
    X(LEADER, "leader")  \
    X(MEMBER, "member")

/* Why a process was looked at. The core asks for the first two; the others are what the daemon noticed by itself. */
#define PROBE_MAP(X)        \
    X(APPROVAL, "approval") \
    X(IDLE, "idle")         \
    X(EXIT, "exit")         \
    X(RESTART, "restart")   \
    X(FIND, "find")

#define SESSION_STATUS_X(c, s) SESSION_STATUS_##c,
enum session_status { SESSION_STATUS_MAP(SESSION_STATUS_X) SESSION_STATUS_N_ };
#define ANIMATION_X(c, s) ANIMATION_##c,
enum animation { ANIMATION_MAP(ANIMATION_X) ANIMATION_N_ };
#define TRANSCRIPT_HEALTH_X(c, s) TRANSCRIPT_HEALTH_##c,
enum transcript_health { TRANSCRIPT_HEALTH_MAP(TRANSCRIPT_HEALTH_X) TRANSCRIPT_HEALTH_N_ };
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
#define ATTENTION_X(c, s) ATTENTION_##c,
enum attention_kind { ATTENTION_MAP(ATTENTION_X) ATTENTION_N_ };
#define TEXT_FORM_X(c, s) TEXT_FORM_##c,
enum text_form { TEXT_FORM_MAP(TEXT_FORM_X) TEXT_FORM_N_ };
#define ACTIVITY_X(c, s) ACTIVITY_##c,
enum activity { ACTIVITY_MAP(ACTIVITY_X) ACTIVITY_N_ };

#define REFUSAL_X(c, s) REFUSAL_##c,
enum event_refusal { REFUSAL_MAP(REFUSAL_X) REFUSAL_N_ };
#define TEAM_ROLE_X(c, s) TEAM_ROLE_##c,
enum team_role { TEAM_ROLE_MAP(TEAM_ROLE_X) TEAM_ROLE_N_ };
#define PROBE_X(c, s) PROBE_##c,
enum probe { PROBE_MAP(PROBE_X) PROBE_N_ };

const char *session_status_to_str(enum session_status v);
const char *animation_to_str(enum animation v);
const char *transcript_health_to_str(enum transcript_health v); /* "" for unknown */
const char *emote_to_str(enum emote v);                         /* "" for none */
const char *session_kind_to_str(enum session_kind v);
const char *worker_type_to_str(enum worker_type v);
const char *cli_to_str(enum cli v);
const char *evidence_source_to_str(enum evidence_source v);
const char *attention_kind_to_str(enum attention_kind v); /* "" for none */
const char *text_form_to_str(enum text_form v);
const char *activity_to_str(enum activity v);
const char *team_role_to_str(enum team_role v); /* "" for none */
const char *probe_to_str(enum probe v);
const char *event_refusal_to_str(enum event_refusal v); /* "" for none */

/* The other way; false for an unknown name. */
bool session_status_from_str(struct span s, enum session_status *ret);
bool animation_from_str(struct span s, enum animation *ret);
bool transcript_health_from_str(struct span s, enum transcript_health *ret);
bool emote_from_str(struct span s, enum emote *ret);
bool session_kind_from_str(struct span s, enum session_kind *ret);
bool worker_type_from_str(struct span s, enum worker_type *ret);
bool cli_from_str(struct span s, enum cli *ret);
bool evidence_source_from_str(struct span s, enum evidence_source *ret);
bool attention_kind_from_str(struct span s, enum attention_kind *ret);
bool text_form_from_str(struct span s, enum text_form *ret);
bool activity_from_str(struct span s, enum activity *ret);
bool team_role_from_str(struct span s, enum team_role *ret);
bool probe_from_str(struct span s, enum probe *ret);
bool event_refusal_from_str(struct span s, enum event_refusal *ret);
