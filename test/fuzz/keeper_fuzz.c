/*
 * A keeper among peers that send arbitrary bytes, read what they like, come and go, while a program prints. Whatever they
 * do: frames are well formed, every byte is the one that was printed at its offset, nobody gets more than its limit, and
 * what the daemon has not acknowledged is not overwritten while that is waited for.
 *
 * The input is a script: a byte that says what happens, a byte how much of it, and for what a peer sends the bytes. Its ring
 * is small, so that it turns over soon.
 */
#include "keeper/keeper.h"
#include "term/frame_feed.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RING = 4096, EPOCH = 5, STEPS_MAX = 4000 };

struct reader {
    struct frame_feed feed;
    bool begun, exited;
    uint64_t at;
};

static struct keeper k;
static struct keeper_memory memory;
static struct reader readers[KEEPER_PEERS_MAX];
static usec_t now;

static void require(bool ok) {
    if (!ok) abort();
}

static char printed(uint64_t offset) {
    return (char)(offset * 131 + offset / 251);
}

static void ignore(void *user UNUSED) {}

static int resized(void *user UNUSED, const struct frame_size *size) {
    require(size->cols && size->rows);
    return 0;
}

static void signalled(void *user UNUSED, int number) {
    require(number >= 1 && number <= 64);
}

static void on_output(void *user, uint64_t offset, struct span bytes) {
    struct reader *r = user;
    require(r->begun && !r->exited && offset == r->at);
    for (size_t i = 0; i < bytes.n; i++)
        require(bytes.p[i] == printed(offset + i));
    r->at += bytes.n;
}

static void on_frame(void *user, const struct frame *f) {
    struct reader *r = user;
    struct frame_size size;
    struct frame_gap gap;
    struct frame_exit exit;
    struct frame_welcome welcome;
    switch (f->type) {
    case FRAME_WELCOME:
        require(!r->begun && frame_read(f, &welcome, sizeof welcome, NULL) == 0);
        require(welcome.oldest <= welcome.newest && welcome.newest - welcome.oldest <= RING);
        r->begun = true;
        break;
    case FRAME_RESIZED:
        require(r->begun && frame_read(f, &size, sizeof size, NULL) == 0 && size.offset == r->at);
        break;
    case FRAME_GAP:
        require(r->begun && frame_read(f, &gap, sizeof gap, NULL) == 0 && gap.from == r->at &&
                gap.to > gap.from);
        r->at = gap.to;
        break;
    case FRAME_EXITED:
        require(r->begun && !r->exited && frame_read(f, &exit, sizeof exit, NULL) == 0 &&
                exit.offset == r->at);
        r->exited = true;
        break;
    case FRAME_REFUSED: require(f->payload.n > 0); break;
    case FRAME_GUESTS:
    case FRAME_TAKEN: require(r->begun); break;
    default: abort();
    }
}

static const struct frame_feed_ops ops = {.output = on_output, .frame = on_frame};

static void begin(void) {
    memset(&k, 0, sizeof k);
    input_clear(&memory.input);
    now = 1000 * USEC_PER_SEC;
    const struct keeper_start start = {
        .epoch = EPOCH,
        .size = {.cols = 80, .rows = 24},
        .program = {.drain = ignore, .resize = resized, .signal = signalled, .end = ignore},
        .memory = &memory};
    keeper_init(&k, &start, now);
    ring_init(&k.ring, memory.ring, RING);
}

static void arrive(void) {
    if (now < keeper_place_at(&k)) return;
    struct peer *p = keeper_place(&k);
    if (p->fd >= 0) keeper_leave(&k, p, now);
    keeper_arrive(p, 1, now);
    readers[p - k.peers] = (struct reader){0};
}

