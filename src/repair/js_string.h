/*
 * The text between a JSON string's quotes as JavaScript would hold it, so that two spellings of the same string give the
 * same bytes: escapes are undone, malformed UTF-8 becomes U+FFFD as it does when a file is read as text, and halves of
 * surrogate pairs that stand alone are kept (as three bytes, which no valid UTF-8 has).
 */
#pragma once

#include "base/buf.h"

int js_string_decode(struct span inside, struct buf *out);

/* Such a text as a JSON string, with its quotes. */
int js_string_write(struct span text, struct buf *out);
