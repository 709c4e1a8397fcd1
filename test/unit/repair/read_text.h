/* A transcript from text, for tests: reading it never fails. */
#pragma once

#include "base/cleanup.h"
#include "test.h"
#include "transcript_pieces.h"

static inline void read_text(struct transcript *t, struct span text, size_t piece) {
    CHECK_INT(transcript_read_pieces(t, text, piece), 0);
}
