/* The tools of all CLIs by name: what each does, and what a call is about. */
#pragma once

#include "base/arena.h"

/* How a call is put in words. */
enum tool_style {
    TOOL_LINE,     /* what it is about says it all */
    TOOL_COMMAND,  /* for a shell */
    TOOL_WRITE,    /* a file's whole content */
    TOOL_EDIT,     /* some text of a file, replaced by another */
    TOOL_EDITS,    /* several of these */
    TOOL_PATCH,    /* a diff already */
    TOOL_QUESTION, /* to the person, with answers to choose from */
    TOOL_PLAN,     /* to be agreed to */
    TOOL_AGENT,    /* another agent's orders */
};

struct tool_row {
    const char *name;
    enum tool_style style;
    const char *title; /* what it does, without its subject */
    const char *verb;  /* before its subject */
    const char *
        subject; /* the members of its input that tell it, a space between two; the first that is there counts */
};

/* NULL for a tool that nobody knows. */
const struct tool_row *tool_find(struct span tool);

/* The same for a call: one tool of Copilot's is several, as its input says. */
const struct tool_row *tool_row_of(struct span tool, struct span input, struct arena *arena);
/* What it does, as people read it: "Run a command" for Bash, "Use read_issue of github" for mcp__github__read_issue. */
struct span tool_title(struct span tool, struct arena *arena);

/* What a call is about, in a line: the path, the command, the pattern; otherwise the values of its input. A cut is marked
 * by "…". Empty without input. */
struct span tool_summary(struct span tool, struct span input, struct arena *arena);

/* A member of the input as raw JSON; empty when it is not there. */
struct span tool_member(struct span input, struct span name);
/* A raw value as text: a string's, a number or a word as it stands, a list with a comma between two; empty for an
 * object. */
struct span tool_value_text(struct span value, struct arena *arena);
/* The text of the first of these members (a space between two names) that has any. */
struct span tool_first_text(struct span input, const char *names, struct arena *arena);
