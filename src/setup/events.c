#include "setup/events.h"

/* The sparsest density that has an event. What is in neither list only comes at the highest. */
static const char *const low[] = {"SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop",
                                  "SessionEnd",   "AfterAgent",       "PermissionReplied"};
static const char *const medium[] = {
    "PreToolUse",   "PostToolUse",       "PostToolUseFailure", "Notification", "SubagentStart",
    "SubagentStop", "TaskCompleted",     "BeforeAgent",        "Interrupt",    "StopFailure",
    "Elicitation",  "ElicitationResult", "PermissionDenied"};

static bool is_in(const char *const *list, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

static enum config_density sparsest(const char *name) {
    if (is_in(low, ARRAY_LEN(low), name)) return DENSITY_LOW;
    return is_in(medium, ARRAY_LEN(medium), name) ? DENSITY_MEDIUM : DENSITY_HIGH;
}

const struct event_kind *setup_event_next(const struct event_kind *after, const struct event_wish *wish) {
    const struct event_kind *k = after;
    while ((k = event_kind_next(k, wish->cli)))
        if (wish->density <= sparsest(k->name) && cli_version_knows(wish->version, wish->cli, k->name))
            return k;
    return NULL;
}

size_t setup_event_count(const struct event_wish *wish) {
    size_t n = 0;
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));)
        n++;
    return n;
}

bool setup_event_wanted(struct span event, const struct event_wish *wish) {
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));)
        if (span_eq_str(event, k->name)) return true;
    return false;
}
