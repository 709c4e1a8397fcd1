/*
 * The sizes that the terminal had, each from an offset on. Whoever reads the output again is told them in its order. The log is
 * bounded: when it is full the oldest ones become one, those without a byte between them first.
 */
#pragma once

#include "term/frame.h"

enum { RESIZES_MAX = 128 };

struct resize {
    struct frame_size size;
    uint32_t serial; /* grows; a peer remembers the last one it was told */
};

struct resizes {
    struct resize entries[RESIZES_MAX]; /* by offset; the first is the size that held at the oldest byte */
    unsigned count;
    uint32_t last; /* serial of the newest */
};

/* The terminal begins with `size`. */
void resizes_init(struct resizes *r, const struct frame_size *size);

/* From `size->offset` on, which is not before those that came earlier. False when that is the size it has. */
bool resizes_add(struct resizes *r, const struct frame_size *size);

/* The size it has now. */
const struct frame_size *resizes_now(const struct resizes *r);

/* The serial of the size that holds at `offset`. */
uint32_t resizes_at(const struct resizes *r, uint64_t offset);

/* The first one after `serial`; NULL when there is none. */
const struct resize *resizes_after(const struct resizes *r, uint32_t serial);
