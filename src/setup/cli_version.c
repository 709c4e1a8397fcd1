#include "setup/cli_version.h"

#include <stdio.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Takes a number off the front; false when there is none, or one that no version has. */
static bool take_number(struct span *s, unsigned *ret) {
    size_t n = 0;
    *ret = 0;
    for (; n < s->n && n < 7 && is_digit(s->p[n]); n++)
        *ret = 10 * *ret + (unsigned)(s->p[n] - '0');
    *s = span_skip(*s, n);
    return n > 0 && n < 7;
}

static bool take_dot(struct span *s) {
    if (!s->n || s->p[0] != '.') return false;
    *s = span_skip(*s, 1);
    return true;
}

/* Takes "N.N.N" off the front. */
static bool take_version(struct span *s, struct cli_version *ret) {
    struct cli_version v = {0};
    struct span left = *s;
    if (!take_number(&left, &v.major) || !take_dot(&left) || !take_number(&left, &v.minor) ||
        !take_dot(&left) || !take_number(&left, &v.patch))
        return false;
    v.early = left.n && left.p[0] == '-';
    if (!cli_version_is_known(v)) return false;
    *ret = v;
    *s = left;
    return true;
}

bool cli_version_parse(struct span text, struct cli_version *ret) {
    struct cli_version v;
    if (!take_version(&text, &v) || (text.n && !v.early)) return false;
    *ret = v;
    return true;
}

bool cli_version_find(struct span text, struct cli_version *ret) {
    bool inside = false; /* a word, or a number that is not this one's first */
    for (; text.n; text = span_skip(text, 1)) {
        char c = text.p[0];
        struct span at = text;
        if (!inside && is_digit(c) && take_version(&at, ret)) return true;
        inside = is_digit(c) || c == '.';
    }
    return false;
}

bool cli_version_is_known(struct cli_version v) {
    return v.major || v.minor || v.patch;
}

static int compare(unsigned a, unsigned b) {
    return (a > b) - (a < b);
}

int cli_version_compare(struct cli_version a, struct cli_version b) {
    int r = compare(a.major, b.major);
    if (r == 0) r = compare(a.minor, b.minor);
    if (r == 0) r = compare(a.patch, b.patch);
    return r ? r : compare(b.early, a.early);
}

void cli_version_print(struct cli_version v, char ret[CLI_VERSION_BYTES]) {
    ret[0] = '\0';
    if (cli_version_is_known(v))
        (void)snprintf(ret, CLI_VERSION_BYTES, "%u.%u.%u%s", v.major, v.minor, v.patch,
                       v.early ? "-early" : "");
}

/* The first version of Claude Code that knows an event: tried with real ones, and so was the version before it. The others need no
 * such list: Codex and Copilot pass over a name that they do not know without a word, Gemini has had all of ours since it has
 * hooks, and opencode's plugin is our own. */
#define CLAUDE_FIRST \
    { 1, 0, 38, false } /* the first with hooks */
static const struct {
    const char *event;
    struct cli_version first;
} claude[] = {
    {"PreToolUse", CLAUDE_FIRST},
    {"PostToolUse", CLAUDE_FIRST},
    {"Notification", CLAUDE_FIRST},
    {"Stop", CLAUDE_FIRST},
    {"SubagentStop", {1, 0, 41, false}},
    {"PreCompact", {1, 0, 48, false}},
    {"UserPromptSubmit", {1, 0, 53, false}},
    {"SessionStart", {1, 0, 62, false}},
    {"SessionEnd", {1, 0, 85, false}},
    {"SubagentStart", {2, 0, 44, false}},
    {"PermissionRequest", {2, 0, 45, false}},
    {"PostToolUseFailure", {2, 0, 56, false}},
    {"TaskCompleted", {2, 1, 33, false}},
    {"TeammateIdle", {2, 1, 33, false}},
    {"Elicitation", {2, 1, 63, false}},
    {"ElicitationResult", {2, 1, 63, false}},
    {"PostCompact", {2, 1, 76, false}},
    {"StopFailure", {2, 1, 78, false}},
    {"CwdChanged", {2, 1, 83, false}},
    {"TaskCreated", {2, 1, 84, false}},
    {"PermissionDenied", {2, 1, 88, false}},
    {"PostModelSwitch", {2, 1, 251, false}},
};
static const struct cli_version claude_lenient = {2, 1, 101, false};

bool cli_version_knows(struct cli_version v, enum cli cli, const char *event) {
    static const struct cli_version oldest = CLAUDE_FIRST;
    if (!cli_version_matters(cli)) return true;
    if (!cli_version_is_known(v)) v = oldest;
    for (size_t i = 0; i < ARRAY_LEN(claude); i++)
        if (strcmp(claude[i].event, event) == 0) return cli_version_compare(v, claude[i].first) >= 0;
    return false; /* a new row of the events' table that nobody has tried */
}

bool cli_version_is_strict(struct cli_version v, enum cli cli) {
    return cli == CLI_CLAUDE && cli_version_compare(v, claude_lenient) < 0;
}

bool cli_version_matters(enum cli cli) {
    return cli == CLI_CLAUDE;
}
