/* Addresses of clients, as http_peer() writes them. Pure. */
#pragma once

#include "base/span.h"

/* Of this machine itself: 127.0.0.0/8, ::1, and these in IPv6's clothes. */
bool peer_is_loopback(struct span address);

/* Whom a limit takes for one: an IPv4 address, 64 bits of an IPv6 one (what a single line gets), this machine, or all those whose
 * address is not understood. */
struct peer_block {
    char bytes[10];
};
struct peer_block peer_block(struct span address);
