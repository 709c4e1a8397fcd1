/* Points in time as programs write them down: 2026-02-03T04:05:06.789Z. */
#pragma once

#include "base/span.h"

/* Milliseconds since the epoch. A day, then optionally a time (to the minute, second or a fraction of it) and a zone (Z or
 * an offset from -24 to 24 hours); what has no zone is UTC. False, and `*ret_ms` left alone, for anything else. */
bool iso8601_parse(struct span text, int64_t *ret_ms);
