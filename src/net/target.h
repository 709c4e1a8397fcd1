/*
 * Where a request of ours goes: an address that came from outside, taken apart and looked at. Whoever names one to the daemon
 * must not make it a proxy into the machine or the network that it is in: only https to addresses of the whole world is taken,
 * unless a person named the network. Pure.
 */
#pragma once

#include "net/addr.h"

enum { TARGET_URL_MAX = 2048, TARGET_HOST_MAX = 253 };

struct target {
    bool secure;        /* https */
    struct span host;   /* a name, or an address without its brackets */
    struct span origin; /* "https://name:port", as it was written */
    struct span path;   /* with the query; "/" when there is none */
    uint16_t port;
};

/* False for what is no plain address: another scheme, a user, a fragment, bytes that have no place in one. The spans are of `url`. */
bool target_parse(struct span url, struct target *ret);

/* An address that any machine could reach: none of this machine's, none of a private network, of a link, of documentation or of
 * several. What leads to an IPv4 address by translation counts as that one. */
bool addr_is_public(const struct addr *a);

/* May a request go there, now that the name is an address? Plain http goes to this machine alone, and only where that is among the
 * networks that a person `allowed`. */
bool target_may(const struct target *t, const struct addr *a, const struct addr_range *allowed, size_t count);
