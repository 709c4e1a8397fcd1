/* What a person typed, found in a transcript's lines. */
#pragma once

#include "base/arena.h"

/* Bytes: the most that is kept of a prompt; a directory with a longer name is none. */
enum { PROMPT_BYTES_MAX = 16 << 10, PROMPT_CWD_BYTES_MAX = 4096 };

struct prompt {
    struct span text; /* on one line, white space as single blanks; never empty */
    struct span cwd;  /* neither */
    int64_t at_ms;
};

/* The prompt in one line of a transcript: of type "user", with words (not only a tool's results), a directory and a time.
 * The spans point into the line or into `arena`. False when it is none. */
bool prompt_of_line(struct span line, struct arena *arena, struct prompt *ret);
