/* "hold 1 KEY CLI": what a hook that waits for an answer says of itself. Pure. */
#pragma once

#include "core/enums.h"

enum { HOLD_KEY_BYTES = 64 };

/* False when it is not that, or of another version. */
bool hold_line_parse(struct span line, char ret_key[HOLD_KEY_BYTES], enum cli *ret_cli);
