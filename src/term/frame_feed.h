/*
 * A keeper's frames out of pieces of any size. Output is handed on as it comes, never gathered; of other frames their
 * first bytes, which is all that is known of them.
 */
#pragma once

#include "term/frame.h"

enum { FRAME_FEED_HELD = FRAME_HEAD_BYTES + 1024 };

struct frame_feed_ops {
    void (*output)(void *user, uint64_t offset, struct span bytes);
    void (*frame)(void *user, const struct frame *f); /* every other one */
};

struct frame_feed {
    uint32_t data_left, skip_left; /* of the frame whose beginning was dealt with */
    uint64_t offset;               /* of the output that comes next */
    size_t held_bytes;
    char held[FRAME_FEED_HELD]; /* the beginning of a frame */
};

/* -EBADMSG when this is no keeper. `*stop` (may be NULL) becoming true in a call ends it. */
int frame_feed(struct frame_feed *f, struct span bytes, const struct frame_feed_ops *ops, void *user,
               const bool *stop);
