/*
 * A keeper's whole state: one terminal's output, sizes, input and end, and who is connected. No clock, descriptor or process
 * is touched here: the loop moves the bytes, and what peers ask of the program goes through `struct keeper_program`.
 */
#pragma once

#include "keeper/hold.h"
#include "keeper/input.h"
#include "keeper/peer.h"
#include "keeper/resizes.h"
#include "keeper/ring.h"

enum {
    KEEPER_GUESTS_MAX = 8,
    KEEPER_STRANGERS_MAX = 4, /* connected without a hello; others have to wait */
    KEEPER_STRANGER_MS = 200, /* then one that says nothing makes room */
    KEEPER_PEERS_MAX = 1 + KEEPER_GUESTS_MAX + KEEPER_STRANGERS_MAX,
    KEEPER_SIZE_MAX = 10000, /* columns or rows; other sizes are ignored */
};

struct keeper_program {
    /* Output that is there already belongs to the size before: it is read first. */
    void (*drain)(void *user);
    int (*resize)(void *user, const struct frame_size *size);
    void (*signal)(void *user, int number);
    void (*end)(void *user);
    void *user;
};

/* What is large, apart from the rest: most of it is never touched, and costs nothing until it is. */
struct keeper_memory {
    char ring[FRAME_RING_BYTES];
    struct input input;
    struct peer_memory peers[KEEPER_PEERS_MAX];
};

struct keeper {
    uint64_t epoch;
    int32_t pid;
    int32_t child;
    uint64_t child_start;
    struct keeper_program program;
    struct ring ring;
    struct hold hold;
    struct resizes resizes;
    struct peer peers[KEEPER_PEERS_MAX];
    uint64_t answered;
    int64_t output_ms;
    bool exited; /* and `exit` tells how, as soon as all it printed has been read */
    bool drained;
    struct frame_exit exit;
    bool released; /* it may go */
    struct input *input;
};

struct keeper_start {
    uint64_t epoch;
    int32_t pid, child;
    uint64_t child_start;
    struct frame_size size;
    struct keeper_program program;
    struct keeper_memory *memory;
};

void keeper_init(struct keeper *k, const struct keeper_start *start, usec_t now);

/* Who is there */

/* From when on there is a place for one more: USEC_NEVER only when a place must be given up first. */
usec_t keeper_place_at(struct keeper *k);
/* A place for one that has just connected, which there must be. Who is still in it has to be closed first. */
struct peer *keeper_place(struct keeper *k);
void keeper_arrive(struct peer *p, int fd, usec_t now);
/* It has gone; its descriptor is the caller's. */
void keeper_leave(struct keeper *k, struct peer *p, usec_t now);
struct peer *keeper_daemon(struct keeper *k);
uint32_t keeper_guests(const struct keeper *k);

/* Deals with the requests that are whole in its memory. -EBADMSG when it makes no sense: it is to be closed. */
int keeper_requests(struct keeper *k, struct peer *p, usec_t now);

/* What the program prints, and how it ends */

/* Where up to `max` bytes of output may be read to: the number of pieces, 0 when it has to wait. Whoever needs what they
 * overwrite is served first. */
int keeper_space(struct keeper *k, size_t max, usec_t now, struct iovec ret[2]);
void keeper_printed(struct keeper *k, size_t n, usec_t now, int64_t wall_ms);
/* `exit->offset` is ignored. */
void keeper_exited(struct keeper *k, const struct frame_exit *exit);
/* Nothing more will come. */
void keeper_drained(struct keeper *k);
