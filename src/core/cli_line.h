/*
 * What a line says of an agent in the record that its CLI keeps: Claude Code's transcript, Codex' rollout, Gemini's chat, Copilot's events. Hooks do not
 * tell that a question was answered with no, that a turn was broken off, that the model could not be reached.
 */
#pragma once

#include "base/arena.h"
#include "core/enums.h"

struct cli_line {
    enum activity activity;
    struct span text;        /* of an error, or of what is asked; the model's name */
    struct span call;        /* the request, or the tool call that it is about; may be empty */
    struct span tool, input; /* what is asked for, as a hook would tell it; input is raw JSON */
    int64_t at_ms;           /* when it was written; 0 = it does not say */
};

/* Is there a record that tells more than the hooks do? */
bool cli_line_has_any(enum cli cli);

/* False when the line says nothing of the kind. What it fills in points into `line` or `arena`. */
bool cli_line_read(enum cli cli, struct span line, struct arena *arena, struct cli_line *ret);
