/*
 * What a keeper and whoever talks to it say to each other over the keeper's socket: frames of a head and a payload,
 * little-endian, versioned. It hardly ever changes, so that a newer daemon adopts keepers that an older one started:
 * unknown frame types are skipped, payloads may grow at their end, and what is longer than known is cut.
 *
 * Every byte that the terminal prints has an offset within its epoch, the incarnation's start in Unix milliseconds.
 */
#pragma once

#include "base/err.h"
#include "base/span.h"

#include <assert.h>
#include <stdint.h>

enum {
    FRAME_VERSION = 1,
    FRAME_OLDEST_VERSION = 1, /* of a peer that is still understood */
    FRAME_HEAD_BYTES = 8,
    FRAME_DATA_MAX = 32 << 10,                 /* bytes of output or input in one frame */
    FRAME_PAYLOAD_MAX = FRAME_DATA_MAX + 1024, /* a longer one is no keeper's */
    FRAME_RING_BYTES = 1 << 20,                /* what a keeper holds of the newest output */
    FRAME_HOLD_MS = 5000, /* so long after acknowledgements stopped, what they did not reach is kept */
    FRAME_INPUT_WINDOW = 64 << 10, /* input of the daemon beyond what FRAME_TAKEN told, see there */
};

enum frame_type {
    /* to the keeper */
    FRAME_HELLO = 1,  /* struct frame_hello; first, else the connection is closed */
    FRAME_FLOW = 2,   /* struct frame_flow */
    FRAME_INPUT = 3,  /* struct frame_input, then bytes for the program */
    FRAME_RESIZE = 4, /* struct frame_size; its offset is ignored */
    FRAME_SIGNAL = 5, /* struct frame_signal: to the program's foreground process group */
    FRAME_END = 6,    /* no payload: hang up (SIGHUP, SIGKILL after 3 s); FRAME_EXITED tells how it went */
    FRAME_RELEASE =
        7, /* no payload: the exit is known and kept, the keeper may go. Ignored while the program lives */
    /* from the keeper */
    FRAME_WELCOME = 64, /* struct frame_welcome; the answer to hello */
    FRAME_OUTPUT = 65,  /* struct frame_output, then bytes */
    FRAME_RESIZED = 66, /* struct frame_size: from this offset on the terminal has this size */
    FRAME_GAP = 67,     /* struct frame_gap: what was overwritten before it could be sent */
    FRAME_EXITED = 68,  /* struct frame_exit; after the last output */
    FRAME_REFUSED = 69, /* a sentence; the connection is closed after it */
    FRAME_GUESTS = 70,  /* struct frame_guests, to the daemon: how many look on past it */
    FRAME_TAKEN = 71, /* struct frame_taken, now and then: how much input the program's terminal has taken */
};

enum frame_role {
    FRAME_ROLE_DAEMON =
        1, /* one at a time, a newer one takes over; what it has not acknowledged is held for it */
    FRAME_ROLE_GUEST = 2, /* gets what there is, and gaps; holds nothing up */
};

struct frame_head {
    uint32_t size; /* of the payload */
    uint16_t type;
    uint16_t reserved;
};

struct frame_hello {
    uint32_t version;
    uint32_t role;
    uint64_t epoch;  /* 0: whichever it is; another one is refused */
    uint64_t offset; /* send from here on; UINT64_MAX: only what is new */
    uint64_t limit;  /* send up to here for now (exclusive); UINT64_MAX: all there is */
};

struct frame_flow {
    uint64_t acknowledged; /* of the daemon: everything before may be overwritten */
    uint64_t limit;        /* as in hello */
};

struct frame_input {
    uint64_t answers; /* the offset behind the query that this answers; 0: somebody typed it */
};

struct frame_size {
    uint64_t offset;
    uint16_t cols, rows;
    uint16_t xpixel, ypixel;
};

struct frame_signal {
    uint32_t number;
    uint32_t reserved;
};

struct frame_welcome {
    uint32_t version;
    int32_t keeper_pid;
    int32_t child_pid;    /* the first process of the terminal */
    uint32_t exited;      /* 1: FRAME_EXITED will come after the output */
    uint64_t child_start; /* in clock ticks since boot */
    uint64_t epoch;
    uint64_t oldest, newest; /* offsets that the ring has: [oldest, newest) */
    uint64_t acknowledged;
    uint64_t
        answered; /* the greatest frame_input.answers that was written: such queries have had their answer */
    int64_t output_ms;   /* when it last printed, Unix milliseconds; 0 = never */
    uint16_t cols, rows; /* now */
    uint16_t reserved[2];
};

struct frame_output {
    uint64_t offset; /* of the first byte that follows */
};

struct frame_gap {
    uint64_t from, to;
};

struct frame_exit {
    int32_t code;    /* -1 when a signal ended it */
    int32_t signal;  /* 0 when it exited */
    uint64_t offset; /* behind the last byte */
    int64_t at_ms;
};

struct frame_guests {
    uint32_t count;
    uint32_t reserved;
};

/* A program that does not read makes input wait, and frames behind that input with it: acknowledgements too, while the program
 * may wait for those. So a daemon keeps no more than FRAME_INPUT_WINDOW under way: that much always finds its place.
 * What it sends beyond is dropped when otherwise nothing would move. */
struct frame_taken {
    uint64_t bytes; /* of this connection's input, counted from its hello */
};

static_assert(sizeof(struct frame_head) == FRAME_HEAD_BYTES, "wire format");
static_assert(sizeof(struct frame_hello) == 32, "wire format");
static_assert(sizeof(struct frame_flow) == 16, "wire format");
static_assert(sizeof(struct frame_input) == 8, "wire format");
static_assert(sizeof(struct frame_size) == 16, "wire format");
static_assert(sizeof(struct frame_signal) == 8, "wire format");
static_assert(sizeof(struct frame_welcome) == 80, "wire format");
static_assert(sizeof(struct frame_output) == 8, "wire format");
static_assert(sizeof(struct frame_gap) == 16, "wire format");
static_assert(sizeof(struct frame_exit) == 24, "wire format");
static_assert(sizeof(struct frame_guests) == 8, "wire format");
static_assert(sizeof(struct frame_taken) == 8, "wire format");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the structures are the wire format");

/* Writes a head and the fixed part of a payload into `out`; `more` bytes follow that the caller sends itself. Returns the
 * bytes written. `fixed` may be NULL when `n` is 0. */
size_t frame_encode(char out[FRAME_HEAD_BYTES + 128], enum frame_type type, const void *fixed, size_t n,
                    size_t more);

struct frame {
    uint16_t type;
    struct span payload;
};

/* Takes the next whole frame off `*bytes`: 1 and the frame (borrowed), 0 when more bytes are needed, -EBADMSG when this is no
 * frame. */
int frame_next(struct span *bytes, struct frame *ret);

/* Copies the fixed part of `f` into `ret` and returns what follows it in `*ret_rest` (may be NULL). A shorter payload is
 * -EBADMSG; what a newer peer put behind the fixed part of a frame without data is ignored. */
int frame_read(const struct frame *f, void *ret, size_t n, struct span *ret_rest);
