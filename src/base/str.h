/* Owned, NUL-terminated strings. */
#pragma once

#include "base/span.h"

/* A heap copy; the caller frees. */
char *str_dup(struct span s);

/* Formats into a new heap string. */
char *str_format(const char *fmt, ...) PRINTF(1, 2);

/* Replaces the heap string in `*slot` by a copy of `s` and says whether that changed anything. NULL and the empty
 * string are the same value; it is stored as NULL. */
bool str_set(char **slot, struct span s);

/* Never NULL: "" for NULL. */
static inline const char *str_or_empty(const char *s) {
    return s ? s : "";
}
