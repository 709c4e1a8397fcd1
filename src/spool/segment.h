/* Segment names and their order, pure. */
#pragma once

#include "spool/spool.h"

/* "<20 digits>.seg" for number `n`. */
void segment_name(char out[SPOOL_SEALED_NAME_BYTES], uint64_t n);

/* The number in a sealed segment's name; false for every other name. */
bool segment_number(const char *name, uint64_t *ret);

/* The number for the next sealed segment: the clock's microseconds, but always past `newest` (0 = none),
 * so that a clock that goes back cannot reorder segments. */
uint64_t segment_next_number(uint64_t newest, uint64_t now_us);
