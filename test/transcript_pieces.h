/* A transcript from text, in pieces as a file would come. */
#pragma once

#include "repair/scan.h"

/* Reads at most `piece` bytes at a time into `t`, which is made here. */
static inline int transcript_read_pieces(struct transcript *t, struct span text, size_t piece) {
    struct scan s;
    transcript_init(t, piece);
    scan_init(&s, t);
    int r = 0;
    do {
        while (scan_wants(&s) < text.n && r >= 0) {
            size_t room;
            char *to = scan_room(&s, &room);
            struct span rest = span_skip(text, (size_t)scan_wants(&s));
            size_t n = MIN(MIN(rest.n, piece), room);
            memcpy(to, rest.p, n);
            r = scan_grew(&s, n);
        }
        if (r >= 0) r = scan_end(&s);
    } while (r > 0);
    scan_fini(&s);
    return r;
}

static inline void cleanup_transcript(struct transcript *t) {
    transcript_fini(t);
}
