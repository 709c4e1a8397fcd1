#include "term/frame_feed.h"

#include <errno.h>
#include <stddef.h>

/* How much of a frame must be there before it can be dealt with; 0: it is no frame. */
static size_t wanted(const struct frame_feed *f, struct frame_head *ret_head) {
    if (f->held_bytes < FRAME_HEAD_BYTES) return FRAME_HEAD_BYTES;
    memcpy(ret_head, f->held, sizeof *ret_head);
    if (ret_head->size > FRAME_PAYLOAD_MAX) return 0;
    if (ret_head->type == FRAME_OUTPUT)
        return ret_head->size < sizeof(struct frame_output) ? 0
                                                            : FRAME_HEAD_BYTES + sizeof(struct frame_output);
    return FRAME_HEAD_BYTES + MIN((size_t)ret_head->size, (size_t)FRAME_FEED_HELD - FRAME_HEAD_BYTES);
}

static size_t take(struct span *bytes, size_t most) {
    size_t n = MIN(bytes->n, most);
    *bytes = span_skip(*bytes, n);
    return n;
}

static void deal_with(struct frame_feed *f, const struct frame_head *head, const struct frame_feed_ops *ops,
                      void *user) {
    struct frame frame = {.type = head->type,
                          .payload = span_of(f->held + FRAME_HEAD_BYTES, f->held_bytes - FRAME_HEAD_BYTES)};
    f->held_bytes = 0;
    if (head->type == FRAME_OUTPUT) {
        memcpy(&f->offset, frame.payload.p, sizeof f->offset);
        f->data_left = head->size - (uint32_t)sizeof(struct frame_output);
        return;
    }
    f->skip_left = head->size - (uint32_t)frame.payload.n;
    ops->frame(user, &frame);
}

int frame_feed(struct frame_feed *f, struct span bytes, const struct frame_feed_ops *ops, void *user,
               const bool *stop) {
    while (bytes.n && !(stop && *stop)) {
        if (f->skip_left) {
            f->skip_left -= (uint32_t)take(&bytes, f->skip_left);
            continue;
        }
        if (f->data_left) {
            struct span data = span_take(bytes, f->data_left);
            uint64_t offset = f->offset;
            bytes = span_skip(bytes, data.n);
            f->data_left -= (uint32_t)data.n;
            f->offset += data.n;
            ops->output(user, offset, data);
            continue;
        }
        struct frame_head head;
        size_t want = wanted(f, &head);
        if (want == 0) return -EBADMSG;
        size_t n = MIN(bytes.n, want - f->held_bytes);
        memcpy(f->held + f->held_bytes, bytes.p, n);
        f->held_bytes += n;
        bytes = span_skip(bytes, n);
        /* The head may tell that more is wanted, or that this is all. */
        size_t now = wanted(f, &head);
        if (now == 0) return -EBADMSG;
        if (f->held_bytes >= FRAME_HEAD_BYTES && f->held_bytes == now) deal_with(f, &head, ops, user);
    }
    return 0;
}
