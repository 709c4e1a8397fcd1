/* A keeper without a terminal: output is printed by the test, and what peers ask of the program is noted. */
#pragma once

#include "keeper/keeper.h"
#include "test.h"

#define START ((usec_t)1000 * USEC_PER_SEC)
enum { EPOCH = 77 };

struct fixture {
    struct keeper k;
    usec_t now;
    /* what the program was asked */
    struct frame_size resized;
    int resizes, drains, ends, signal;
};

static struct fixture f;
static struct keeper_memory memory;
static char frame_bytes[FRAME_HEAD_BYTES + FRAME_PAYLOAD_MAX];

static inline void note_drain(void *user) {
    ((struct fixture *)user)->drains++;
}

static inline int note_resize(void *user, const struct frame_size *size) {
    ((struct fixture *)user)->resized = *size;
    ((struct fixture *)user)->resizes++;
    return 0;
}

static inline void note_signal(void *user, int number) {
    ((struct fixture *)user)->signal = number;
}

static inline void note_end(void *user) {
    ((struct fixture *)user)->ends++;
}

static inline void begin(void) {
    memset(&f, 0, sizeof f);
    input_clear(&memory.input);
    const struct keeper_start start = {.epoch = EPOCH,
                                       .pid = 10,
                                       .child = 11,
                                       .child_start = 12,
                                       .size = {.cols = 80, .rows = 24},
                                       .program = {.drain = note_drain,
                                                   .resize = note_resize,
                                                   .signal = note_signal,
                                                   .end = note_end,
                                                   .user = &f},
                                       .memory = &memory};
    f.now = START;
    keeper_init(&f.k, &start, f.now);
}

/* Byte `offset` of all that is ever printed. */
static inline char printed(uint64_t offset) {
    return (char)('a' + (offset * 7 + offset / 1000) % 26);
}

/* Prints as many of `n` bytes as there is room for, and returns how many. */
static inline size_t print(size_t n) {
    struct iovec to[2];
    uint64_t offset = f.k.ring.newest;
    int pieces = keeper_space(&f.k, n, f.now, to);
    size_t done = 0;
    for (int i = 0; i < pieces; i++)
        for (size_t j = 0; j < to[i].iov_len; j++)
            ((char *)to[i].iov_base)[j] = printed(offset + done++);
    if (done) keeper_printed(&f.k, done, f.now, 1234);
    return done;
}

static inline void exits(int code) {
    keeper_exited(&f.k, &(struct frame_exit){.code = code, .at_ms = 99});
    keeper_drained(&f.k);
}

static inline struct peer *arrive(void) {
    CHECK(f.now >= keeper_place_at(&f.k));
    struct peer *p = keeper_place(&f.k);
    if (p->fd >= 0) keeper_leave(&f.k, p, f.now);
    keeper_arrive(p, 100, f.now);
    return p;
}

/* The peer sends a frame; what keeper_requests() says to it. */
static inline int ask(struct peer *p, int type, const void *fixed, size_t n, struct span data) {
    char head[FRAME_HEAD_BYTES + 128];
    size_t head_n = frame_encode(head, (enum frame_type)type, fixed, n, data.n);
    CHECK(p->in_n + head_n + data.n <= sizeof p->memory->in);
    memcpy(p->memory->in + p->in_n, head, head_n);
    if (data.n) memcpy(p->memory->in + p->in_n + head_n, data.p, data.n);
    p->in_n += head_n + data.n;
    return keeper_requests(&f.k, p, f.now);
}

static inline struct peer *greet(enum frame_role role, uint64_t offset, uint64_t limit) {
    struct peer *p = arrive();
    const struct frame_hello hello = {
        .version = FRAME_VERSION, .role = role, .epoch = EPOCH, .offset = offset, .limit = limit};
    CHECK_INT(ask(p, FRAME_HELLO, &hello, sizeof hello, SPAN_NONE), 0);
    return p;
}

/* The next frame that it gets, whole; type 0 when there is none. */
static inline struct frame next(struct peer *p) {
    if (!peer_busy(p) && !peer_next(p, &f.k)) return (struct frame){0};
    size_t n = 0;
    while (peer_busy(p)) {
        struct iovec from[3];
        int pieces = peer_pieces(p, &f.k, from);
        CHECK(pieces >= 1 && pieces <= 3);
        CHECK(n + from[0].iov_len <= sizeof frame_bytes);
        memcpy(frame_bytes + n, from[0].iov_base, from[0].iov_len);
        n += from[0].iov_len;
        peer_sent(p, from[0].iov_len);
    }
    struct span rest = span_of(frame_bytes, n);
    struct frame frame;
    CHECK_INT(frame_next(&rest, &frame), 1);
    CHECK_INT(rest.n, 0);
    return frame;
}

static inline struct frame expect(struct peer *p, enum frame_type type, void *ret, size_t n,
                                  struct span *rest) {
    struct frame frame = next(p);
    CHECK_INT(frame.type, type);
    if (ret) CHECK_INT(frame_read(&frame, ret, n, rest), 0);
    return frame;
}

static inline void expect_nothing(struct peer *p) {
    CHECK_INT(next(p).type, 0);
}

static inline void expect_size(struct peer *p, uint64_t offset, unsigned cols) {
    struct frame_size size;
    expect(p, FRAME_RESIZED, &size, sizeof size, NULL);
    CHECK_INT(size.offset, offset);
    CHECK_INT(size.cols, cols);
}

/* Output from `offset` on, with the right bytes; how many. */
static inline size_t expect_output(struct peer *p, uint64_t offset) {
    struct frame_output output;
    struct span bytes;
    expect(p, FRAME_OUTPUT, &output, sizeof output, &bytes);
    CHECK_INT(output.offset, offset);
    for (size_t i = 0; i < bytes.n; i++)
        if (bytes.p[i] != printed(offset + i)) fail_msg("byte %zu is wrong", i);
    return bytes.n;
}

/* Past the welcome and the size that holds where it begins. */
static inline struct peer *welcome(enum frame_role role, uint64_t offset, uint64_t limit) {
    struct peer *p = greet(role, offset, limit);
    expect(p, FRAME_WELCOME, NULL, 0, NULL);
    return p;
}
