/* Addresses of clients, as http_peer() writes them. Pure. */
#pragma once

#include "base/span.h"

#include <sys/types.h>

/* Whom a limit takes for one: an IPv4 address, 64 bits of an IPv6 one (what a single line gets), a user of this machine, whoever else
 * is on it, or all those whose address is not understood. */
struct peer_block {
    char bytes[10];
};
struct peer_block peer_block(struct span address);
/* A user of this machine; all that may do everything here anyway are one: the user that we run as, and root. */
struct peer_block peer_block_user(uid_t user, bool ours);

/* Are they on this machine? And are they ours? */
bool peer_block_is_here(const struct peer_block *b);
bool peer_block_is_ours(const struct peer_block *b);
