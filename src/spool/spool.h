/*
 * The spool: a directory of segments that hooks append to and the daemon follows.
 *
 *   active                  what writers append to now
 *   <20 digits>.seg         sealed by renaming, in order of their numbers; never appended to once the lock is free
 *
 *   next                    an empty one with room of its own, to be the next active one (reserve.h)
 *   losses                  how many records could not be kept (losses.h)
 *   set-aside-<digits>      something that stood in the place of `active` and was no plain file of ours
 *
 * One record is one line. A writer puts a newline before and after it, in one writev(2) on an O_APPEND descriptor
 * under a shared flock, so that a record torn by a full disk spoils only itself. Nothing is ever truncated.
 *
 * A *position* is a logical byte offset over all segments that ever were: it only grows, and names a record for
 * life. A *mark* is a position together with what is needed to find it again in the files.
 */
#pragma once

#include "base/span.h"

#define SPOOL_ACTIVE "active"
#define SPOOL_SEALED_SUFFIX ".seg"
#define SPOOL_NEXT "next"
#define SPOOL_LOSSES "losses"
#define SPOOL_SET_ASIDE "set-aside-"

enum {
    SPOOL_PAYLOAD_MAX = 8 << 20,                       /* what a hook accepts on stdin */
    SPOOL_RECORD_MAX = SPOOL_PAYLOAD_MAX + (64 << 10), /* with its envelope */
    SPOOL_SEAL_BYTES = 4 << 20,        /* the daemon seals an active segment that it has read, past this */
    SPOOL_SEAL_ALONE_BYTES = 32 << 20, /* a hook seals past this: no daemon has come for long */
    SPOOL_RESERVE_BYTES = 16 << 20,    /* some ten thousand events */
    SPOOL_SEALED_NAME_BYTES = 32,
    SPOOL_FINGERPRINT_BYTES = 256,
};
/* All segments together, for the day when no daemon comes back: the oldest go first, and a record says so. */
#define SPOOL_CAP_BYTES ((uint64_t)512 << 20)

struct spool_mark {
    uint64_t base;        /* position of the segment's first byte */
    uint64_t off;         /* bytes of the segment that are consumed */
    uint64_t fingerprint; /* of its first min(off, SPOOL_FINGERPRINT_BYTES) bytes; finds it under any name */
};

static inline uint64_t spool_mark_position(const struct spool_mark *m) {
    return m->base + m->off;
}
