/* Request targets and query strings: percent-decoding, and what is refused on the way. Pure. */
#pragma once

#include "base/arena.h"

/* Cuts "path?query" apart and decodes the path into `arena` (no copy when nothing is encoded). -EINVAL: it does not
 * begin with '/', holds a broken escape, a NUL, a '#' or a ".." segment; -ENOBUFS: the arena is full. */
int url_split(struct span target, struct arena *arena, struct span *ret_path, struct span *ret_query);

/* The first parameter called `name`, decoded ('+' is a space). 1, or 0 when absent, or -errno as above. */
int url_query(struct span query, struct span name, struct arena *arena, struct span *ret);
