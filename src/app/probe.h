/*
 * A look at an agent's process, when the core asks for one. What was seen is written into the spool like everything else
 * that comes from outside, and takes effect when it is read: a replay after a crash finds the same answer. What
 * app/watch notices by itself takes the same way.
 */
#pragma once

#include "api/note.h"
#include "core/model.h"

/* What was seen of a session's process. */
struct probe_finding {
    const char *session; /* its stable id */
    enum probe what;
    int64_t pid;
    uint64_t start; /* clock ticks since boot; 0: not told */
    bool alive, child;
};

/* Writes it into the spool. Returns 0 or -errno; a failure is logged. */
int probe_report(const struct notes *notes, const struct probe_finding *f);

/* Looks at the session's process and reports it. */
void probe_run(const struct notes *notes, const struct session *s, enum probe what);
