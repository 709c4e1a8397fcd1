/* Policies: a few rules that belong together, for those who do not want to be asked about everything. Pure. */
#pragma once

#include "core/reply.h"

struct policy {
    const char *name, *text; /* "reads"; what it means, for people */
    const char *rules[4];    /* NULL at the end */
    const char *where;
};

/* Those that this CLI understands, NULL after the last. */
const struct policy *policy_at(enum cli cli, size_t i);
const struct policy *policy_find(enum cli cli, struct span name);
