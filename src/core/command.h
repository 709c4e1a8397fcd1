/*
 * What people and the daemon itself change, beside what agents report: titles, labels, terminals, ends. A command is a
 * record in the spool like everything else, so that it takes its turn among the events, is committed with them, and is
 * found again after a crash. Whoever asked for it is answered by an effect.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "core/apply.h"

/* X(constant, name in the record) */
#define COMMAND_MAP(X)                    \
    X(TITLE, "title")                     \
    X(LABEL, "label")                     \
    X(ACCENT_COLOR, "accent-color")       \
    X(CHARACTER_MODEL, "character-model") \
    X(QUEUE_COUNT, "queue-count")         \
    X(KILLED, "killed")                   \
    X(DELETE, "delete")                   \
    X(MEMBER, "member")                   \
    X(TERMINAL_MADE, "terminal-made")     \
    X(TERMINAL_GONE, "terminal-gone")     \
    X(RESUME, "resume")                   \
    X(TRANSCRIPT, "transcript")           \
    X(MUTED, "muted")                     \
    X(SEEN, "seen")                       \
    X(ANSWER, "answer")                   \
    X(REPLIED, "replied")                 \
    X(UNDELIVERED, "undelivered")         \
    X(AWAY, "away")                       \
    X(RULE, "rule")                       \
    X(RULE_UNDONE, "rule-undone")

#define COMMAND_X(c, s) COMMAND_##c,
enum command_kind { COMMAND_MAP(COMMAND_X) COMMAND_N_ };

/* Spans are empty and numbers 0 where a command has no use for them. */
struct command {
    enum command_kind kind;
    uint64_t call;       /* who waits for the answer; 0 = nobody */
    struct span session; /* any id of it */
    struct span value;   /* what is set */
    int64_t number;      /* what is counted; of a terminal that is gone: 1 when somebody asked for its end */
    struct span terminal, path, title, label, source; /* of a terminal */
    struct span hosts;                                /* what runs in it: "shell", "agent", "command" */
    struct span program;                              /* the command line that people are shown */
    int64_t pid;
    struct span pane, backend, color; /* of a team's member */
    int64_t depth, messages, links;   /* of a transcript; `value` is its health, `title` what to do */
    /* Of an answer to a request: `value` is the decision, `number` the revision that was seen. */
    struct span request, by;
    struct span reply; /* what its hook prints, or the wish that is typed */
    struct span rules; /* those of an "always", as JSON */
    struct span way;   /* "keys" when it is typed; else a hook waits */
    int64_t stops;     /* 1: a denial that ends the turn */
};

const char *command_to_str(enum command_kind kind);

/* Reads the `command` object of a record. -EINVAL for anything else. */
int command_parse(struct span json, struct arena *arena, struct command *ret, struct err *err);

/* Writes it, as the value of a key. */
struct jwrite;
void command_write(struct jwrite *w, const struct command *cmd);

/* Carries it out. `ev` is the record that it came in. */
void command_apply(struct state *st, const struct event *ev, struct arena *arena, struct effects *fx);