static void hear(struct peer *p, struct span bytes) {
    if (p->role == PEER_NONE || p->role == PEER_LEAVING || p->full) return;
    bytes = span_take(bytes, sizeof p->memory->in - p->in_n);
    if (!bytes.n) return;
    memcpy(p->memory->in + p->in_n, bytes.p, bytes.n);
    p->in_n += bytes.n;
    enum peer_role before = p->role;
    if (keeper_requests(&k, p, now) < 0) {
        keeper_leave(&k, p, now);
        return;
    }
    if (before == PEER_STRANGER) readers[p - k.peers].at = p->cursor;
}

/* Reads up to `n` bytes, in the pieces in which they come. */
static void serve(struct peer *p, size_t n) {
    struct reader *r = &readers[p - k.peers];
    if (p->role == PEER_NONE) return;
    while (n && (peer_busy(p) || peer_next(p, &k))) {
        struct iovec from[3];
        int pieces = peer_pieces(p, &k, from);
        require(pieces >= 1 && from[0].iov_len > 0);
        require(!p->body_n || p->head_sent || p->cursor <= p->limit); /* as it was when the frame began */
        size_t part = MIN(n, from[0].iov_len);
        require(frame_feed(&r->feed, span_of(from[0].iov_base, part), &ops, r, NULL) == 0);
        peer_sent(p, part);
        n -= part;
    }
    if (p->role == PEER_LEAVING && !peer_busy(p)) keeper_leave(&k, p, now);
}

static void print(size_t n) {
    struct iovec to[2];
    uint64_t offset = k.ring.newest, held = MAX(k.hold.acknowledged, k.ring.oldest);
    if (k.exited) return;
    int pieces = keeper_space(&k, MIN(n, RING), now, to);
    size_t done = 0;
    for (int i = 0; i < pieces; i++)
        for (size_t j = 0; j < to[i].iov_len; j++)
            ((char *)to[i].iov_base)[j] = printed(offset + done++);
    require(done <= n);
    usec_t patience = k.hold.until;
    if (done) keeper_printed(&k, done, now, 1);
    if (k.ring.oldest > held) require(now >= patience);
}

static void step(uint8_t what, uint8_t much, struct span *rest) {
    struct peer *p = &k.peers[what >> 4 < KEEPER_PEERS_MAX ? what >> 4 : 0];
    switch (what & 15) {
    case 0: arrive(); break;
    case 1:
    case 2:
    case 3:
        hear(p, span_take(*rest, much));
        *rest = span_skip(*rest, much);
        break;
    case 4:
    case 5: serve(p, (size_t)much * 16); break;
    case 6:
    case 7: print((size_t)much * 16); break;
    case 8: now += much * 100 * USEC_PER_MSEC; break;
    case 9: input_written(k.input, MIN(input_waiting(k.input), (size_t)much * 512)); break;
    case 10:
        if (p->full && keeper_requests(&k, p, now) < 0) keeper_leave(&k, p, now);
        break;
    case 11:
        if (p->role != PEER_NONE) keeper_leave(&k, p, now);
        break;
    case 12:
        if (much < 250 || k.exited) break;
        keeper_exited(&k, &(struct frame_exit){.code = much});
        keeper_drained(&k);
        break;
    default: break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span rest = span_of((const char *)data, size);
    begin();
    for (size_t i = 0; rest.n >= 2 && i < STEPS_MAX; i++) {
        uint8_t what = (uint8_t)rest.p[0], much = (uint8_t)rest.p[1];
        rest = span_skip(rest, 2);
        step(what, much, &rest);
        require(keeper_guests(&k) <= KEEPER_GUESTS_MAX);
        require(k.resizes.count >= 1 && k.resizes.count <= RESIZES_MAX);
    }
    /* All who are left can read to the end. */
    for (size_t i = 0; i < KEEPER_PEERS_MAX; i++) {
        struct peer *p = &k.peers[i];
        bool unlimited = p->limit == UINT64_MAX && (p->role == PEER_DAEMON || p->role == PEER_GUEST);
        serve(p, SIZE_MAX);
        if (unlimited) require(p->cursor == k.ring.newest && readers[i].at == p->cursor);
    }
    return 0;
}
