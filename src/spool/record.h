/* Record framing, pure: lines out of bytes, and the torn-record rule. */
#pragma once

#include "spool/spool.h"

/* Looks for the next complete record in `bytes`. Returns 1 with the record (without newlines) and how many
 * bytes it used up; 0 when there is none, `*ret_used` then counts blank lines that can be forgotten. Bytes
 * without a final newline stay: they are a record still being written, or a torn one that the next newline
 * will end. */
int record_next(struct span bytes, struct span *ret_record, size_t *ret_used);

/* Turns the raw newlines of a payload into spaces, in place, so that pretty-printed JSON is one line. */
void record_flatten(char *payload, size_t n);

/* Fingerprint of a segment's head, see struct spool_mark. */
uint64_t record_fingerprint(struct span head);
