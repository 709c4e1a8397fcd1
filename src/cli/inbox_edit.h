/* The input of a tool call, changed by a person before it is allowed. */
#pragma once

#include "cli/inbox_list.h"

#include "base/buf.h"
#include "base/err.h"

/* Shows it in an editor: a command as such, other inputs as JSON. The whole input as it is then goes to `out`. -EALREADY when nothing
 * was changed; other failures with a sentence, too. */
int inbox_edit(const struct inbox_request *r, struct buf *out, struct err *err);

/* The input with another command in it; false when it has none. */
bool inbox_edit_command(const struct inbox_request *r, struct span command, struct buf *out);
/* An input as JSON with a line for each member. */
void inbox_edit_spread(struct span input, struct buf *out);
