/* The daemon's own records: what it saw or was asked for goes into the spool like everything else, and takes effect when
 * it is read. */
#pragma once

#include "base/clock.h"
#include "base/jwrite.h"
#include "ingest/ingest.h"

/* Where they go. Owned by struct app; the ingest is set once there is one. */
struct notes {
    const struct clock *clock;
    const char *spool_dir;
    struct ingest *ingest;
};

/* Begins a record: the caller writes the value of `key` next. */
struct jwrite note_begin(const struct notes *n, struct buf *record, const char *key);
/* Ends it and appends it to the spool. -errno when that cannot be written. */
int note_end(const struct notes *n, struct jwrite *w);
