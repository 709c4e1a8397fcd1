#include "base/mem.h"
#include "net/ws_frame_int.h"

#include <errno.h>
#include <sys/random.h>

struct ws_frame {
    unsigned refs;
    size_t n;
    char bytes[];
};

size_t ws_frame_header(char out[WS_HEADER_MAX], enum ws_opcode opcode, size_t payload) {
    out[0] = (char)(0x80 | opcode);
    if (payload <= WS_CONTROL_MAX) {
        out[1] = (char)payload;
        return 2;
    }
    size_t width = payload <= UINT16_MAX ? 2 : 8;
    out[1] = width == 2 ? 126 : 127;
    for (size_t i = 0; i < width; i++)
        out[2 + i] = (char)(((uint64_t)payload >> (8 * (width - 1 - i))) & 0xff);
    return 2 + width;
}

int ws_frame_append_masked(struct buf *out, enum ws_opcode opcode, struct span payload) {
    enum { MASK_BYTES = 4, MASKED = 0x80 };
    char head[WS_HEADER_MAX + MASK_BYTES], *mask = head + ws_frame_header(head, opcode, payload.n);
    head[1] = (char)(head[1] | MASKED);
    if (getentropy(mask, MASK_BYTES) < 0) return -errno;
    size_t n = (size_t)(mask - head) + MASK_BYTES;
    char *to = buf_reserve(out, n + payload.n);
    if (!to) return -ENOBUFS;
    memcpy(to, head, n);
    for (size_t i = 0; i < payload.n; i++)
        to[n + i] = (char)(payload.p[i] ^ mask[i % MASK_BYTES]);
    buf_grew(out, n + payload.n);
    return 0;
}

static struct ws_frame *encode(enum ws_opcode opcode, struct span head, struct span payload) {
    char header[WS_HEADER_MAX];
    size_t n = ws_frame_header(header, opcode, head.n + payload.n);
    struct ws_frame *f = xmalloc(sizeof *f + n + head.n + payload.n);
    f->refs = 1;
    f->n = n + head.n + payload.n;
    char *to = mempcpy(f->bytes, header, n);
    if (head.n) to = mempcpy(to, head.p, head.n);
    if (payload.n) memcpy(to, payload.p, payload.n);
    return f;
}

struct ws_frame *ws_frame_text(struct span text) {
    return encode(WS_TEXT, SPAN_NONE, text);
}

struct ws_frame *ws_frame_binary(struct span head, struct span bytes) {
    return encode(WS_BINARY, head, bytes);
}

struct ws_frame *ws_frame_ref(struct ws_frame *f) {
    f->refs++;
    return f;
}

void ws_frame_unref(struct ws_frame *f) {
    if (f && --f->refs == 0) free(f);
}

size_t ws_frame_bytes(const struct ws_frame *f) {
    return f->n;
}

struct span ws_frame_span(const struct ws_frame *f) {
    return span_of(f->bytes, f->n);
}
