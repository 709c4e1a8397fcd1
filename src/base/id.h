/* Ids: names made from a position in the spool. */
#pragma once

#include "base/span.h"

enum { ID_BYTES = 24 };

/* The stable id of what the record at spool position `pos` created: the letter and the position in base 36.
 * The same record always makes the same id, so a replay after a crash does too. */
void id_from_position(char out[ID_BYTES], char letter, uint64_t pos);
