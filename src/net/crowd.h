/*
 * How many connections there are, and whose. Pure. What comes from other machines, or from other users of this one, can
 * neither take all places together nor many from one address or of one user: the owner always gets in.
 */
#pragma once

#include "base/map.h"
#include "net/addr.h"

#include <sys/types.h>

enum crowd_kind {
    CROWD_OWNER, /* through the owner's socket */
    CROWD_LOCAL, /* this user's */
    CROWD_PROXY, /* from the address of a trusted proxy; which on this machine may be any user's */
    CROWD_OTHER, /* from elsewhere, or a stranger's */
    CROWD_KINDS_
};

struct crowd {
    unsigned limit;       /* places; the owner's socket has as many again */
    unsigned per_address; /* of CROWD_OTHER */
    unsigned per_user;    /* of CROWD_OTHER, where the user is known */
    unsigned count[CROWD_KINDS_];
    struct map guests; /* addresses and users of CROWD_OTHER → how many */
};

/* Only `kind` is looked at unless it is CROWD_OTHER. Of IPv6 the network counts, because who has one address there has 2^64. */
struct crowd_guest {
    enum crowd_kind kind;
    struct addr from;
    const uid_t *user; /* NULL: not known */
};

void crowd_init(struct crowd *c, unsigned limit, unsigned per_address, unsigned per_user);
void crowd_fini(struct crowd *c);

/* Takes a place; false when there is none. */
bool crowd_enter(struct crowd *c, const struct crowd_guest *who);
void crowd_leave(struct crowd *c, const struct crowd_guest *who);
