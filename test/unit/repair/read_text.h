/* A transcript from text, in pieces as a file would come. */
#pragma once

#include "base/cleanup.h"
#include "repair/scan.h"
#include "test.h"

static inline void cleanup_transcript(struct transcript *t) {
    transcript_fini(t);
}

/* Reads at most `piece` bytes at a time. */
static inline void read_text(struct transcript *t, struct span text, size_t piece) {
    struct scan s;
    transcript_init(t, piece);
    scan_init(&s, t);
    while (text.n) {
        size_t room;
        char *to = scan_room(&s, &room);
        size_t n = MIN(MIN(text.n, piece), room);
        memcpy(to, text.p, n);
        CHECK_INT(scan_grew(&s, n), 0);
        text = span_skip(text, n);
    }
    CHECK_INT(scan_end(&s), 0);
    scan_fini(&s);
}
