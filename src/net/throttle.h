/*
 * How often a password may be tried. Pure; the caller brings the time.
 *
 * Each address, and each user of this machine, has a few tries, then must wait after each, twice as long every time, up to a quarter
 * of an hour. All other machines together share a number of tries that grows back slowly, so that many addresses are no way around;
 * the other users of this machine share another (who has one user id may have thousands). The owner takes part in neither: nobody
 * else, near or far, can lock out who sits here. A try counts when it begins, before anybody knows
 * whether it is the right one: many at once are no way around either. A refused one does not count, and nothing is kept of it.
 */
#pragma once

#include "base/clock.h"
#include "base/list.h"
#include "base/map.h"
#include "net/peer.h"

enum {
    THROTTLE_FREE = 5,          /* tries of an address that cost no waiting */
    THROTTLE_FIRST_S = 2,       /* to wait after the next one */
    THROTTLE_LONGEST_S = 900,   /* doubled up to this */
    THROTTLE_FORGET_S = 3600,   /* without a try: the address begins anew */
    THROTTLE_ADDRESSES = 10000, /* that are remembered; beyond, the one that was quiet the longest is not */
    THROTTLE_SHARED = 100,      /* tries of all addresses together, at one go … */
    THROTTLE_REFILL_S = 2,      /* … and after so many seconds one more */
};

struct throttle {
    struct map addresses; /* peer_block → struct throttle_address */
    struct list by_time;  /* of their newest tries, the oldest first */
    struct throttle_pool {
        unsigned left;   /* tries that all of them together have */
        usec_t refilled; /* when the last of these grew back */
    } far, near;         /* other machines, other users of this one */
};

void throttle_init(struct throttle *t, usec_t now);
void throttle_fini(struct throttle *t);

/* May this address try now? 0: yes, and it counts. Otherwise the seconds that it has to wait, at least 1. */
unsigned throttle_try(struct throttle *t, const struct peer_block *who, usec_t now);
/* It was the right password: the address begins anew, and all have one more try. */
void throttle_pardon(struct throttle *t, const struct peer_block *who);
