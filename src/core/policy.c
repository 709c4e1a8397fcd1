#include "core/policy.h"

/* In Claude Code's rules a path that begins with one slash is relative to the project of the settings that it stands in. */
static const struct policy claude[] = {
    {"reads", "It may read and search files without asking.", {"Read", "Grep", "Glob"}, "localSettings"},
    {"directory",
     "It may change files inside this directory without asking.",
     {"Edit(/**)"},
     "localSettings"},
};

const struct policy *policy_at(enum cli cli, size_t i) {
    return cli == CLI_CLAUDE && i < ARRAY_LEN(claude) ? &claude[i] : NULL;
}

const struct policy *policy_find(enum cli cli, struct span name) {
    const struct policy *p;
    for (size_t i = 0; (p = policy_at(cli, i)); i++)
        if (span_eq_str(name, p->name)) return p;
    return NULL;
}
