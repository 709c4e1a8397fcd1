#include "term/frame.h"

#include <errno.h>
#include <string.h>

size_t frame_encode(char out[FRAME_HEAD_BYTES + 128], enum frame_type type, const void *fixed, size_t n,
                    size_t more) {
    assert(n <= 128 && n + more <= FRAME_PAYLOAD_MAX);
    const struct frame_head head = {.size = (uint32_t)(n + more), .type = (uint16_t)type};
    memcpy(out, &head, sizeof head);
    if (n) memcpy(out + sizeof head, fixed, n);
    return sizeof head + n;
}

int frame_next(struct span *bytes, struct frame *ret) {
    struct frame_head head;
    if (bytes->n < sizeof head) return 0;
    memcpy(&head, bytes->p, sizeof head);
    if (head.size > FRAME_PAYLOAD_MAX) return -EBADMSG;
    if (bytes->n - sizeof head < head.size) return 0;
    *ret = (struct frame){.type = head.type, .payload = span_of(bytes->p + sizeof head, head.size)};
    *bytes = span_skip(*bytes, sizeof head + head.size);
    return 1;
}

int frame_read(const struct frame *f, void *ret, size_t n, struct span *ret_rest) {
    if (f->payload.n < n) return -EBADMSG;
    memcpy(ret, f->payload.p, n);
    if (ret_rest) *ret_rest = span_skip(f->payload, n);
    return 0;
}
