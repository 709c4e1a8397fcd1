/* The enumerations of the inbox: what a person may answer, and how a request ended. */
#pragma once

#include "base/span.h"

/* X(constant, wire name) */
/* How a request ended: from here (the first two), at the CLI's own dialog, because nobody could answer it any more, or because its
 * agent has ended or goes on without an answer. */
#define REQUEST_END_MAP(X) \
    X(OPEN, "open")        \
    X(ALLOWED, "allowed")  \
    X(DENIED, "denied")    \
    X(DESK, "desk")        \
    X(EXPIRED, "expired")  \
    X(GONE, "gone")

/* What a person answers. */
#define DECISION_MAP(X) \
    X(NONE, "")         \
    X(ALLOW, "allow")   \
    X(DENY, "deny")     \
    X(ALWAYS, "always")

#define REQUEST_END_X(c, s) REQUEST_END_##c,
enum request_end { REQUEST_END_MAP(REQUEST_END_X) REQUEST_END_N_ };
#define DECISION_X(c, s) DECISION_##c,
enum decision { DECISION_MAP(DECISION_X) DECISION_N_ };

const char *request_end_to_str(enum request_end v);
const char *decision_to_str(enum decision v); /* "" for none */

/* The other way; false for an unknown name. */
bool request_end_from_str(struct span s, enum request_end *ret);
bool decision_from_str(struct span s, enum decision *ret);
