#include "keeper/keeper.h"

void keeper_init(struct keeper *k, const struct keeper_start *start, usec_t now) {
    k->epoch = start->epoch;
    k->pid = start->pid;
    k->child = start->child;
    k->child_start = start->child_start;
    k->program = start->program;
    ring_init(&k->ring, start->memory->ring, FRAME_RING_BYTES);
    k->input = &start->memory->input;
    hold_init(&k->hold, now);
    resizes_init(&k->resizes, &start->size);
    for (size_t i = 0; i < KEEPER_PEERS_MAX; i++)
        k->peers[i] = (struct peer){.fd = -1, .memory = &start->memory->peers[i]};
}

static struct peer *find(struct keeper *k, enum peer_role role) {
    struct peer *oldest = NULL;
    for (struct peer *p = k->peers; p < k->peers + KEEPER_PEERS_MAX; p++)
        if (p->role == role && (!oldest || p->arrived < oldest->arrived)) oldest = p;
    return oldest;
}

static uint32_t count(const struct keeper *k, enum peer_role role) {
    uint32_t n = 0;
    for (size_t i = 0; i < KEEPER_PEERS_MAX; i++)
        n += k->peers[i].role == role;
    return n;
}

struct peer *keeper_daemon(struct keeper *k) {
    return find(k, PEER_DAEMON);
}

uint32_t keeper_guests(const struct keeper *k) {
    return count(k, PEER_GUEST);
}

/* The stranger who makes room for the next, when there are so many. */
static struct peer *who_makes_room(struct keeper *k) {
    return count(k, PEER_STRANGER) >= KEEPER_STRANGERS_MAX ? find(k, PEER_STRANGER) : NULL;
}

usec_t keeper_place_at(struct keeper *k) {
    const struct peer *stranger = who_makes_room(k);
    if (stranger) return stranger->arrived + KEEPER_STRANGER_MS * USEC_PER_MSEC;
    return find(k, PEER_NONE) ? 0 : USEC_NEVER;
}

struct peer *keeper_place(struct keeper *k) {
    struct peer *stranger = who_makes_room(k);
    return stranger ? stranger : find(k, PEER_NONE);
}

void keeper_arrive(struct peer *p, int fd, usec_t now) {
    assert(p->role == PEER_NONE);
    *p = (struct peer){.role = PEER_STRANGER, .fd = fd, .arrived = now, .memory = p->memory};
}

void keeper_leave(struct keeper *k, struct peer *p, usec_t now) {
    if (p->role == PEER_DAEMON) hold_detach(&k->hold, &k->ring, now);
    *p = (struct peer){.fd = -1, .memory = p->memory};
}

int keeper_space(struct keeper *k, size_t max, usec_t now, struct iovec ret[2]) {
    size_t n = MIN(max, hold_room(&k->hold, &k->ring, now));
    if (!n) return 0;
    uint64_t oldest = ring_oldest_after(&k->ring, n);
    if (oldest > k->ring.oldest)
        for (size_t i = 0; i < KEEPER_PEERS_MAX; i++)
            peer_rescue(&k->peers[i], k, oldest);
    return ring_space(&k->ring, n, ret);
}

void keeper_printed(struct keeper *k, size_t n, usec_t now, int64_t wall_ms) {
    hold_printed(&k->hold, &k->ring, now);
    ring_grow(&k->ring, n);
    k->output_ms = wall_ms;
}

void keeper_exited(struct keeper *k, const struct frame_exit *exit) {
    k->exited = true;
    k->exit = *exit;
    input_clear(k->input);
}

void keeper_drained(struct keeper *k) {
    k->drained = true;
    k->exit.offset = k->ring.newest;
}
