/* The place on an agent's screen where the next prompt is typed, and what its CLI says about being interrupted. A table for the known
 * CLIs; what looks otherwise is no place to type. Pure: text in, words out. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "core/enums.h"

enum {
    INPUT_BOX_ROWS = 24,
    /* of a screen, from its bottom, that are looked at */ INPUT_BOX_TEXT_MAX = 64 << 10
};

/* `rows` are the last ones of the screen, the lowest first, without blanks at their ends. Is it there, with nothing in it? */
bool input_box_is_empty(enum cli cli, const struct span *rows, size_t count);
/* Does it show the end of this text, or that a long one was pasted? */
bool input_box_shows(const struct span *rows, size_t count, struct span text, struct arena *arena);
/* A prompt as it is pasted: its lines stay, control characters do not. -EINVAL when it is none. */
int input_box_put(struct buf *keys, struct span text, bool paste);

/* The CLI says that it works, and that a key would interrupt it; `ret_key`: the key, which may have to be pressed again. */
bool input_box_can_interrupt(enum cli cli, const struct span *rows, size_t count, struct span *ret_key);
