/* The lines of a file, one after the other, in chunks and in bounded memory. */
#pragma once

#include "base/buf.h"

/* Longer lines are passed over. */
enum { LINES_LINE_MAX = 16 << 20 };

struct lines {
    int fd;           /* the caller's */
    uint64_t at;      /* where the line that comes next begins */
    uint64_t read_to; /* where the next chunk comes from */
    uint64_t limit;   /* nothing from here on is read */
    struct buf buf;   /* what was read and not given out, behind `used` bytes that were */
    size_t used;
    bool passing_over; /* inside a line that is too long */
};

/* Lines from offset `at` up to `limit`. */
void lines_init(struct lines *l, int fd, uint64_t at, uint64_t limit);
void lines_fini(struct lines *l);

/* 1 and a line without its end, which is good until the next call; 0 when there are no more. Of the file's last line
 * `*ret_whole` says whether it has an end: somebody may be writing it. A line that the limit cuts is not given out. */
int lines_next(struct lines *l, struct span *ret, bool *ret_whole);

static inline void cleanup_lines(struct lines *l) {
    lines_fini(l);
}
