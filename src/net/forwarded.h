/* What a trusted proxy says about whom it speaks for. Pure. */
#pragma once

#include "net/addr.h"

/* X-Forwarded-For, -Proto and -Host; of headers that came more than once, all values with commas between them. */
struct forwarded_headers {
    struct span from, proto, host;
};

struct forwarded {
    struct addr client;
    bool secure;      /* the client speaks TLS to the proxy */
    struct span host; /* what the client asked for; empty: the proxy does not say */
};

/*
 * `peer` is the proxy itself. Each proxy adds to the end what it sees, so the list is read from there: the client is the
 * first who is not a proxy that we trust, whatever it wrote before itself. Of the others the last value counts.
 */
struct forwarded forwarded_read(const struct forwarded_headers *h, const struct addr *peer,
                                const struct addr_range *trusted, size_t count);
