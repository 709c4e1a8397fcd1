/*
 * Bytes of a transcript in, messages out. The owner reads the file piece by piece into the room that is offered; lines are
 * looked at where they lie, and only what is left of the last one is moved. A line that is longer than the window
 * is split as it comes, so memory stays the same whatever the file holds.
 */
#pragma once

#include "repair/split.h"
#include "repair/transcript.h"

enum { SCAN_CHUNK = 256 << 10, SCAN_WINDOW = 1 << 20 };

struct scan {
    struct transcript *transcript;
    struct jline_names names;
    struct jpush exact;
    struct split split;          /* of a line that is not as usual */
    char *window;                /* SCAN_WINDOW bytes and padding */
    size_t used;                 /* bytes in it; a line begins at its start */
    uint64_t offset;             /* of the window's start in the file */
    bool in_long;                /* within a line that went past the window */
    struct transcript_line line; /* that line */
};

void scan_init(struct scan *s, struct transcript *t);
void scan_fini(struct scan *s);

/* Which bytes of the file are wanted next. Nearly always those behind what came, but a long line may need a second look. */
static inline uint64_t scan_wants(const struct scan *s) {
    return s->offset + s->used;
}

/* Where they go, at most `*ret_room` (SCAN_CHUNK) of them. */
char *scan_room(struct scan *s, size_t *ret_room);
/* That many were put there. -ENOMEM, -EFBIG. */
int scan_grew(struct scan *s, size_t n);
/* There are no more: the last line may have no '\n'. 1 when some are wanted once more, as scan_wants() says; then it is called
 * again at their end. */
int scan_end(struct scan *s);
