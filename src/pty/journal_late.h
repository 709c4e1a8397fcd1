/* Secrets that were in a segment already when the screen showed them: it is written once more, masked, in the place of the old. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* Masks in the bytes of a segment what `late` names: struct redact_late, in any order; those that are not in it are passed over.
 * What follows the first damage is cut off. Returns how many were masked; -EBADMSG when it is no segment. */
int journal_late_mask(struct buf *file, struct buf *late);

/* The same, to a segment on the disk. `ret_size`: the file's, if it was written. */
int journal_late_write(const char *dir, uint64_t number, struct buf *late, uint64_t *ret_size,
                       struct err *err);
