/*
 * Bytes of a transcript in, messages out. The owner reads the file piece by piece into the room that is offered; lines are
 * looked at where they lie, and only what is left of the last one is moved. A line that is longer than the window
 * goes through jpush() as it comes, so memory stays the same whatever the file holds.
 */
#pragma once

#include "base/jpush.h"
#include "repair/transcript.h"

enum { SCAN_CHUNK = 256 << 10, SCAN_WINDOW = 1 << 20 };

struct scan {
    struct transcript *transcript;
    struct jline_names names;
    struct jpush exact;
    char *window;    /* SCAN_WINDOW bytes and padding */
    size_t used;     /* bytes in it; a line begins at its start */
    uint64_t offset; /* of the window's start in the file */
    bool in_long;    /* within a line that went past the window; `used` is 0 */
    bool long_bad;   /* which is not valid */
    uint64_t long_at;
};

void scan_init(struct scan *s, struct transcript *t);
void scan_fini(struct scan *s);

/* Where the next bytes go, at most `*ret_room` (SCAN_CHUNK) of them. */
char *scan_room(struct scan *s, size_t *ret_room);
/* That many were put there. -ENOMEM, -EFBIG. */
int scan_grew(struct scan *s, size_t n);
/* There are no more: the last line may have no '\n'. */
int scan_end(struct scan *s);
