#include "frames.h"
#include "test.h"

#include "base/cleanup.h"

void frames_send(struct client *c, unsigned first, struct span payload) {
    AUTO(buf) struct buf b = BUF_INIT(1 << 20);
    static const char mask[4] = {0x12, 0x34, 0x56, 0x78};
    char header[14] = {(char)first};
    size_t n = 2;
    if (payload.n < 126) {
        header[1] = (char)(0x80 | payload.n);
    } else {
        header[1] = (char)0xff;
        for (int i = 0; i < 8; i++)
            header[n++] = (char)((uint64_t)payload.n >> (56 - 8 * i));
        if (payload.n <= UINT16_MAX) {
            header[1] = (char)0xfe;
            header[2] = header[8];
            header[3] = header[9];
            n = 4;
        }
    }
    memcpy(header + n, mask, sizeof mask);
    (void)buf_append(&b, header, n + sizeof mask);
    for (size_t i = 0; i < payload.n; i++)
        (void)buf_append_char(&b, (char)(payload.p[i] ^ mask[i % 4]));
    client_send(c, buf_span(&b));
}

struct frame frames_want(struct client *c) {
    static char kept[FRAME_MAX];
    client_want(c, 2);
    const unsigned char *p = (const unsigned char *)c->in.p;
    CHECK(p[0] & 0x80);
    CHECK((p[1] & 0x80) == 0);
    size_t n = p[1], header = 2;
    if (n >= 126) {
        header = n == 126 ? 4 : 10;
        client_want(c, header);
        p = (const unsigned char *)c->in.p;
        n = 0;
        for (size_t i = 2; i < header; i++)
            n = n << 8 | p[i];
    }
    client_want(c, header + n);
    struct frame f = {.opcode = (unsigned char)c->in.p[0] & 15, .whole = header + n};
    CHECK(n <= sizeof kept);
    memcpy(kept, c->in.p + header, n);
    f.payload = span_of(kept, n);
    buf_consume(&c->in, header + n);
    return f;
}

void frames_want_close(struct client *c, unsigned code) {
    struct frame f = frames_want(c);
    CHECK_INT(f.opcode, CLOSE);
    CHECK(f.payload.n >= 2);
    CHECK_INT((unsigned char)f.payload.p[0] << 8 | (unsigned char)f.payload.p[1], code);
}
