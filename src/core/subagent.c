#include "core/subagent.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

static size_t find(const struct conversation *c, struct span id) {
    size_t i = 0;
    while (i < c->subagent_count && !span_eq_str(id, c->subagents[i]))
        i++;
    return i;
}

void subagent_began(struct conversation *c, struct span id) {
    bool known = id.n && find(c, id) < c->subagent_count;
    if (known || c->subagent_count == SUBAGENTS_MAX) return;
    c->subagents = xreallocarray(c->subagents, c->subagent_count + 1, sizeof *c->subagents);
    c->subagents[c->subagent_count++] = str_dup(id);
}

void subagent_ended(struct conversation *c, struct span id) {
    size_t i = find(c, id);
    if (i == c->subagent_count) return;
    free(c->subagents[i]);
    c->subagents[i] = c->subagents[--c->subagent_count];
}

void subagent_forget_all(struct conversation *c) {
    for (size_t i = 0; i < c->subagent_count; i++)
        free(c->subagents[i]);
    free(c->subagents);
    c->subagents = NULL;
    c->subagent_count = 0;
}
