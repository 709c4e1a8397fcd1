/* What the daemon says to a hook that waits, a line at a time. Pure. */
#pragma once

#include "base/span.h"

enum { REPLY_ANSWER_MAX = 1 << 20 };

/* What "reply SESSION REQUEST DECISION N" says. The words are plain: they go into a record as they are. */
struct reply_line {
    struct span session, request, decision;
    uint64_t n; /* bytes of the answer, which follows */
};

bool reply_line_parse(struct span line, struct reply_line *ret);
