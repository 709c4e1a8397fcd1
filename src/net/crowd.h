/*
 * How many connections there are, and whose. Pure. What comes from other machines, or from other users of this one, can
 * neither take all places together nor many from one address: the owner always gets in.
 */
#pragma once

#include "base/map.h"
#include "net/addr.h"

enum crowd_kind {
    CROWD_OWNER, /* through the owner's socket */
    CROWD_LOCAL, /* from this machine */
    CROWD_OTHER, /* from elsewhere, or a stranger's */
};

struct crowd {
    unsigned limit;       /* places; the owner's socket has as many again */
    unsigned per_address; /* of CROWD_OTHER */
    unsigned count[3];
    struct map addresses; /* of CROWD_OTHER → how many */
};

void crowd_init(struct crowd *c, unsigned limit, unsigned per_address);
void crowd_fini(struct crowd *c);

/* Takes a place; false when there is none. `from` is only looked at for CROWD_OTHER; of IPv6 the network counts, because
 * who has one address there has 2^64 of them. */
bool crowd_enter(struct crowd *c, enum crowd_kind kind, const struct addr *from);
void crowd_leave(struct crowd *c, enum crowd_kind kind, const struct addr *from);
