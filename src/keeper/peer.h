/*
 * One connection: the daemon, or a guest. A peer is a cursor into the output, and what it gets is pulled when its socket takes
 * more: it costs a frame on its way and a half-read request, whatever it does, and one that stops reading slows nobody.
 */
#pragma once

#include "base/clock.h"
#include "term/frame.h"

#include <stdbool.h>
#include <sys/uio.h>

struct keeper;

enum peer_role {
    PEER_NONE,     /* the place is free */
    PEER_STRANGER, /* it has not said hello */
    PEER_DAEMON,
    PEER_GUEST,
    PEER_LEAVING, /* it is told a last sentence, then closed */
};

/* Apart from the rest, because most of it is never touched. */
struct peer_memory {
    char in[FRAME_HEAD_BYTES + FRAME_PAYLOAD_MAX]; /* what it sent and is not dealt with */
    char rescued[FRAME_DATA_MAX]; /* the rest of a frame whose bytes the ring has overwritten */
};

struct peer {
    enum peer_role role;
    int fd;
    usec_t arrived;
    bool blocked; /* its socket took no more; it is written to when it can be */
    bool full;    /* its next request is input that does not fit: it is not read meanwhile */

    /* where it is */
    uint64_t cursor; /* the next byte it gets */
    uint64_t limit;  /* not further, for now */
    uint32_t resize; /* serial of the last size it was told */
    uint32_t guests; /* the number it was told */
    bool welcomed, told_exit;
    uint64_t input; /* bytes that it sent for the program */
    uint64_t taken; /* bytes of those that it was told are with the program */

    /* the frame on its way */
    char head[FRAME_HEAD_BYTES + 128];
    size_t head_n, head_sent;
    uint64_t body; /* then `body_n` bytes of output from this offset on */
    size_t body_n;
    bool rescued; /* they are in memory->rescued + rescued_at */
    size_t rescued_at;

    size_t in_n;
    struct peer_memory *memory;
};

/* Puts together the next frame for it, if there is something to tell; not while one is on its way. */
bool peer_next(struct peer *p, const struct keeper *k);

/* Is a frame on its way? */
bool peer_busy(const struct peer *p);

/* What is left of that frame: up to three pieces, whose number is returned. */
int peer_pieces(const struct peer *p, const struct keeper *k, struct iovec ret[3]);
void peer_sent(struct peer *p, size_t n);

/* The ring will overwrite what is before `offset`: takes what this one still needs of it. */
void peer_rescue(struct peer *p, const struct keeper *k, uint64_t offset);

/* Its last words. It is closed after them, or at once when it is in the middle of a frame. */
void peer_refuse(struct peer *p, const char *sentence);
