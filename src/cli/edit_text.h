/* A text in a person's own editor. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { EDIT_TEXT_MAX = 1 << 20 };

/* Shows the text in $VISUAL, $EDITOR or vi, as a file whose name ends in `suffix`, and appends what it has become to `out`. Fails with a
 * sentence when there is no editor, it fails, or what was written is too large. */
int edit_text(struct span text, const char *suffix, struct buf *out, struct err *err);
