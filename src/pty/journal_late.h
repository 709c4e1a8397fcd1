/* Secrets that were in a segment already when the screen showed them: it is written once more, masked, in the place of the old. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* `late`: struct redact_late, in any order; those that are not in this segment are passed over. `ret_size`: the file's. */
int journal_late_write(const char *dir, uint64_t number, struct buf *late, uint64_t *ret_size,
                       struct err *err);
