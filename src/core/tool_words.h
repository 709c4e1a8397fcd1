/* What a tool call asks for, in words that people read: a command whole, an edit as a diff, a question with its options, a
 * plan as it was written; never JSON. */
#pragma once

#include "base/arena.h"
#include "core/enums.h"

struct tool_words {
    enum attention_kind kind; /* what it is to a person: an APPROVAL, a QUESTION, a PLAN */
    enum text_form form;      /* of `detail` */
    struct span text;         /* what it is about; may be longer than a line */
    struct span detail;       /* the whole; empty when the text says all */
};

/* Of a tool of any CLI and its raw JSON input. What it fills in lives in `arena`, or in the arguments. */
void tool_words(struct span tool, struct span input, struct arena *arena, struct tool_words *ret);
