/*
 * What a hook prints to answer a request, in the words of each CLI, and what can be answered that way at all. Pure: a request and
 * a wish go in, one JSON text comes out.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "core/model_conversation.h"

/* X(constant, name on the wire): what may be answered to a request. */
#define CAN_MAP(X)        \
    X(ALLOW, "allow")     \
    X(DENY, "deny")       \
    X(ALWAYS, "always")   \
    X(MESSAGE, "message") \
    X(STOP, "stop")       \
    X(INPUT, "input")     \
    X(ANSWERS, "answers") \
    X(RULE, "rule")       \
    X(MODE, "mode")

#define CAN_INDEX_X(c, s) CAN_INDEX_##c,
enum can_index { CAN_MAP(CAN_INDEX_X) CAN_N_ };
#define CAN_X(c, s) CAN_##c = 1 << CAN_INDEX_##c,
enum can { CAN_MAP(CAN_X) };
const char *can_to_str(enum can_index i);

enum { REPLY_RULES_MAX = 8, REPLY_MODES_MAX = 3, REPLY_BYTES_MAX = 1 << 20 };

/* A rule that "always" would write: "Bash(npm test:*)", and where: "localSettings". "Mode(acceptEdits)" and "Directory(/path)" are
 * what a CLI suggests instead of a rule: another mode, a directory that may be worked in. */
struct reply_rule {
    struct span rule, where;
};

/* What is wanted; spans are empty where nothing is. */
struct reply_wish {
    enum decision decision;
    bool stop;
    struct span message;
    struct span answers; /* raw JSON: question's text → label or list of labels */
    struct span input;   /* raw JSON */
    struct reply_rule rules[REPLY_RULES_MAX];
    size_t rule_count;
    struct span mode;
};

/* What a hook of this CLI can answer to the request; bits of enum can. */
unsigned reply_can(enum cli cli, const struct request *r);

/* What "always" could write, the best first; returns how many. Of a compound command there is one for each part, and all are needed. */
size_t reply_rules(enum cli cli, const struct request *r, struct arena *arena,
                   struct reply_rule ret[REPLY_RULES_MAX]);
/* Of a plan: the modes to go on in, the default first; returns how many. */
size_t reply_modes(enum cli cli, const struct request *r, const char *ret[REPLY_MODES_MAX]);

/* Writes what the hook prints. -EINVAL with a sentence when the wish makes no sense for this request. */
int reply_write(struct buf *out, enum cli cli, const struct request *r, const struct reply_wish *wish,
                struct arena *arena, struct err *err);
