/*
 * A look at an agent's process, when the core asks for one. What was seen is written into the spool like everything else
 * that comes from outside, and takes effect when it is read: a replay after a crash finds the same answer.
 */
#pragma once

#include "base/clock.h"
#include "core/model.h"
#include "ingest/ingest.h"

struct probe_site {
    const struct clock *clock;
    const char *spool_dir;
    struct ingest *ingest;
};

void probe_run(const struct probe_site *site, const struct session *s, enum probe what);
