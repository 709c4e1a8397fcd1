#include "net/peer.h"

#include "net/addr.h"

enum { OURS = 'o', USER = 'u', HERE = 'l', V4 = '4', V6 = '6' };

struct peer_block peer_block(struct span address) {
    struct peer_block block = {"?"};
    struct addr a;
    if (!addr_parse(address, &a)) return block;
    if (addr_is_loopback(&a)) {
        block.bytes[0] = HERE;
    } else if (addr_is_v4(&a)) {
        block.bytes[0] = V4;
        memcpy(block.bytes + 1, a.bytes + 12, 4);
    } else {
        block.bytes[0] = V6;
        memcpy(block.bytes + 1, a.bytes, 8);
    }
    return block;
}

struct peer_block peer_block_user(uid_t user, bool ours) {
    struct peer_block block = {.bytes = {ours ? OURS : USER}};
    if (!ours) memcpy(block.bytes + 1, &user, sizeof user);
    return block;
}

bool peer_block_is_here(const struct peer_block *b) {
    return b->bytes[0] == HERE || b->bytes[0] == USER || peer_block_is_ours(b);
}

bool peer_block_is_ours(const struct peer_block *b) {
    return b->bytes[0] == OURS;
}
