/* What was seen of an agent beside its hooks, in its CLI's own files or among its processes, goes into the spool like everything
 * else and takes effect when it is read (core/activity). */
#pragma once

#include "api/note.h"
#include "core/enums.h"

/* Spans may be empty. */
struct told {
    const char *session; /* its stable id */
    enum activity activity;
    enum evidence_source by;
    int64_t since_ms; /* when it began */
    struct span text, call, tool, input;
};

/* -errno when the spool cannot be written; that was logged. */
int told_report(const struct notes *notes, const struct told *t);
